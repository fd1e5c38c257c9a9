package io.guidepost.proximity.input;

import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.topology.OperatorNetwork;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The result of reading files.
 *
 * @param network of all files
 * @param settings of the Oracle's main file, if there was one
 * @param files in the order in which they were read
 * @param warnings what was odd, and how it was read
 * @param nanos total time
 */
public record LoadedNetwork(
        OperatorNetwork network,
        Optional<OracleSettings> settings,
        List<Source> files,
        List<String> warnings,
        long nanos) {
    /**
     * One file.
     *
     * @param file its path
     * @param kind its kind, for people
     * @param routers that it added
     * @param links directed links that it added
     * @param prefixes lines with a prefix
     * @param nanos that it took
     */
    public record Source(Path file, String kind, int routers, int links, int prefixes, long nanos) {}

    /** Copies the collections. */
    public LoadedNetwork {
        files = List.copyOf(files);
        warnings = List.copyOf(warnings);
    }

    /** Returns a summary, a line for each file and one for all. */
    public String summary() {
        StringBuilder text = new StringBuilder();
        for (Source each : files) {
            text.append(each.file).append(": ").append(each.kind);
            part(text, each.routers, "routers");
            part(text, each.links, "links");
            part(text, each.prefixes, "prefixes");
            text.append(", ").append(millis(each.nanos)).append(" ms\n");
        }
        text.append("together: ").append(network.topology().routers().size()).append(" routers, ");
        text.append(network.prefixes()).append(" prefixes, ").append(millis(nanos)).append(" ms\n");
        return text.toString();
    }

    private static void part(StringBuilder text, int count, String what) {
        if (count > 0) {
            text.append(String.format(Locale.ROOT, ", %d %s", count, what));
        }
    }

    private static long millis(long nanos) {
        return Math.round(nanos / 1e6);
    }
}
