package io.guidepost.server.cli;

import io.guidepost.server.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** What became of a proof with several servers, as tables and as JSON. */
record ProveSitesReport(
        List<SiteNode> nodes,
        List<ProveSites.Event> events,
        List<ProveSites.Found> found,
        AtomicLongArray acknowledged,
        AtomicLongArray refused,
        List<SiteLedger> ledgers,
        double writeSeconds,
        double agreeSeconds) {
    private static long count(Map<SiteLedger.Verdict, Long> verdicts, SiteLedger.Verdict verdict) {
        return verdicts.getOrDefault(verdict, 0L);
    }

    /** How many answers were wrong: what was acknowledged is missing or unanswered, what was removed is there. */
    private static long wrong(ProveSites.Found of) {
        long through = of.through().values().stream().mapToLong(Long::longValue).sum()
                - count(of.through(), SiteLedger.Verdict.RIGHT);
        return through
                + count(of.own(), SiteLedger.Verdict.MISSING)
                + count(of.own(), SiteLedger.Verdict.RETURNED);
    }

    boolean proven() {
        return events.stream().noneMatch(each -> each.what().startsWith("not in line"))
                && found.size() == nodes.size()
                && found.stream().mapToLong(ProveSitesReport::wrong).sum() == 0;
    }

    private long guids() {
        return ledgers.stream().mapToLong(each -> each.guids().size()).sum();
    }

    private long writes() {
        long sum = 0;
        for (int i = 0; i < acknowledged.length(); i++) {
            sum += acknowledged.get(i);
        }
        return sum;
    }

    String text() {
        Table happened = new Table("seconds", "acknowledged", "server", "event");
        events.forEach(each -> happened.row(
                String.format(Locale.ROOT, "%.1f", each.seconds()), each.writes(), each.node(), each.what()));
        Table table = new Table(
                "server", "writes", "repeated", "found", "missing", "returned", "silent", "copies", "differ");
        for (int i = 0; i < nodes.size(); i++) {
            ProveSites.Found of = found.get(i);
            long copies = count(of.own(), SiteLedger.Verdict.RIGHT);
            long differ = count(of.own(), SiteLedger.Verdict.MISSING) + count(of.own(), SiteLedger.Verdict.RETURNED);
            table.row(
                    nodes.get(i).name(),
                    acknowledged.get(i),
                    refused.get(i),
                    count(of.through(), SiteLedger.Verdict.RIGHT),
                    count(of.through(), SiteLedger.Verdict.MISSING),
                    count(of.through(), SiteLedger.Verdict.RETURNED),
                    count(of.through(), SiteLedger.Verdict.SILENT),
                    copies + differ,
                    differ);
        }
        String summary = String.format(
                Locale.ROOT,
                "%,d writes of %,d GUIDs acknowledged in %.1f s; %.1f s after healing nothing differed any more.%n",
                writes(),
                guids(),
                writeSeconds,
                agreeSeconds);
        return happened + "\n" + table + "\n" + summary
                + (proven()
                        ? "Proven: every acknowledged write is found through every server, nothing removed has returned,"
                                + " all copies are alike.\n"
                        : "NOT proven: see the columns missing, returned, silent and differ.\n");
    }

    String json() {
        List<Object> happened = new ArrayList<>();
        events.forEach(each -> happened.add(Json.object(
                "seconds", each.seconds(),
                "acknowledged", each.writes(),
                "server", each.node(),
                "event", each.what())));
        List<Object> servers = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            ProveSites.Found of = found.get(i);
            servers.add(Json.object(
                    "name", nodes.get(i).name(),
                    "writes", acknowledged.get(i),
                    "repeated", refused.get(i),
                    "found", count(of.through(), SiteLedger.Verdict.RIGHT),
                    "missing", count(of.through(), SiteLedger.Verdict.MISSING),
                    "returned", count(of.through(), SiteLedger.Verdict.RETURNED),
                    "silent", count(of.through(), SiteLedger.Verdict.SILENT),
                    "copiesAlike", count(of.own(), SiteLedger.Verdict.RIGHT),
                    "copiesMissing", count(of.own(), SiteLedger.Verdict.MISSING),
                    "copiesReturned", count(of.own(), SiteLedger.Verdict.RETURNED)));
        }
        return Json.write(Json.object(
                "proven", proven(),
                "writes", writes(),
                "guids", guids(),
                "guidsClosed", ledgers.stream().mapToLong(SiteLedger::closed).sum(),
                "writeSeconds", writeSeconds,
                "agreeSeconds", agreeSeconds,
                "events", happened,
                "servers", servers));
    }
}
