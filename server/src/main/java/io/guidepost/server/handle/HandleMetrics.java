package io.guidepost.server.handle;

import io.guidepost.base.Counters;
import io.guidepost.base.SharedCounters;
import io.guidepost.handle.door.HandleCount;
import io.guidepost.handle.door.HandleDoor;
import io.guidepost.handle.message.MessagePacketCount;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.GuidDerivationCount;
import io.guidepost.handle.redirector.Redirector;
import io.guidepost.handle.redirector.RedirectorCount;
import io.guidepost.handle.rest.RestApi;
import io.guidepost.handle.rest.RestCount;
import io.guidepost.handle.service.HandleProtocolServer;
import io.guidepost.handle.service.HandleServiceCount;
import io.guidepost.handle.template.NamespaceTemplates;
import io.guidepost.handle.template.TemplateCount;
import io.guidepost.server.handle.HandleAccessCounters.Row;
import io.guidepost.server.handle.connection.HandleListeners;
import io.guidepost.server.metrics.CounterFamilies;
import io.guidepost.server.metrics.Exposition;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the Handle door counts.
 *
 * @param homed how many prefixes are at home
 */
record HandleMetrics(
        HandleListeners host,
        HandleAccessCounters accesses,
        @Nullable AccessLog log,
        HandleProtocolServer service,
        SharedCounters<GuidDerivationCount> places,
        List<HandleDoor> doors,
        int homed) {
    private static final double NANO = 1e-9;

    private static final CounterFamilies<HandleCount> DATAGRAMS = new CounterFamilies<>(HandleCount.class, "guidepost_handle_udp_")
            .family("requests", "Messages received over UDP, by type. Each ends as responses or a drop.", "type")
            .family("responses", "Responses sent over UDP, by source and code.", "source", "code")
            .family("drops", "Messages and responses over UDP that were dropped, by reason.", "reason")
            .family("bytes", "Bytes of datagrams, by direction.", "direction")
            .family("service_requests", "Requests that the index cannot answer, submitted to the service.")
            .family("fragmented_responses", "Responses sent in several packets.");

    private static final CounterFamilies<MessagePacketCount> PACKETS =
            new CounterFamilies<>(MessagePacketCount.class, "guidepost_handle_udp_")
                    .family("fragments", "Fragments of messages received over UDP, by what became of them.", "result")
                    .family("reassemblies", "Messages of several packets, by what became of them.", "result");

    private static final CounterFamilies<HandleServiceCount> SERVICE =
            new CounterFamilies<>(HandleServiceCount.class, "guidepost_handle_")
                    .family("messages", "Messages that the service received.")
                    .family("malformed_messages", "Malformed messages among them.")
                    .family("withheld_errors", "Errors not sent over UDP, as even the shortest form is longer than the request.")
                    .family("unsent_responses", "Responses that could not be sent, as the client was gone.")
                    .family("failed_requests", "Requests that failed with an internal error, which is in the log.")
                    .family("challenges_sent", "Challenges sent.")
                    .family("challenges_dropped", "Challenges that ended without an answer, by reason.", "reason")
                    .family("proofs", "Responses to challenges, by result.", "result")
                    .family("cpu_quota_refusals", "Proofs, signatures and key exchanges refused: a CPU quota is exhausted.")
                    .family("sessions_begun", "Sessions begun.")
                    .family("sessions_dropped", "Sessions that the server ended, by reason.", "reason")
                    .family("sessions_refused", "Sessions that did not come about, by reason.", "reason")
                    .family("session_messages_refused", "Messages in sessions that were refused, by reason.", "reason")
                    .family("repeated_changes", "Retransmitted changes over UDP, answered from the retransmission cache.");

    private static final CounterFamilies<GuidDerivationCount> DERIVATION =
            new CounterFamilies<>(GuidDerivationCount.class, "guidepost_handle_")
                    .family("guid_records", "GUID records of handles, by what became of them.", "result")
                    .family("ignored_location_values", "Values of a location that are malformed or too long.")
                    .family("omitted_locators", "Locators left out, as the GUID's record was full.");

    private static final CounterFamilies<RestCount> REST = new CounterFamilies<>(RestCount.class, "guidepost_handle_rest_")
            .family("requests", "Requests of the JSON interface that were executed, by type.", "type")
            .family("bulk_lines", "Lines of bulk requests, by whether they can be read.", "result")
            .family("refusals", "Requests of the JSON interface that were refused, by reason.", "reason")
            .family("evicted_sessions", "Sessions evicted early, as there were too many.")
            .family("failed_requests", "Requests that failed with an internal error, which is in the log.");

    private static final CounterFamilies<RedirectorCount> REDIRECTOR =
            new CounterFamilies<>(RedirectorCount.class, "guidepost_handle_redirector_")
                    .family("responses", "Responses to browsers, by result.", "result")
                    .family("unsafe_urls", "URLs of forbidden schemes.")
                    .family("malformed_locations", "Values of 10320/loc that are malformed.");

    private static final CounterFamilies<TemplateCount> TEMPLATES = new CounterFamilies<>(TemplateCount.class, "guidepost_handle_")
            .family("templates", "Handles looked up by templates, by result.", "result");

    /** What doors answer over UDP by themselves, and with which code. */
    private static final Map<HandleCount, ResponseCode> AT_ONCE = Map.of(
            HandleCount.RESPONSES_INDEX_SUCCESS, ResponseCode.SUCCESS,
            HandleCount.RESPONSES_INDEX_VALUES_NOT_FOUND, ResponseCode.VALUES_NOT_FOUND,
            HandleCount.RESPONSES_INDEX_HANDLE_NOT_FOUND, ResponseCode.HANDLE_NOT_FOUND,
            HandleCount.RESPONSES_INDEX_NOT_RESPONSIBLE, ResponseCode.NOT_RESPONSIBLE);

    public void write(Exposition out) {
        ToLongFunction<HandleCount> datagrams =
                CounterFamilies.sum(doors.stream().map(HandleDoor::counts).toList());
        out.counter(
                "guidepost_handle_responses",
                "Responses to messages, and to changes over JSON, by transport, operation and response code.");
        Map<Row, Long> rows = new TreeMap<>();
        AT_ONCE.forEach((count, code) -> rows.put(new Row("UDP", "resolve", code.number()), datagrams.applyAsLong(count)));
        accesses.rows((row, count) -> rows.merge(row, count, Long::sum));
        rows.forEach((row, count) -> out.sample(
                count, "transport", row.transport(), "operation", row.operation(), "code", Integer.toString(row.code())));
        out.counter("guidepost_handle_pages", "Requests over HTTP that are no messages (pages and /api), by status of HTTP.");
        accesses.pages((page, count) -> out.sample(
                count, "transport", page.transport(), "status", Integer.toString(page.status())));
        out.histogram("guidepost_handle_answer_seconds", "How long these responses took, but for those out of the index over UDP.");
        accesses.times((transport, buckets) -> out.doubling(buckets, NANO, "transport", transport));
        host.write(out);
        DATAGRAMS.write(out, datagrams);
        PACKETS.write(out, CounterFamilies.sum(doors.stream().map(HandleDoor::packetCounts).toList()));
        SERVICE.write(out, service::count);
        out.gauge("guidepost_handle_sessions", "Sessions that there are.").sample(service.sessions());
        out.gauge("guidepost_handle_challenges", "Challenges that wait for their answers.").sample(service.challenges());
        out.gauge("guidepost_handle_prefixes", "Prefixes that are at home here.").sample(homed);
        DERIVATION.write(out, places::get);
        out.counter("guidepost_handle_access_log_lines", "Lines of the access log, written and lost.")
                .sample(log == null ? 0 : log.written(), "result", "written")
                .sample(log == null ? 0 : log.dropped(), "result", "lost");
    }

    /** Writes what the web side counts, and templates. */
    static void writeWeb(Exposition out, RestApi rest, Redirector browsers, NamespaceTemplates templates) {
        REST.write(out, rest::count);
        REDIRECTOR.write(out, browsers::count);
        TEMPLATES.write(out, templates::count);
    }
}
