package io.guidepost.server.handle;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.handle.Handle;
import io.guidepost.handle.door.HandleDoorListener;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.ResolveRequestFlyweight;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.RequestListener;
import io.guidepost.names.Exchange;
import io.guidepost.server.handle.connection.AccessListener;
import io.guidepost.server.handle.connection.EnvelopeFraming;
import io.guidepost.web.HttpRequest;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is asked by operation, response code and transport, and tells the access log: what the service answered, what
 * the connections answered without it, and pages. Thread-safe.
 */
final class HandleAccessCounters implements AccessListener, RequestListener {
    /** Powers of two of nanoseconds, up to some 18 minutes. */
    private static final int BUCKETS = 40;

    private static final long NANOS_IN_MILLI = 1_000_000;

    private static final Map<HandleOperation, String> NAMES = Arrays.stream(HandleOperation.values())
            .collect(Collectors.toMap(each -> each, each -> each.name().toLowerCase(Locale.ROOT)));

    /**
     * What is counted together.
     *
     * @param transport UDP, TCP, HTTP or HTTPS
     * @param operation in lower case; {@code page} for what is no message
     * @param code number of the response code, or status of HTTP
     */
    public record Row(String transport, String operation, int code) implements Comparable<Row> {
        @Override
        public int compareTo(Row other) {
            return toString().compareTo(other.toString());
        }
    }

    private final @Nullable AccessLog log;
    private final Map<Row, LongAdder> rows = new ConcurrentHashMap<>();
    private final Map<String, AtomicLongArray> times = new ConcurrentHashMap<>();

    /** With a log, or null for none. */
    public HandleAccessCounters(@Nullable AccessLog log) {
        this.log = log;
    }

    @Override
    public void message(HandleRequest call, byte[] answer, long nanos) {
        int operation = EnvelopeFraming.operation(call.message());
        int code = EnvelopeFraming.responseCode(answer);
        count(call.transport().name(), operation, code, nanos);
        if (log != null) {
            String handle = new String(EnvelopeFraming.firstField(call.message()), StandardCharsets.UTF_8);
            log.add(line(
                    call.peer(),
                    call.transport().name(),
                    EnvelopeFraming.version(call.message()),
                    operation,
                    code,
                    nanos,
                    "",
                    handle));
        }
    }

    @Override
    public void answered(HandleRequest call, Entry entry) {
        count(call.transport().name(), entry.opcode(), entry.code().number(), entry.nanos());
        if (log != null) {
            log.add(line(
                    call.peer(),
                    call.transport().name(),
                    entry.version().toString(),
                    entry.opcode(),
                    entry.code().number(),
                    entry.nanos(),
                    entry.who().map(Object::toString).orElse(""),
                    entry.handle().toString()));
        }
    }

    @Override
    public void page(HttpRequest request, int status, long nanos) {
        String transport = request.secure() ? "HTTPS" : "HTTP";
        count(new Row(transport, "page", status), nanos);
        if (log != null) {
            log.add(new AccessLogEntry(
                    AddressText.of(request.peer().getAddress()),
                    transport,
                    request.method(),
                    Instant.now(),
                    -1,
                    status,
                    nanos / NANOS_IN_MILLI,
                    "",
                    request.target()));
        }
    }

    /** What hears of questions that a door answers at once over UDP, which counts them itself. */
    public HandleDoorListener watch() {
        return log == null ? HandleDoorListener.NONE : this::resolved;
    }

    private void resolved(Exchange exchange, ResolveRequestFlyweight question, ResponseCode code) {
        AccessLog to = log;
        if (to != null) {
            byte[] handle = exchange.request()
                    .asSlice(question.handle(), question.handleLength())
                    .toArray(ValueLayout.JAVA_BYTE);
            to.add(line(
                    new InetSocketAddress(Addresses.toInetAddress(exchange.peerHigh(), exchange.peerLow()), 0),
                    "UDP",
                    (question.versions() >>> 24) + "." + (question.versions() >>> 16 & 0xff),
                    HandleOperation.RESOLVE.number(),
                    code.number(),
                    0,
                    "",
                    Handle.of(new String(handle, StandardCharsets.UTF_8)).toString()));
        }
    }

    private static AccessLogEntry line(
            InetSocketAddress peer,
            String transport,
            String version,
            int operation,
            int code,
            long nanos,
            String identity,
            String about) {
        return new AccessLogEntry(
                AddressText.of(peer.getAddress()),
                transport,
                "HDL(" + version + ")",
                Instant.now(),
                operation,
                code,
                nanos / NANOS_IN_MILLI,
                identity,
                about);
    }

    private void count(String transport, int operation, int code, long nanos) {
        count(new Row(transport, HandleOperation.of(operation).map(NAMES::get).orElse("unknown"), code), nanos);
    }

    private void count(Row row, long nanos) {
        // Most often it is there: what makes one that is not may lock others out.
        LongAdder known = rows.get(row);
        (known == null ? rows.computeIfAbsent(row, _ -> new LongAdder()) : known).increment();
        int bucket = nanos <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(nanos - 1);
        AtomicLongArray buckets = times.get(row.transport());
        (buckets == null ? times.computeIfAbsent(row.transport(), _ -> new AtomicLongArray(BUCKETS)) : buckets)
                .incrementAndGet(Math.min(bucket, BUCKETS - 1));
    }

    /** Visits the counts in a fixed order. */
    public void rows(BiConsumer<Row, Long> visitor) {
        new TreeMap<>(rows).forEach((row, count) -> visitor.accept(row, count.sum()));
    }

    /** Visits how long answers took, by transport: bucket i counts those of up to 2^i nanoseconds. */
    public void times(BiConsumer<String, long[]> visitor) {
        new TreeMap<>(times).forEach((transport, buckets) -> {
            long[] copy = new long[BUCKETS];
            for (int i = 0; i < BUCKETS; i++) {
                copy[i] = buckets.get(i);
            }
            visitor.accept(transport, copy);
        });
    }
}
