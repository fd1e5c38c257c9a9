package io.guidepost.handle.door;

import io.guidepost.base.Counters;
import io.guidepost.base.DatagramClassifier;
import io.guidepost.base.SourceNetwork;
import io.guidepost.base.TokenBuckets;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.handle.message.MessagePacketCount;
import io.guidepost.handle.message.MessageReassembly;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResolveRequestFlyweight;
import io.guidepost.handle.message.ResolveResponseWriter;
import io.guidepost.handle.message.ResponseBuilder;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.LocalResolver;
import io.guidepost.handle.operation.RecordTemplates;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.record.StoredHandleRecord;
import io.guidepost.handle.service.HandleRequestHandler;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/**
 * The Handle protocol over UDP on one worker.
 *
 * <p>Answers a request for public values directly out of the index: one copy of the stored form and a few patched
 * numbers, without allocation or lock. All other requests, and those that the index cannot decide, go to the
 * {@link HandleRequestHandler} on an executor and come back through {@link #next}. Both paths give the same response, byte
 * for byte.
 *
 * <pre>
 *  datagram -+- resolve -- homed? -- index --+- one packet --------------------------------&gt; response
 *            |        \        \        \     +- several --- rate limit --- Outgoing -- next -&gt; response
 *            +- fragment -- Reassembly   \                      ^
 *            |                 \          \                     |
 *            +- other ----------+----------+--- Calls --- service, on another thread
 *            +- response, or shorter than a header: dropped
 * </pre>
 *
 * <p>A response of several packets is queued until the worker can send it, and dropped if the rate limit of its source
 * network is exhausted: its source can be forged, and it is a hundred times as long as its request. Responses of one packet
 * are not limited. The rooms given must have {@link MessageFragmenter#BYTES_MAX} bytes.
 */
public final class HandleDoor implements Door {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Offsets of the envelope's flags for fragmentation and encryption, and of the header's response code. */
    private static final int MARKS = 2;

    private static final int SPLIT = 0x20;
    private static final int ENCRYPTED = 0x40;
    private static final int RESPONSE_CODE = 24;

    /** Bytes of the length before the handle, and of an empty text. */
    private static final int LENGTH_BYTES = 4;

    /** Bytes around a body. */
    private static final int BODY_OVERHEAD = ResolveResponseWriter.BODY + ResolveResponseWriter.END_BYTES;

    private static final MemorySegment EMPTY = text("");

    private final HandleDoorListener watch;
    private final RecordReader reader;
    private final RecordTemplates templates;
    private final ResponseBuilder answers;
    private final boolean recursion;
    private final boolean sharded;

    /** Flags of requests that the service answers: an authoritative response is not out of what may be old. */
    private final int further;

    private final HomedPrefixTable homes;
    private final FoldedHandle key;
    private final TokenBuckets bigAnswerBytes;
    private final PendingRequests calls;
    private final DatagramClassifier classifier = new HandleClassifier();
    private final ResolveRequestFlyweight question = new ResolveRequestFlyweight();
    private final FragmentQueue outgoing = new FragmentQueue();
    private final Counters<HandleCount> counts = new Counters<>(HandleCount.class);
    private final Counters<MessagePacketCount> packetCounts = new Counters<>(MessagePacketCount.class);
    private final MessageReassembly reassembly = new MessageReassembly(packetCounts);
    private final MemorySegment scratch =
            Arena.ofAuto().allocate(HandleLimits.MESSAGE_BYTES_MAX + ResolveResponseWriter.BODY, Long.BYTES);
    private final MemorySegment notHome;
    private long now;

