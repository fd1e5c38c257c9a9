package io.guidepost.lab.prove;

import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;

/** What became of a proof with a fleet, as tables and as JSON. */
record ProveFleetReport(
        List<String> frontEnds,
        List<ProveFleetCommand.Event> events,
        List<ProveFleetCommand.Found> found,
        AtomicLongArray acknowledged,
        AtomicLongArray refused,
        List<AcknowledgedWrites> ledgers,
        Map<String, HandleCreator.Attempts> attempts,
        FreshPlaces fresh) {
    private long names(ProveFleetCommand.Found of, AcknowledgedWrites.Verdict verdict) {
        return of.names().getOrDefault(verdict, 0L);
    }

    private static long wrongHandles(ProveFleetCommand.Found of) {
        return of.handles().entrySet().stream().filter(each -> !each.getKey().isEmpty()).mapToLong(Map.Entry::getValue).sum();
    }

    private long wrongNames(ProveFleetCommand.Found of) {
        return of.names().values().stream().mapToLong(Long::longValue).sum() - names(of, AcknowledgedWrites.Verdict.RIGHT);
    }

    private long created() {
        return attempts.values().stream().filter(each -> !each.winners().isEmpty()).count();
    }

    private long createdTwice() {
        return attempts.values().stream().filter(each -> each.winners().size() > 1).count();
    }

    private long writes() {
        long sum = 0;
        for (int i = 0; i < acknowledged.length(); i++) {
            sum += acknowledged.get(i);
        }
        return sum;
    }

    private long names() {
        return ledgers.stream().flatMap(each -> each.guids().stream()).distinct().count();
    }

    /** Returns how many names several writers wrote. */
    private long shared() {
        return ledgers.stream().flatMap(each -> each.guids().stream()).count() - names();
    }

    private long answeredMillisMax() {
        return events.stream().mapToLong(ProveFleetCommand.Event::answeredMillis).max().orElse(0);
    }

    boolean proven() {
        // Of a fleet that acknowledged nothing, nothing can be missing.
        return found.size() == frontEnds.size()
                && writes() > 0
                && created() > 0
                && createdTwice() == 0
                && fresh.seen() > 0
                && fresh.older() == 0
                && found.stream().allMatch(each -> wrongNames(each) == 0 && wrongHandles(each) == 0);
    }

    String text() {
        TextTable happened = new TextTable("seconds", "acknowledged", "member", "event", "writes again after");
        events.forEach(each -> happened.row(
                String.format(Locale.ROOT, "%.1f", each.seconds()),
                each.writes(),
                each.member(),
                each.what(),
                each.answeredMillis() == 0 ? "" : each.answeredMillis() + " ms"));
        TextTable table = new TextTable("front end", "writes", "repeated", "names", "missing", "returned", "silent", "handles", "wrong");
        for (int i = 0; i < found.size(); i++) {
            ProveFleetCommand.Found of = found.get(i);
            table.row(
                    frontEnds.get(i),
                    acknowledged.get(i),
                    refused.get(i),
                    names(of, AcknowledgedWrites.Verdict.RIGHT),
                    names(of, AcknowledgedWrites.Verdict.MISSING),
                    names(of, AcknowledgedWrites.Verdict.RETURNED),
                    names(of, AcknowledgedWrites.Verdict.SILENT),
                    of.handles().getOrDefault("", 0L),
                    wrongHandles(of));
        }
        String summary = String.format(
                Locale.ROOT,
                "%,d writes of %,d names acknowledged, %,d of these by two clients at a time; %,d handles created, %,d of them twice;"
                        + " writes again at most %,d ms after each heal.%n%,d look-ups of a place that moves, %,d of them answered with one"
                        + " that had been replaced for longer than a front end may keep it.%n",
                writes(),
                names(),
                shared(),
                created(),
                createdTwice(),
                answeredMillisMax(),
                fresh.seen(),
                fresh.older());
        String examples = fresh.examples().stream().map(each -> "  " + each + "\n").collect(Collectors.joining());
        return happened + "\n" + table + "\n" + summary + examples
                + (proven()
                        ? "Proven: every acknowledged write is found through every front end, no handle was created twice, and no answer"
                                + " was too old.\n"
                        : "NOT proven: see the columns missing, returned, silent and wrong, and the sums below them.\n");
    }

    String json() {
        List<Object> happened = new ArrayList<>();
        events.forEach(each -> happened.add(JsonWriter.object(
                "seconds", each.seconds(),
                "acknowledged", each.writes(),
                "member", each.member(),
                "event", each.what(),
                "answeredMillis", each.answeredMillis())));
        List<Object> rows = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            ProveFleetCommand.Found of = found.get(i);
            rows.add(JsonWriter.object(
                    "name", frontEnds.get(i),
                    "writes", acknowledged.get(i),
                    "repeated", refused.get(i),
                    "namesRight", names(of, AcknowledgedWrites.Verdict.RIGHT),
                    "namesWrong", wrongNames(of),
                    "handlesRight", of.handles().getOrDefault("", 0L),
                    "handlesWrong", wrongHandles(of)));
        }
        return JsonWriter.text(JsonWriter.object(
                "proven", proven(),
                "writes", writes(),
                "names", names(),
                "namesShared", shared(),
                "created", created(),
                "createdTwice", createdTwice(),
                "answeredMillisMax", answeredMillisMax(),
                "lookups", fresh.seen(),
                "lookupsTooOld", fresh.older(),
                "lookupsTooOldFirst", fresh.examples(),
                "events", happened,
                "frontEnds", rows));
    }
}
