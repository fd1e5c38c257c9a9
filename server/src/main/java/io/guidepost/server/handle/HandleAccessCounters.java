package io.guidepost.server.handle;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.handle.Handle;
import io.guidepost.handle.door.HandleDoorListener;
import io.guidepost.handle.message.HandleOperation;
import io.guidepost.handle.message.ResolveRequestFlyweight;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.rest.RestApi;
import io.guidepost.handle.rest.RestListener;
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
 * the connections answered without it, changes over JSON, and pages. Thread-safe.
 */
final class HandleAccessCounters implements AccessListener, RequestListener, RestListener {
    /** Powers of two of nanoseconds, up to some 18 minutes. */
    private static final int BUCKETS = 40;

    private static final long NANOS_IN_MILLI = 1_000_000;

    private static final Map<HandleOperation, String> NAMES = Arrays.stream(HandleOperation.values())
            .collect(Collectors.toMap(each -> each, each -> each.name().toLowerCase(Locale.ROOT)));

    /**
     * What is counted together.
     *
     * @param transport UDP, TCP, HTTP or HTTPS
     * @param operation in lower case
     * @param code number of the response code
     */
    public record Row(String transport, String operation, int code) implements Comparable<Row> {
        @Override
        public int compareTo(Row other) {
            return toString().compareTo(other.toString());
        }
    }

    /**
     * What is counted together of requests over HTTP that are no messages.
     *
     * @param transport HTTP or HTTPS
     * @param status of HTTP
     */
    public record Page(String transport, int status) implements Comparable<Page> {
        @Override
        public int compareTo(Page other) {
            return toString().compareTo(other.toString());
        }
    }

    private final @Nullable AccessLog log;
    private final Map<Row, LongAdder> rows = new ConcurrentHashMap<>();
    private final Map<Page, LongAdder> pages = new ConcurrentHashMap<>();
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
    public void changed(HttpRequest request, Change change) {
        count(new Row(transport(request), change.operation().map(NAMES::get).orElse("unknown"), change.code().number()));
        log(request, change.operation().map(HandleOperation::number).orElse(0), change.code().number(), change.millis(),
                change.who().map(Object::toString).orElse(""), change.handle());
    }

    @Override
    public void page(HttpRequest request, int status, long nanos) {
        pages.computeIfAbsent(new Page(transport(request), status), _ -> new LongAdder()).increment();
        time(transport(request), nanos);
        if (!RestApi.isChange(request)) {
            log(request, -1, status, nanos / NANOS_IN_MILLI, "", request.target());
        }
    }

    @Override
    public void busy(HttpRequest request, int status) {
        pages.computeIfAbsent(new Page(transport(request), status), _ -> new LongAdder()).increment();
        log(request, -1, status, 0, "", request.target());
    }

    private static String transport(HttpRequest request) {
        return request.secure() ? "HTTPS" : "HTTP";
    }

    private void log(HttpRequest request, int operation, int code, long millis, String identity, String about) {
        if (log != null) {
            log.add(new AccessLogEntry(
                    AddressText.of(request.peer().getAddress()),
                    transport(request),
                    request.method(),
                    Instant.now(),
                    operation,
                    code,
                    millis,
                    identity,
                    about));
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
        count(new Row(transport, HandleOperation.of(operation).map(NAMES::get).orElse("unknown"), code));
        time(transport, nanos);
    }

    private void count(Row row) {
        // Most often it is there: what makes one that is not may lock others out.
        LongAdder known = rows.get(row);
        (known == null ? rows.computeIfAbsent(row, _ -> new LongAdder()) : known).increment();
    }

    private void time(String transport, long nanos) {
        int bucket = nanos <= 1 ? 0 : Long.SIZE - Long.numberOfLeadingZeros(nanos - 1);
        AtomicLongArray buckets = times.get(transport);
        (buckets == null ? times.computeIfAbsent(transport, _ -> new AtomicLongArray(BUCKETS)) : buckets)
                .incrementAndGet(Math.min(bucket, BUCKETS - 1));
    }

    /** Visits the counts in a fixed order. */
    public void rows(BiConsumer<Row, Long> visitor) {
        new TreeMap<>(rows).forEach((row, count) -> visitor.accept(row, count.sum()));
    }

    /** Visits the counts of requests over HTTP that are no messages, in a fixed order. */
    public void pages(BiConsumer<Page, Long> visitor) {
        new TreeMap<>(pages).forEach((page, count) -> visitor.accept(page, count.sum()));
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
