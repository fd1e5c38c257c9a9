package io.guidepost.lab.prove;

import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** What became of a proof with several servers, as tables and as JSON. */
record ProveSitesReport(
        List<ServerNode> nodes,
        List<ProveSitesCommand.Event> events,
        List<ProveSitesCommand.Found> found,
        AtomicLongArray acknowledged,
        AtomicLongArray refused,
        List<AcknowledgedWrites> ledgers,
        double writeSeconds,
        double agreeSeconds) {
    private static long count(Map<AcknowledgedWrites.Verdict, Long> verdicts, AcknowledgedWrites.Verdict verdict) {
        return verdicts.getOrDefault(verdict, 0L);
    }

    /** How many answers were wrong: what was acknowledged is missing or unanswered, what was removed is there. */
    private static long wrong(ProveSitesCommand.Found of) {
        long through = of.through().values().stream().mapToLong(Long::longValue).sum()
                - count(of.through(), AcknowledgedWrites.Verdict.RIGHT);
        return through
                + count(of.own(), AcknowledgedWrites.Verdict.MISSING)
                + count(of.own(), AcknowledgedWrites.Verdict.RETURNED);
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
        TextTable happened = new TextTable("seconds", "acknowledged", "server", "event");
        events.forEach(each -> happened.row(
                String.format(Locale.ROOT, "%.1f", each.seconds()), each.writes(), each.node(), each.what()));
        TextTable table = new TextTable(
                "server", "writes", "repeated", "found", "missing", "returned", "silent", "copies", "differ");
        for (int i = 0; i < nodes.size(); i++) {
            ProveSitesCommand.Found of = found.get(i);
            long copies = count(of.own(), AcknowledgedWrites.Verdict.RIGHT);
            long differ = count(of.own(), AcknowledgedWrites.Verdict.MISSING) + count(of.own(), AcknowledgedWrites.Verdict.RETURNED);
            table.row(
                    nodes.get(i).name(),
                    acknowledged.get(i),
                    refused.get(i),
                    count(of.through(), AcknowledgedWrites.Verdict.RIGHT),
                    count(of.through(), AcknowledgedWrites.Verdict.MISSING),
                    count(of.through(), AcknowledgedWrites.Verdict.RETURNED),
                    count(of.through(), AcknowledgedWrites.Verdict.SILENT),
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
        events.forEach(each -> happened.add(JsonWriter.object(
                "seconds", each.seconds(),
                "acknowledged", each.writes(),
                "server", each.node(),
                "event", each.what())));
        List<Object> servers = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            ProveSitesCommand.Found of = found.get(i);
            servers.add(JsonWriter.object(
                    "name", nodes.get(i).name(),
                    "writes", acknowledged.get(i),
                    "repeated", refused.get(i),
                    "found", count(of.through(), AcknowledgedWrites.Verdict.RIGHT),
                    "missing", count(of.through(), AcknowledgedWrites.Verdict.MISSING),
                    "returned", count(of.through(), AcknowledgedWrites.Verdict.RETURNED),
                    "silent", count(of.through(), AcknowledgedWrites.Verdict.SILENT),
                    "copiesAlike", count(of.own(), AcknowledgedWrites.Verdict.RIGHT),
                    "copiesMissing", count(of.own(), AcknowledgedWrites.Verdict.MISSING),
                    "copiesReturned", count(of.own(), AcknowledgedWrites.Verdict.RETURNED)));
        }
        return JsonWriter.text(JsonWriter.object(
                "proven", proven(),
                "writes", writes(),
                "guids", guids(),
                "guidsClosed", ledgers.stream().mapToLong(AcknowledgedWrites::closed).sum(),
                "writeSeconds", writeSeconds,
                "agreeSeconds", agreeSeconds,
                "events", happened,
                "servers", servers));
    }
}
