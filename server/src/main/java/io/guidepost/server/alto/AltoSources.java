package io.guidepost.server.alto;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.cost.CostCalendar;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.AltoMapFiles;
import io.guidepost.alto.map.PidNames;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.base.FaultyFile;
import io.guidepost.server.config.AltoDisclosure;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.TopologyKeys;
import java.io.IOException;
import java.nio.file.Path;
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
    public static TopologyMapBuilder.Settings settings(Configuration configuration) throws IOException {
        Map<String, CostCalendar> calendars = configuration.get(TopologyKeys.ALTO_CALENDARS);
        List<CostMetric> metrics = configuration.get(TopologyKeys.ALTO_METRICS).stream()
                .map(each -> new CostMetric(each, Optional.empty(), Optional.ofNullable(calendars.get(each))))
                .toList();
        List<AltoDisclosure> tells = configuration.get(TopologyKeys.ALTO_TELLS);
        boolean tellsRouters = tells.contains(AltoDisclosure.ROUTERS);
        PidNames names = new PidNames(
                PidKey.of(configuration.get(TopologyKeys.ALTO_FOLDER)),
                configuration.get(TopologyKeys.ALTO_PID_NAMES),
                tellsRouters);
        return new TopologyMapBuilder.Settings(
                metrics, names, tellsRouters, tells.contains(AltoDisclosure.PATHS), tells.contains(AltoDisclosure.AS_NUMBERS));
    }
}
