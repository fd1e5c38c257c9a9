package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code GET /sites} told, in a table. */
record SitesText(Map<String, Object> sites) {
    private List<Map<?, ?>> servers() {
        return AdminOptions.rows(sites, "servers");
    }

    /** Returns how many servers of the deployment are so. */
    private long count(String which) {
        return sites.get("counts") instanceof Map<?, ?> counts ? number(counts, which) : 0;
    }

    private static long number(Map<?, ?> row, String name) {
        return row.get(name) instanceof Number number ? number.longValue() : 0;
    }

    private static boolean flag(Map<?, ?> row, String name) {
        return Boolean.TRUE.equals(row.get(name));
    }

    @Override
    public String toString() {
        List<Map<?, ?>> servers = servers();
        if (count("all") <= 1) {
            return "This server is alone: its tables name no other.\n";
        }
        TextTable table = new TextTable(
                "server", "address", "health", "keeps", "shared", "median", "slow", "hints", "differ", "compared", "tables");
        for (Map<?, ?> each : servers) {
            boolean own = flag(each, "own");
            String name = AdminOptions.text(each, "name");
            String address = AdminOptions.text(each, "address");
            table.row(
                    name.equals(address) ? "" : name,
                    address,
                    own ? "here" : AdminOptions.text(each, "health"),
                    percent(each.get("sharePercent")),
                    own ? count(number(sites, "records")) : count(number(each, "recordsShared")),
                    own ? "" : micros(number(each, "roundTripMicros")),
                    own ? "" : micros(number(each, "slowMicros")),
                    own ? "" : count(number(each, "hints")),
                    own ? "" : count(number(each, "rangesDiffering")),
                    own ? "" : ago(each.get("comparedMillisAgo")),
                    own ? "" : AdminOptions.text(each, "tables"));
        }
        return table + "\n" + state();
    }

    private String state() {
        List<String> lines = new ArrayList<>();
        if (flag(sites, "catchingUp")) {
            lines.add("This server is catching up: it compares what it has with the others.");
        }
        long sweep = number(sites, "sweepPercent");
        if (sites.get("sweepPercent") instanceof Number && sweep < 100) {
            lines.add("Looking through the records for what differs: " + sweep + " %.");
        }
        if (flag(sites, "moving")) {
            lines.add("The tables have changed: " + count(number(sites, "handOver"))
                    + " records are still to be handed to the servers that keep them now.");
        }
        long more = count("all") - servers().size();
        if (more > 0) {
            lines.add(count(more) + " servers have no row here, of " + count(count("all")) + ": " + count(count("up")) + " are up, "
                    + count(count("unknown")) + " were not asked yet (--limit, --after, --health).");
        }
        long silent = count("down");
        if (silent > 0) {
            lines.add(count(silent) + (silent == 1 ? " server does" : " servers do") + " not answer.");
        }
        long other = count("otherTables");
        if (other > 0) {
            lines.add(count(other) + (other == 1 ? " server has" : " servers have")
                    + " other tables: load the same everywhere, nothing is compared until then.");
        }
        long hints = number(sites, "hints");
        if (hints > 0) {
            lines.add((hints == 1 ? "1 change waits" : count(hints) + " changes wait")
                    + " for servers that did not confirm, " + count(number(sites, "hintBytes")) + " bytes.");
        }
        if (lines.size() == (more > 0 ? 1 : 0)) {
            lines.add("Nothing differs, nothing waits.");
        }
        return String.join("\n", lines) + "\n";
    }

    private static String percent(@Nullable Object value) {
        return value instanceof Number number ? String.format(Locale.ROOT, "%.0f %%", number.doubleValue()) : "";
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String micros(long micros) {
        if (micros == 0) {
            return "";
        }
        return micros < 10_000 ? micros + " µs" : micros / 1000 + " ms";
    }

    private static String ago(@Nullable Object millis) {
        if (!(millis instanceof Number number)) {
            return "never";
        }
        long seconds = number.longValue() / 1000;
        return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
    }
}
