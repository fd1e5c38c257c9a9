package io.guidepost.server.handle;

import io.guidepost.base.Counters;
import io.guidepost.handle.door.HandleCount;
import io.guidepost.handle.door.HandleDoor;
import io.guidepost.handle.message.MessagePacketCount;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.GuidDerivationCount;
import io.guidepost.handle.service.HandleProtocolServer;
import io.guidepost.handle.service.HandleServiceCount;
import io.guidepost.server.handle.connection.HandleListeners;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.metrics.Exposition;
import java.util.List;
import java.util.Map;
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
        Counters<GuidDerivationCount> places,
        List<HandleDoor> doors,
        int homed) {
    private static final double NANO = 1e-9;

    /** What doors answer over UDP by themselves, and with which code. */
    private static final Map<HandleCount, ResponseCode> AT_ONCE = Map.of(
            HandleCount.RESOLVED_FOUND, ResponseCode.SUCCESS,
            HandleCount.RESOLVED_NO_VALUES, ResponseCode.VALUES_NOT_FOUND,
            HandleCount.RESOLVED_NO_HANDLE, ResponseCode.HANDLE_NOT_FOUND,
            HandleCount.RESOLVED_ELSEWHERE, ResponseCode.NOT_RESPONSIBLE);

    public void write(Exposition out) {
        out.counter(
                "guidepost_handle_requests",
                "Requests answered by the service or at a connection, by transport, operation and response code; page = HTTP by status.");
        accesses.rows((row, count) -> out.sample(
                count, "transport", row.transport(), "operation", row.operation(), "code", Integer.toString(row.code())));
        out.counter(
                "guidepost_handle_questions",
                "Questions answered at once out of the index over UDP, by response code; not among the requests.");
        AT_ONCE.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> out.sample(
                        sum(doors, each.getKey()), "code", Integer.toString(each.getValue().number())));
        out.histogram("guidepost_handle_answer_seconds", "How long the answers to these requests took.");
        accesses.times((transport, buckets) -> out.doubling(buckets, NANO, "transport", transport));
        out.gauge("guidepost_handle_connections", "Connections that are there.").sample(host.counts().connections());
        out.gauge("guidepost_handle_in_flight", "Requests over connections under way.").sample(host.inFlight());
        out.counter("guidepost_handle_connection_events", "What happened at connections, by event.");
        for (ConnectionCounter each : ConnectionCounter.values()) {
            out.sample(host.counts().get(each), "event", Exposition.name(each));
        }
        out.counter("guidepost_handle_datagram_events", "What happened to datagrams of the Handle door, by event.");
        for (HandleCount each : HandleCount.values()) {
            out.sample(sum(doors, each), "event", Exposition.name(each));
        }
        out.counter("guidepost_handle_packet_events", "What happened to messages in several packets, by event.");
        for (MessagePacketCount each : MessagePacketCount.values()) {
            out.sample(doors.stream().mapToLong(door -> door.packetCounts().get(each)).sum(), "event", Exposition.name(each));
        }
        out.counter("guidepost_handle_service_events", "What the service of messages met with, by event.");
        for (HandleServiceCount each : HandleServiceCount.values()) {
            out.sample(service.count(each), "event", Exposition.name(each));
        }
        out.gauge("guidepost_handle_sessions", "Sessions that there are.").sample(service.sessions());
        out.gauge("guidepost_handle_challenges", "Challenges that wait for their answers.").sample(service.challenges());
        out.gauge("guidepost_handle_prefixes", "Prefixes that are at home here.").sample(homed);
        out.counter("guidepost_handle_places_events", "What became of the places of handles among the GUIDs, by event.");
        for (GuidDerivationCount each : GuidDerivationCount.values()) {
            out.sample(places.get(each), "event", Exposition.name(each));
        }
        out.counter("guidepost_handle_access_log_lines", "Lines of the access log, written and lost.")
                .sample(log == null ? 0 : log.written(), "fate", "written")
                .sample(log == null ? 0 : log.dropped(), "fate", "lost");
    }

    private static long sum(List<HandleDoor> doors, HandleCount count) {
        return doors.stream().mapToLong(each -> each.counts().get(count)).sum();
    }
}
