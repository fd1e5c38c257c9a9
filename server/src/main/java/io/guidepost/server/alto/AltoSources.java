package io.guidepost.server.alto;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.cost.CostCalendar;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.AltoMapFiles;
import io.guidepost.alto.map.PidNames;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.alto.view.AltoView;
import io.guidepost.base.Address;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.server.config.AddressParsing;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.TopologyKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Where ALTO has from what it tells: files, or the topology. */
final class AltoSources {
    /** Files that are read again must not look like an older version. */
    private static final AtomicLong VERSIONS = new AtomicLong();

    private AltoSources() {}

    /**
     * What files say; empty if there are none.
     *
     * @throws ConfigurationException with the faults of the files
     */
    public static Optional<AltoSnapshot> read(Configuration configuration) throws ConfigurationException, IOException {
        List<Path> files = configuration.get(TopologyKeys.ALTO_MAP_FILES);
        if (!configuration.get(TopologyKeys.ALTO_ENABLED) || files.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(AltoMapFiles.read(files, VERSIONS.incrementAndGet()));
        } catch (FaultyFile e) {
            throw new ConfigurationException(e.faults());
        }
    }

    /**
     * What is told of a topology.
     *
     * @throws IOException in one line, if the key of the names of PIDs cannot be read or made
     */
    public static TopologyMapBuilder.Settings settings(Configuration configuration) throws ConfigurationException, IOException {
        Map<String, CostCalendar> calendars = calendars(configuration);
        List<CostMetric> metrics = configuration.get(TopologyKeys.ALTO_METRICS).stream()
                .map(each -> new CostMetric(each, Optional.empty(), Optional.ofNullable(calendars.remove(each))))
                .toList();
        if (!calendars.isEmpty()) {
            throw AddressParsing.fault(
                    configuration, TopologyKeys.ALTO_CALENDARS,
                    "'" + calendars.keySet().iterator().next() + "' is not told: name it in " + TopologyKeys.ALTO_METRICS.name());
        }
        boolean tellsRouters = configuration.get(TopologyKeys.ALTO_TELLS_ROUTERS);
        PidNames names = new PidNames(PidKey.of(configuration.get(TopologyKeys.ALTO_FOLDER)), given(configuration), tellsRouters);
        try {
            return new TopologyMapBuilder.Settings(
                    configuration.get(TopologyKeys.ALTO_MAP_ID),
                    metrics,
                    names,
                    tellsRouters,
                    configuration.get(TopologyKeys.ALTO_TELLS_PATHS),
                    configuration.get(TopologyKeys.ALTO_TELLS_AS_NUMBERS));
        } catch (IllegalArgumentException e) {
            throw AddressParsing.fault(configuration, TopologyKeys.ALTO_METRICS, String.valueOf(e.getMessage()));
        }
    }

    private static Map<Address, String> given(Configuration configuration) throws ConfigurationException {
        try {
            return PidNames.given(configuration.get(TopologyKeys.ALTO_PID_NAMES));
        } catch (Malformed e) {
            throw AddressParsing.fault(configuration, TopologyKeys.ALTO_PID_NAMES, e.reason());
        }
    }

    private static Map<String, CostCalendar> calendars(Configuration configuration) throws ConfigurationException {
        Map<String, CostCalendar> calendars = new HashMap<>();
        for (String each : configuration.get(TopologyKeys.ALTO_CALENDARS)) {
            try {
                String metric = each.strip().split("\\s+", 2)[0];
                if (calendars.put(metric, CostCalendar.parse(each.strip().substring(metric.length()))) != null) {
                    throw AddressParsing.fault(configuration, TopologyKeys.ALTO_CALENDARS, metric + " has a second calendar");
                }
            } catch (Malformed e) {
                throw AddressParsing.fault(configuration, TopologyKeys.ALTO_CALENDARS, "'" + each + "': " + e.reason());
            }
        }
        return calendars;
    }

    /** What whom is told. */
    public static List<AltoView> views(Configuration configuration) throws ConfigurationException {
        List<AltoView> views = new ArrayList<>();
        for (String each : configuration.get(TopologyKeys.ALTO_VIEWS)) {
            try {
                views.add(AltoView.parse(each));
            } catch (Malformed e) {
                throw AddressParsing.fault(configuration, TopologyKeys.ALTO_VIEWS, e.reason());
            }
        }
        return views;
    }
}
