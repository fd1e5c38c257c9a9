package io.guidepost.server.alto;

import io.guidepost.alto.tips.TipsCount;
import io.guidepost.alto.update.UpdateCount;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.metrics.Exposition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts and writes what happens at the ALTO door. */
final class AltoMetrics {
    /** Codes of HTTP that are told one by one; all others are "other". */
    private static final List<Integer> STATUSES =
            List.of(200, 204, 304, 400, 403, 404, 405, 406, 410, 413, 415, 425, 429, 500, 503);

    private final HttpServer host;
    private final AltoPublisher telling;
    private final Map<Integer, LongAdder> answers = new TreeMap<>();
    private final LongAdder others = new LongAdder();

    public AltoMetrics(HttpServer host, AltoPublisher telling) {
        this.host = host;
        this.telling = telling;
        STATUSES.forEach(each -> answers.put(each, new LongAdder()));
    }

    public void add(int status) {
        answers.getOrDefault(status, others).increment();
    }

    public void write(Exposition out) {
        out.counter("guidepost_alto_answers", "Requests answered over HTTP, by code.");
        answers.forEach((status, count) -> out.sample(count.sum(), "code", Integer.toString(status)));
        out.sample(others.sum(), "code", "other");
        out.gauge("guidepost_alto_version", "Version of what is told.").sample(telling.current().version());
        out.gauge("guidepost_alto_connections", "Connections that are there.").sample(host.counts().connections());
        out.gauge("guidepost_alto_in_flight", "Requests that are worked on.").sample(host.inFlight());
        out.gauge("guidepost_alto_lasting", "Update streams, and requests that wait for the next version.")
                .sample(host.lasting());
        out.counter("guidepost_alto_connection_events", "What happened at connections, by event.");
        for (ConnectionCounter each : ConnectionCounter.values()) {
            out.sample(host.counts().get(each), "event", Exposition.name(each));
        }
        List<AltoPublisher.Edition> editions = telling.editions();
        out.counter("guidepost_alto_update_events", "What happened to update streams, by event, since maps were read last.");
        for (UpdateCount each : UpdateCount.values()) {
            out.sample(
                    editions.stream().mapToLong(edition -> edition.streams().counts().get(each)).sum(), "event",
                    Exposition.name(each));
        }
        out.counter("guidepost_alto_tips_events", "What happened to views of versions, by event, since maps were read last.");
        for (TipsCount each : TipsCount.values()) {
            out.sample(
                    editions.stream().mapToLong(edition -> edition.tips().counts().get(each)).sum(), "event",
                    Exposition.name(each));
        }
    }
}
