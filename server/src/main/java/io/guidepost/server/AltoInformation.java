package io.guidepost.server;

import io.guidepost.alto.Information;
import io.guidepost.alto.cost.Calendar;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.MapFiles;
import io.guidepost.alto.map.PidNames;
import io.guidepost.alto.map.TopologyMaps;
import io.guidepost.alto.view.View;
import io.guidepost.names.FaultyFile;
import io.guidepost.names.Malformed;
import io.guidepost.proximity.Address;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Where ALTO has from what it tells: files, or the topology. */
final class AltoInformation {
    /** Files that are read again must not look like an older version. */
    private static final AtomicLong VERSIONS = new AtomicLong();

    private AltoInformation() {}

    /**
     * What files say; empty if there are none.
     *
     * @throws ConfigurationException with the faults of the files
     */
    static Optional<Information> read(Configuration configuration) throws ConfigurationException, IOException {
        List<Path> files = configuration.get(ProximityKeys.ALTO_MAP_FILES);
        if (!configuration.get(ProximityKeys.ALTO_ENABLED) || files.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(MapFiles.read(files, VERSIONS.incrementAndGet()));
        } catch (FaultyFile e) {
            throw new ConfigurationException(e.faults());
        }
    }

    /**
     * What is told of a topology.
     *
     * @throws IOException in one line, if the key of the names of PIDs cannot be read or made
     */
    static TopologyMaps.Settings settings(Configuration configuration) throws ConfigurationException, IOException {
        Map<String, Calendar> calendars = calendars(configuration);
        List<CostMetric> metrics = configuration.get(ProximityKeys.ALTO_METRICS).stream()
                .map(each -> new CostMetric(each, Optional.empty(), Optional.ofNullable(calendars.remove(each))))
                .toList();
        if (!calendars.isEmpty()) {
            throw Addressing.fault(
                    configuration, ProximityKeys.ALTO_CALENDARS,
                    "'" + calendars.keySet().iterator().next() + "' is not told: name it in " + ProximityKeys.ALTO_METRICS.name());
        }
        boolean tellsRouters = configuration.get(ProximityKeys.ALTO_TELLS_ROUTERS);
        PidNames names = new PidNames(PidKey.of(configuration.get(ProximityKeys.ALTO_FOLDER)), given(configuration), tellsRouters);
        try {
            return new TopologyMaps.Settings(
                    configuration.get(ProximityKeys.ALTO_MAP_ID),
                    metrics,
                    names,
                    tellsRouters,
                    configuration.get(ProximityKeys.ALTO_TELLS_PATHS),
                    configuration.get(ProximityKeys.ALTO_TELLS_AS_NUMBERS));
        } catch (IllegalArgumentException e) {
            throw Addressing.fault(configuration, ProximityKeys.ALTO_METRICS, String.valueOf(e.getMessage()));
        }
    }

    private static Map<Address, String> given(Configuration configuration) throws ConfigurationException {
        try {
            return PidNames.given(configuration.get(ProximityKeys.ALTO_PID_NAMES));
        } catch (Malformed e) {
            throw Addressing.fault(configuration, ProximityKeys.ALTO_PID_NAMES, e.reason());
        }
    }

    private static Map<String, Calendar> calendars(Configuration configuration) throws ConfigurationException {
        Map<String, Calendar> calendars = new HashMap<>();
        for (String each : configuration.get(ProximityKeys.ALTO_CALENDARS)) {
            try {
                String metric = each.strip().split("\\s+", 2)[0];
                if (calendars.put(metric, Calendar.parse(each.strip().substring(metric.length()))) != null) {
                    throw Addressing.fault(configuration, ProximityKeys.ALTO_CALENDARS, metric + " has a second calendar");
                }
            } catch (Malformed e) {
                throw Addressing.fault(configuration, ProximityKeys.ALTO_CALENDARS, "'" + each + "': " + e.reason());
            }
        }
        return calendars;
    }

    /** What whom is told. */
    static List<View> views(Configuration configuration) throws ConfigurationException {
        List<View> views = new ArrayList<>();
        for (String each : configuration.get(ProximityKeys.ALTO_VIEWS)) {
            try {
                views.add(View.parse(each));
            } catch (Malformed e) {
                throw Addressing.fault(configuration, ProximityKeys.ALTO_VIEWS, e.reason());
            }
        }
        return views;
    }
}
