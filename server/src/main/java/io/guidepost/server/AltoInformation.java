package io.guidepost.server;

import io.guidepost.alto.Information;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.map.MapFiles;
import io.guidepost.alto.map.TopologyMaps;
import io.guidepost.names.FaultyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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

    /** What is told of a topology. */
    static TopologyMaps.Settings settings(Configuration configuration) throws ConfigurationException {
        List<CostMetric> metrics =
                configuration.get(ProximityKeys.ALTO_METRICS).stream().map(CostMetric::of).toList();
        try {
            return new TopologyMaps.Settings(
                    configuration.get(ProximityKeys.ALTO_MAP_ID),
                    metrics,
                    configuration.get(ProximityKeys.ALTO_TELLS_ROUTERS),
                    configuration.get(ProximityKeys.ALTO_TELLS_PATHS),
                    configuration.get(ProximityKeys.ALTO_TELLS_AS_NUMBERS));
        } catch (IllegalArgumentException e) {
            throw Addressing.fault(configuration, ProximityKeys.ALTO_METRICS, String.valueOf(e.getMessage()));
        }
    }
}
