package io.guidepost.server.topology;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.proximity.input.InputOptions;
import io.guidepost.proximity.input.LoadedNetwork;
import io.guidepost.proximity.input.NetworkFiles;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.ranking.RankingFunctions;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the files of the topology, and what the configuration says of how it is ranked. */
final class TopologyFiles {
    /** No files. */
    public static final Read NOTHING =
            new Read(new OperatorNetwork(), RankingFunction.STANDARD, "oracle", OracleSettings.DEFAULTS, Map.of(), List.of());

    private static final long NANOS_IN_MILLI = 1_000_000;

    private TopologyFiles() {}

    /**
     * What files said.
     *
     * @param network what they describe; the caller owns it
     * @param function what is near
     * @param functionText the same as the operator wrote it
     * @param settings what they say besides
     * @param summary numbers and names for people; empty if there are no files
     * @param warnings what is odd in them, one line each
     */
    public record Read(
            OperatorNetwork network,
            RankingFunction function,
            String functionText,
            OracleSettings settings,
            Map<String, Object> summary,
            List<String> warnings) {}

    /**
     * Reads them.
     *
     * @throws ConfigurationException with the faults of the files, each as file:line
     */
    public static Read read(Configuration configuration) throws ConfigurationException, IOException {
        RankingFunction function = function(configuration);
        String text = configuration.get(TopologyKeys.PROXIMITY_FUNCTION);
        List<Path> files = configuration.get(TopologyKeys.PROXIMITY_FILES);
        if (files.isEmpty()) {
            return new Read(new OperatorNetwork(), function, text, OracleSettings.DEFAULTS, Map.of(), List.of());
        }
        try {
            LoadedNetwork read = NetworkFiles.read(files, options(configuration));
            return new Read(
                    read.network(),
                    function,
                    text,
                    read.settings().orElse(OracleSettings.DEFAULTS),
                    summary(read),
                    read.warnings());
        } catch (FaultyFile e) {
            throw new ConfigurationException(String.valueOf(e.getMessage()).lines().toList());
        } catch (NoSuchFileException e) {
            throw configuration.fault(TopologyKeys.PROXIMITY_FILES, "there is no file " + e.getFile());
        }
    }

    private static InputOptions options(Configuration configuration) {
        return InputOptions.DEFAULTS
                .withExits(configuration.get(TopologyKeys.PROXIMITY_EXITS))
                .withOwnAs(configuration.get(TopologyKeys.PROXIMITY_OWN_AS));
    }

    private static Map<String, Object> summary(LoadedNetwork read) {
        List<Object> files = new ArrayList<>();
        for (LoadedNetwork.Source each : read.files()) {
            files.add(JsonWriter.object(
                    "file", each.file().toString(),
                    "kind", each.kind(),
                    "routers", each.routers(),
                    "links", each.links(),
                    "prefixes", each.prefixes(),
                    "millis", each.nanos() / NANOS_IN_MILLI));
        }
        return JsonWriter.object(
                "routers", read.network().topology().routers().size(),
                "prefixes", read.network().prefixes(),
                "millis", read.nanos() / NANOS_IN_MILLI,
                "sources", files);
    }

    private static RankingFunction function(Configuration configuration) throws ConfigurationException {
        Map<Long, Double> penalties = new HashMap<>();
        configuration.get(TopologyKeys.PROXIMITY_AS_PENALTIES).forEach(each -> penalties.put(each.getKey(), each.getValue()));
        String text = configuration.get(TopologyKeys.PROXIMITY_FUNCTION);
        try {
            return penalties.isEmpty() ? RankingFunctions.of(text) : RankingFunctions.of(text, penalties);
        } catch (Malformed e) {
            throw configuration.fault(TopologyKeys.PROXIMITY_FUNCTION, String.valueOf(e.getMessage()));
        }
    }
}
