package io.guidepost.server.naming;

import io.guidepost.naming.NameDirectory;
import io.guidepost.naming.NamingCount;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts and writes what happens to names over HTTP. */
final class NamesMetrics {
    /** Codes of HTTP that are told one by one; all others are "other". */
    private static final List<Integer> STATUSES = List.of(200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 500, 503);

    private static final CounterFamilies<NamingCount> COUNTERS = new CounterFamilies<>(NamingCount.class, "guidepost_names_")
            .family("watches_opened", "Watches begun.")
            .family("watches_ended", "Watches that have ended, for any reason.")
            .family("snapshots_sent", "Snapshots sent to watchers.")
            .family("resumed_watches", "Watchers that went on from a position that they had.")
            .family("resets", "Watchers told to begin again, by reason.", "reason")
            .family("events_taken", "Changes of names taken in for watchers.")
            .family("events_sent", "Changes of names sent to watchers.")
            .family("overrun_changes", "Times that all watchers had to begin again, as changes came faster than they were told.")
            .family("heartbeats_sent", "Heartbeats sent to watchers.")
            .family("leases", "Leases, by what became of them.", "event")
            .family("denied", "Requests denied, by reason.", "reason");

    private final HttpServer host;
    private final NameDirectory names;
    private final Map<Integer, LongAdder> answers = new TreeMap<>();
    private final LongAdder others = new LongAdder();

    NamesMetrics(HttpServer host, NameDirectory names) {
        this.host = host;
        this.names = names;
        STATUSES.forEach(each -> answers.put(each, new LongAdder()));
    }

    void add(int status) {
        answers.getOrDefault(status, others).increment();
    }

    void write(Exposition out) {
        out.counter("guidepost_names_responses", "Responses about names over HTTP, by status.");
        answers.forEach((status, count) -> out.sample(count.sum(), "code", Integer.toString(status)));
        out.sample(others.sum(), "code", "other");
        out.gauge("guidepost_names_watchers", "Watchers of names.").sample(host.lasting());
        out.gauge("guidepost_names_leases_held", "Leases that have not ended.").sample(names.leaseCount());
        out.gauge("guidepost_names_history_bytes", "Bytes of changes kept for watchers.").sample(names.historyBytes());
        host.write(out, "guidepost_names_");
        COUNTERS.write(out, names.counts()::get);
    }
}
