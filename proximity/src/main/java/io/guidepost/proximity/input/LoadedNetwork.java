package io.guidepost.proximity.input;

import io.guidepost.base.Address;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.topology.OperatorNetwork;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What came of reading files.
 *
 * @param network all of them together
 * @param settings of the Oracle's main file, if there was one
 * @param names of routers for people, by their addresses
 * @param files each of them, in the order in which they were read
 * @param warnings what was odd, and what was made of it
 * @param nanos that all took
 */
public record LoadedNetwork(
        OperatorNetwork network,
        Optional<OracleSettings> settings,
        Map<Address, String> names,
        List<Source> files,
        List<String> warnings,
        long nanos) {
    /**
     * One file.
     *
     * @param file its path
     * @param kind what it is, in words
     * @param routers that it added
     * @param links directions of lines that it added
     * @param prefixes lines with a prefix
     * @param nanos that it took
     */
    public record Source(Path file, String kind, int routers, int links, int prefixes, long nanos) {}

    /** Copies the collections. */
    public LoadedNetwork {
        names = Map.copyOf(names);
        files = List.copyOf(files);
        warnings = List.copyOf(warnings);
    }

    /** What was read, a line for each file and one for all. */
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