    /**
     * Creates a door for one worker.
     *
     * @param settings of the server
     * @param door settings of UDP
     * @param records the store of the records
     * @param homed the prefixes that the server is responsible for
     * @param templates applied by the service where there is no record
     * @param service answers all but the commonest request
     * @param executor runs it, on threads that may block
     * @param wake called by those threads when {@link #next} has a response; must be cheap
     * @param secret an unpredictable number
     * @param watch listens to the requests that are answered directly
     */
    @SuppressWarnings("PMD.ExcessiveParameterList") // Each is another part of the server.
    public HandleDoor(
            HandleSettings settings,
            HandleDoorSettings door,
            HandleRecords records,
            HomedPrefixes homed,
            RecordTemplates templates,
            HandleRequestHandler service,
            Executor executor,
            Runnable wake,
            long secret,
            HandleDoorListener watch) {
        this.watch = watch;
        this.reader = records.store().reader();
        this.templates = templates;
        this.answers = new ResponseBuilder(settings.site().serial(), settings.site().primary());
        this.recursion = settings.recursion();
        this.sharded = settings.site().servers().size() > 1;
        this.further = ResolveResponseWriter.FURTHER | (records.store().isShared() ? OpFlag.AUTH.bit() : 0);
        this.homes = new HomedPrefixTable(homed);
        this.key = new FoldedHandle(records.caseSensitive());
        this.bigAnswerBytes = new TokenBuckets(door.bigAnswerBytesPerSecond(), secret);
        this.calls = new PendingRequests(service, executor, wake, door);
        this.notHome = text(LocalResolver.NOT_HOME);
    }

