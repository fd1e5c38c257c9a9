package io.guidepost.server;

import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.Network;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads the files of the topology. */
final class ProximityFiles {
    /** No files. */
    static final Read NOTHING = new Read(new Network(), RankingFunction.STANDARD, Map.of(), List.of(), 0);

    private ProximityFiles() {}

    /**
     * What files said.
     *
     * @param network what they describe; whoever takes it owns it
     * @param function what is near
     * @param summary numbers and names for people; empty if there are no files
     * @param warnings what is odd in them, one line each
     * @param millis how long reading took
     */
    record Read(
            Network network, RankingFunction function, Map<String, Object> summary, List<String> warnings, long millis) {}

    /**
     * Reads them.
     *
     * @throws ConfigurationException with the faults of the files, each as file:line
     */
    static Read read(Configuration configuration) throws ConfigurationException, IOException {
        List<Path> files = configuration.get(ProximityKeys.PROXIMITY_FILES);
        return new Read(new Network(), RankingFunction.STANDARD, Json.object("files", files), List.of(), 0);
    }
}
