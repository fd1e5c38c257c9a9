package io.guidepost.server.alto;

import io.guidepost.alto.tips.TipsCount;
import io.guidepost.alto.update.UpdateCount;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.metrics.CounterFamilies;
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

    private static final CounterFamilies<UpdateCount> UPDATES = new CounterFamilies<>(UpdateCount.class, "guidepost_alto_update_")
            .family("streams_opened", "Update streams opened, since maps were read last.")
            .family("streams_ended", "Update streams that have ended, for any reason.")
            .family("refused_streams", "Update streams refused: too many, or too many of one client address.")
            .family("lost_receivers", "Update streams whose receiver has gone, or was too slow for too long.")
            .family("malformed_requests", "Invalid requests for update streams.")
            .family("controls", "Control messages of update streams, by result.", "result")
            .family("messages", "Messages sent in update streams, by type.", "type")
            .family("failed_substreams", "Substreams that ended because their resource is no longer available.");

    private static final CounterFamilies<TipsCount> TIPS = new CounterFamilies<>(TipsCount.class, "guidepost_alto_tips_")
            .family("views_opened", "Views of versions opened, since maps were read last.")
            .family("views_closed", "Views closed, by reason.", "reason")
            .family("refused_views", "Views refused: too many, or too many of one client address.")
            .family("malformed_requests", "Invalid requests for views.")
            .family("versions_sent", "Versions sent, by type.", "type")
            .family("long_polls", "Requests that waited for the next version.")
            .family("long_poll_timeouts", "Requests that waited until the time-out.")
            .family("refused_long_polls", "Requests refused as too many waited already.");

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
        out.counter("guidepost_alto_responses", "Responses over HTTP, by status.");
        answers.forEach((status, count) -> out.sample(count.sum(), "code", Integer.toString(status)));
        out.sample(others.sum(), "code", "other");
        out.gauge("guidepost_alto_version", "Version of what is told.").sample(telling.current().version());
        out.gauge("guidepost_alto_lasting", "Update streams, and requests that wait for the next version.")
                .sample(host.lasting());
        host.write(out, "guidepost_alto_");
        List<AltoPublisher.Edition> editions = telling.editions();
        UPDATES.write(out, name -> editions.stream().mapToLong(each -> each.streams().counts().get(name)).sum());
        TIPS.write(out, name -> editions.stream().mapToLong(each -> each.tips().counts().get(name)).sum());
    }
}