    private static MemorySegment text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment body = Arena.ofAuto().allocate(LENGTH_BYTES + bytes.length);
        body.set(INT, 0, bytes.length);
        MemorySegment.copy(bytes, 0, body, ValueLayout.JAVA_BYTE, LENGTH_BYTES, bytes.length);
        return body;
    }

    /** Returns the counters of this door; any thread may read them. */
    public Counters<HandleCount> counts() {
        return counts;
    }

    /** Returns the counters of reassembly; any thread may read them. */
    public Counters<MessagePacketCount> packetCounts() {
        return packetCounts;
    }

    @Override
    public void begin(long nowMillis) {
        now = nowMillis;
        reader.enter();
        homes.refresh();
        if (reassembly.size() > 0) {
            reassembly.sweep(nowMillis);
        }
    }

    @Override
    public void end() {
        reader.exit();
    }

    @Override
    public DatagramClassifier classifier() {
        return classifier;
    }

    @Override
    public long restNanos() {
        return outgoing.isEmpty() && !calls.ready() ? Long.MAX_VALUE : 0;
    }

    @Override
    public void take(Exchange exchange) {
        counts.add(HandleCount.BYTES_RECEIVED, exchange.requestLength());
        if (exchange.roomLength() < MessageFragmenter.BYTES_MAX) {
            counts.count(HandleCount.REQUESTS_OTHER);
            counts.count(HandleCount.DROPS_NO_ROOM);
            return;
        }
        switch (question.parse(exchange.request(), exchange.requestOffset(), exchange.requestLength())) {
            case RESOLVE -> resolve(exchange);
            case PART -> takePart(exchange);
            case OTHER -> takeOther(exchange);
        }
        counts.add(HandleCount.BYTES_SENT, exchange.responseLength());
    }

    private void takePart(Exchange exchange) {
        if ((marks(exchange) & SPLIT) == 0) {
            takeOther(exchange);
            return;
        }
        reassembly
                .take(
                        exchange.peerHigh(),
                        exchange.peerLow(),
                        exchange.peerPort(),
                        exchange.request(),
                        exchange.requestOffset(),
                        exchange.requestLength(),
                        now)
                .ifPresent(message -> {
                    counts.count(HandleCount.REQUESTS_FRAGMENTED);
                    call(exchange, message);
                });
    }

    private void takeOther(Exchange exchange) {
        counts.count(HandleCount.REQUESTS_OTHER);
        if (exchange.requestLength() < ResolveResponseWriter.BODY) {
            // An error would be longer, and the source can be forged.
            counts.count(HandleCount.DROPS_MALFORMED);
        } else if (isAnswer(exchange)) {
            counts.count(HandleCount.DROPS_RESPONSE);
        } else {
            call(exchange);
        }
    }

    private static int marks(Exchange exchange) {
        return exchange.request().get(ValueLayout.JAVA_BYTE, exchange.requestOffset() + MARKS);
    }

    private static boolean isAnswer(Exchange exchange) {
        return (marks(exchange) & ENCRYPTED) == 0
                && exchange.request().get(INT, exchange.requestOffset() + RESPONSE_CODE) != 0;
    }

    private void call(Exchange exchange) {
        byte[] message = new byte[exchange.requestLength()];
        MemorySegment.copy(
                exchange.request(),
                ValueLayout.JAVA_BYTE,
                exchange.requestOffset(),
                message,
                0,
                message.length);
        call(exchange, message);
    }

    private void call(Exchange exchange, byte[] message) {
        counts.count(
                switch (calls.submit(exchange, message)) {
                    case YES -> HandleCount.SERVICE_REQUESTS;
                    case REPEATED -> HandleCount.DROPS_REPEATED;
                    case TOO_MANY -> HandleCount.DROPS_PENDING_MAX;
                });
    }

    // The commonest request ------------------------------------------------------------------------------------------

    private void resolve(Exchange exchange) {
        counts.count(HandleCount.REQUESTS_RESOLVE);
        boolean plain = (question.flags() & further) == 0 && question.sessionId() == 0 && !sharded;
        if (!plain
                || !key.take(exchange.request(), question.handle(), question.handleLength())
                || key.isOfSite()) {
            call(exchange);
        } else if (homes.has(key.bytes(), 0, key.prefixLength())) {
            resolveHere(exchange);
        } else if (recursion && question.has(OpFlag.RECU) || !homes.isRead()) {
            call(exchange);
        } else {
            answer(exchange, ResponseCode.NOT_RESPONSIBLE, HandleCount.RESPONSES_INDEX_NOT_RESPONSIBLE, notHome);
        }
    }

    private void resolveHere(Exchange exchange) {
        switch (reader.find(Name.Namespace.HANDLE.code(), key.bytes(), 0, key.length())) {
            case YES -> resolveFound(exchange);
            case UNKNOWN -> call(exchange);
            case NO -> {
                if (key.isPrefixHandle() || !templates.isEmpty()) {
                    call(exchange);
                } else {
                    answer(exchange, ResponseCode.HANDLE_NOT_FOUND, HandleCount.RESPONSES_INDEX_HANDLE_NOT_FOUND, EMPTY);
                }
            }
        }
    }

    private void resolveFound(Exchange exchange) {
        MemorySegment in = reader.segment();
        long image = reader.offset();
        boolean known = (RecordImage.flags(in, image) & RecordImage.FORM) != 0;
        if (!known || !question.has(OpFlag.PUBL) && StoredHandleRecord.otherValues(in, image) > 0) {
            call(exchange);
            return;
        }
        int publicBytes = StoredHandleRecord.publicBytes(in, image);
        long publicPart = StoredHandleRecord.publicPart(in, image);
        int bodyMax = LENGTH_BYTES + question.handleLength() + publicBytes;
        if (bodyMax > HandleLimits.MESSAGE_BYTES_MAX - BODY_OVERHEAD) {
            call(exchange);
        } else if (question.wantsAll()) {
            answerAll(exchange, in, publicPart, publicBytes);
        } else {
            answerSelected(exchange, in, publicPart, publicBytes);
        }
    }

    private void answerAll(Exchange exchange, MemorySegment in, long publicPart, int publicBytes) {
        if (in.get(INT, publicPart) == 0) {
            answer(exchange, ResponseCode.VALUES_NOT_FOUND, HandleCount.RESPONSES_INDEX_VALUES_NOT_FOUND, EMPTY);
            return;
        }
        int handleEnd = LENGTH_BYTES + question.handleLength();
        int bodyLength = handleEnd + publicBytes;
        boolean one = bodyLength <= MessageFragmenter.BYTES_MAX - BODY_OVERHEAD;
        MemorySegment out = one ? exchange.room() : scratch;
        long at = one ? exchange.roomOffset() : 0;
        MemorySegment.copy(in, publicPart, out, at + ResolveResponseWriter.BODY + handleEnd, publicBytes);
        finish(exchange, bodyLength, out, at, one);
    }

    private void answerSelected(Exchange exchange, MemorySegment in, long publicPart, int publicBytes) {
        int handleEnd = LENGTH_BYTES + question.handleLength();
        int bytes = ValueFilter.copy(
                question, exchange.request(), in, publicPart, publicBytes, scratch, ResolveResponseWriter.BODY + handleEnd);
        if (bytes == ValueFilter.NOT_DONE) {
            call(exchange);
        } else if (scratch.get(INT, ResolveResponseWriter.BODY + handleEnd) == 0) {
            answer(exchange, ResponseCode.VALUES_NOT_FOUND, HandleCount.RESPONSES_INDEX_VALUES_NOT_FOUND, EMPTY);
        } else {
            finish(exchange, handleEnd + bytes, scratch, 0, false);
        }
    }

    /** Writes the parts of a response around its values, and sends it. */
    private void finish(Exchange exchange, int bodyLength, MemorySegment out, long at, boolean inRoom) {
        out.set(INT, at + ResolveResponseWriter.BODY, question.handleLength());
        MemorySegment.copy(
                exchange.request(),
                question.handle(),
                out,
                at + ResolveResponseWriter.BODY + LENGTH_BYTES,
                question.handleLength());
        int length = write(ResponseCode.SUCCESS, bodyLength, out, at);
        if (inRoom) {
            exchange.respond(length);
            counts.count(HandleCount.RESPONSES_INDEX_SUCCESS);
        } else if (send(exchange, out, length)) {
            counts.count(HandleCount.RESPONSES_INDEX_SUCCESS);
        }
        watch.resolved(exchange, question, ResponseCode.SUCCESS);
    }

    private int write(ResponseCode code, int bodyLength, MemorySegment out, long at) {
        return ResolveResponseWriter.write(answers, question, code, now / 1000, bodyLength, out, at);
    }

    private void answer(Exchange exchange, ResponseCode code, HandleCount count, MemorySegment body) {
        int bodyLength = (int) body.byteSize();
        MemorySegment.copy(
                body, 0, exchange.room(), exchange.roomOffset() + ResolveResponseWriter.BODY, bodyLength);
        exchange.respond(write(code, bodyLength, exchange.room(), exchange.roomOffset()));
        counts.count(count);
        watch.resolved(exchange, question, code);
    }

    /**
     * Sends a message to the exchange's peer: in its room if it fits, otherwise through the queue of fragments.
     *
     * @return false if it was dropped, which is counted
     */
    private boolean send(Exchange exchange, MemorySegment message, int length) {
        if (length <= MessageFragmenter.BYTES_MAX) {
            MemorySegment.copy(message, 0, exchange.room(), exchange.roomOffset(), length);
            exchange.respond(length);
            return true;
        }
        if (!bigAnswerBytes.tryTake(SourceNetwork.of(exchange.peerHigh(), exchange.peerLow()), length, now)) {
            counts.count(HandleCount.DROPS_RATE_LIMIT);
        } else if (outgoing.add(exchange, message, 0, length)) {
            counts.count(HandleCount.FRAGMENTED_RESPONSES);
            return true;
        } else {
            counts.count(HandleCount.DROPS_FRAGMENT_QUEUE_FULL);
        }
        return false;
    }

    // Deferred responses ---------------------------------------------------------------------------------------------

    @Override
    public boolean next(Exchange exchange) {
        if (exchange.roomLength() < MessageFragmenter.BYTES_MAX) {
            return false;
        }
        while (!outgoing.next(exchange)) {
            PendingRequests.Answer answer = calls.next();
            if (answer == null) {
                return false;
            }
            if (answer.failed()) {
                counts.count(HandleCount.DROPS_FAULT);
                continue;
            }
            if (answer.ends()) {
                counts.count(HandleCount.DROPS_AMPLIFICATION_MAX);
                continue;
            }
            answer.address(exchange);
            byte[] message = answer.message();
            if (send(exchange, MemorySegment.ofArray(message), message.length)) {
                counts.count(HandleCount.RESPONSES_SERVICE_ANY);
            }
            if (exchange.responseLength() > 0) {
                break;
            }
        }
        counts.add(HandleCount.BYTES_SENT, exchange.responseLength());
        return true;
    }
}
