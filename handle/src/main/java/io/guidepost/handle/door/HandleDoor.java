package io.guidepost.handle.door;

import io.guidepost.base.Counters;
import io.guidepost.handle.Limits;
import io.guidepost.handle.message.Answers;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.PacketCount;
import io.guidepost.handle.message.Packets;
import io.guidepost.handle.message.Reassembly;
import io.guidepost.handle.message.ResolveAnswer;
import io.guidepost.handle.message.ResolveFlyweight;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.Homes;
import io.guidepost.handle.record.Records;
import io.guidepost.handle.record.StoredRecord;
import io.guidepost.handle.service.HandleSettings;
import io.guidepost.handle.service.MessageService;
import io.guidepost.handle.service.Resolution;
import io.guidepost.handle.service.Templates;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.names.Name;
import io.guidepost.store.Image;
import io.guidepost.store.Reader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/**
 * The Handle protocol over UDP as one worker meets it.
 *
 * <p>A question for values that everybody may read is answered at once, out of the index: one copy of what the store holds
 * ready, and a few numbers, with nothing allocated and no lock. Everything else, and what the index does not know, goes to
 * the {@link MessageService} on an executor and comes back through {@link #next}. Both give the same answers, byte for
 * byte.
 *
 * <pre>
 *  datagram -+- question -- home? -- index --+- one packet ------------------------------&gt; answer
 *            |        \        \        \     +- several --- budget --- Outgoing --- next -&gt; answers
 *            +- part --- Reassembly      \                     ^
 *            |             \              \                    |
 *            +- other ------+--------------+--- Calls --- service, on another thread
 *            +- answer: dropped
 * </pre>
 *
 * <p>An answer of several packets waits until it can leave, and is dropped where its source's network was sent too much,
 * see {@link SourceBudget}. The rooms given must have {@link Packets#BYTES_MAX} bytes.
 */
public final class HandleDoor implements Door {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Where an envelope says that the message is split or encrypted, and where a header has its response code. */
    private static final int MARKS = 2;

    private static final int SPLIT = 0x20;
    private static final int ENCRYPTED = 0x40;
    private static final int RESPONSE_CODE = 24;

    /** Bytes of the body before the handle, and of an empty text. */
    private static final int LENGTH_BYTES = 4;

    /** Bytes around a body. */
    private static final int BODY_OVERHEAD = ResolveAnswer.BODY + ResolveAnswer.END_BYTES;

    private static final MemorySegment EMPTY = text("");

    private final DoorWatch watch;
    private final Reader reader;
    private final Templates templates;
    private final Answers answers;
    private final boolean recursion;
    private final boolean sharded;
    private final HomeTable homes;
    private final FoldedKey key;
    private final SourceBudget budget;
    private final Calls calls;
    private final ResolveFlyweight question = new ResolveFlyweight();
    private final Outgoing outgoing = new Outgoing();
    private final Counters<HandleCount> counts = new Counters<>(HandleCount.class);
    private final Counters<PacketCount> packetCounts = new Counters<>(PacketCount.class);
    private final Reassembly reassembly = new Reassembly(packetCounts);
    private final MemorySegment scratch =
            Arena.ofAuto().allocate(Limits.MESSAGE_BYTES_MAX + ResolveAnswer.BODY, Long.BYTES);
    private final MemorySegment notHome;
    private long now;

    /**
     * A door for one worker.
     *
     * @param settings what the server is
     * @param door how it behaves over UDP
     * @param records where the records are
     * @param homed says which prefixes are at home
     * @param templates asked, by the service, where there is no record
     * @param service answers all but the commonest question
     * @param executor runs it, on threads that may wait
     * @param wake called by those threads when {@link #next} has an answer; must be cheap
     * @param secret a number that nobody outside can guess
     * @param watch hears what is answered at once
     */
    @SuppressWarnings("PMD.ExcessiveParameterList") // Each is another part of the server.
    public HandleDoor(
            HandleSettings settings,
            DoorSettings door,
            Records records,
            Homes homed,
            Templates templates,
            MessageService service,
            Executor executor,
            Runnable wake,
            long secret,
            DoorWatch watch) {
        this.watch = watch;
        this.reader = records.store().reader();
        this.templates = templates;
        this.answers = new Answers(settings.site().serial(), settings.site().primary());
        this.recursion = settings.recursion();
        this.sharded = settings.site().servers().size() > 1;
        this.homes = new HomeTable(homed);
        this.key = new FoldedKey(records.caseSensitive());
        this.budget = new SourceBudget(door.bigAnswerBytesPerSecond(), secret);
        this.calls = new Calls(service, executor, wake, door);
        this.notHome = text(Resolution.NOT_HOME);
    }

    private static MemorySegment text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment body = Arena.ofAuto().allocate(LENGTH_BYTES + bytes.length);
        body.set(INT, 0, bytes.length);
        MemorySegment.copy(bytes, 0, body, ValueLayout.JAVA_BYTE, LENGTH_BYTES, bytes.length);
        return body;
    }

    /** What this door has counted; any thread may read. */
    public Counters<HandleCount> counts() {
        return counts;
    }

    /** What it has counted of messages in several packets; any thread may read. */
    public Counters<PacketCount> packetCounts() {
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
    public long restNanos() {
        return outgoing.isEmpty() && !calls.ready() ? Long.MAX_VALUE : 0;
    }

    @Override
    public void take(Exchange exchange) {
        counts.count(HandleCount.DATAGRAMS);
        counts.add(HandleCount.BYTES_IN, exchange.questionLength());
        if (exchange.roomLength() < Packets.BYTES_MAX) {
            counts.count(HandleCount.DROPPED_NO_ROOM);
            return;
        }
        switch (question.parse(exchange.question(), exchange.questionOffset(), exchange.questionLength())) {
            case RESOLVE -> resolve(exchange);
            case PART -> takePart(exchange);
            case OTHER -> takeOther(exchange);
        }
        counts.add(HandleCount.BYTES_OUT, exchange.answerLength());
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
                        exchange.question(),
                        exchange.questionOffset(),
                        exchange.questionLength(),
                        now)
                .ifPresent(message -> call(exchange, message));
    }

    private void takeOther(Exchange exchange) {
        if (isAnswer(exchange)) {
            counts.count(HandleCount.DROPPED_ANSWER);
        } else {
            call(exchange);
        }
    }

    private static int marks(Exchange exchange) {
        return exchange.question().get(ValueLayout.JAVA_BYTE, exchange.questionOffset() + MARKS);
    }

    private static boolean isAnswer(Exchange exchange) {
        return exchange.questionLength() >= RESPONSE_CODE + Integer.BYTES
                && (marks(exchange) & ENCRYPTED) == 0
                && exchange.question().get(INT, exchange.questionOffset() + RESPONSE_CODE) != 0;
    }

    private void call(Exchange exchange) {
        byte[] message = new byte[exchange.questionLength()];
        MemorySegment.copy(
                exchange.question(),
                ValueLayout.JAVA_BYTE,
                exchange.questionOffset(),
                message,
                0,
                message.length);
        call(exchange, message);
    }

    private void call(Exchange exchange, byte[] message) {
        counts.count(
                switch (calls.submit(exchange, message)) {
                    case YES -> HandleCount.CALLS;
                    case REPEATED -> HandleCount.DROPPED_REPEATED;
                    case TOO_MANY -> HandleCount.DROPPED_CALLS_MAX;
                });
    }

    // The commonest question -----------------------------------------------------------------------------------------

    private void resolve(Exchange exchange) {
        boolean plain = (question.flags() & ResolveAnswer.FURTHER) == 0 && question.sessionId() == 0 && !sharded;
        if (!plain
                || !key.take(exchange.question(), question.handle(), question.handleLength())
                || key.isOfSite()) {
            call(exchange);
        } else if (homes.has(key.bytes(), 0, key.prefixLength())) {
            resolveHere(exchange);
        } else if (recursion && question.has(OpFlag.RECU)) {
            call(exchange);
        } else {
            answer(exchange, ResponseCode.NOT_RESPONSIBLE, HandleCount.RESOLVED_ELSEWHERE, notHome);
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
                    answer(exchange, ResponseCode.HANDLE_NOT_FOUND, HandleCount.RESOLVED_NO_HANDLE, EMPTY);
                }
            }
        }
    }

    private void resolveFound(Exchange exchange) {
        MemorySegment in = reader.segment();
        long image = reader.offset();
        boolean known = (Image.flags(in, image) & Image.FORM) != 0;
        if (!known || !question.has(OpFlag.PUBL) && StoredRecord.otherValues(in, image) > 0) {
            call(exchange);
            return;
        }
        int publicBytes = StoredRecord.publicBytes(in, image);
        long publicPart = StoredRecord.publicPart(in, image);
        int bodyMax = LENGTH_BYTES + question.handleLength() + publicBytes;
        if (bodyMax > Limits.MESSAGE_BYTES_MAX - BODY_OVERHEAD) {
            call(exchange);
        } else if (question.wantsAll()) {
            answerAll(exchange, in, publicPart, publicBytes);
        } else {
            answerSome(exchange, in, publicPart, publicBytes);
        }
    }

    private void answerAll(Exchange exchange, MemorySegment in, long publicPart, int publicBytes) {
        if (in.get(INT, publicPart) == 0) {
            answer(exchange, ResponseCode.VALUES_NOT_FOUND, HandleCount.RESOLVED_NO_VALUES, EMPTY);
            return;
        }
        int handleEnd = LENGTH_BYTES + question.handleLength();
        int bodyLength = handleEnd + publicBytes;
        boolean one = bodyLength <= Packets.BYTES_MAX - BODY_OVERHEAD;
        MemorySegment out = one ? exchange.room() : scratch;
        long at = one ? exchange.roomOffset() : 0;
        MemorySegment.copy(in, publicPart, out, at + ResolveAnswer.BODY + handleEnd, publicBytes);
        finish(exchange, bodyLength, out, at, one);
    }

    private void answerSome(Exchange exchange, MemorySegment in, long publicPart, int publicBytes) {
        int handleEnd = LENGTH_BYTES + question.handleLength();
        int bytes = Selection.copy(
                question, exchange.question(), in, publicPart, publicBytes, scratch, ResolveAnswer.BODY + handleEnd);
        if (bytes == Selection.NOT_DONE) {
            call(exchange);
        } else if (scratch.get(INT, ResolveAnswer.BODY + handleEnd) == 0) {
            answer(exchange, ResponseCode.VALUES_NOT_FOUND, HandleCount.RESOLVED_NO_VALUES, EMPTY);
        } else {
            finish(exchange, handleEnd + bytes, scratch, 0, false);
        }
    }

    /** Writes what stands around the values of an answer, and sends it. */
    private void finish(Exchange exchange, int bodyLength, MemorySegment out, long at, boolean inRoom) {
        out.set(INT, at + ResolveAnswer.BODY, question.handleLength());
        MemorySegment.copy(
                exchange.question(),
                question.handle(),
                out,
                at + ResolveAnswer.BODY + LENGTH_BYTES,
                question.handleLength());
        int length = write(ResponseCode.SUCCESS, bodyLength, out, at);
        if (inRoom) {
            exchange.answer(length);
        } else {
            send(exchange, out, length);
        }
        counts.count(HandleCount.RESOLVED_FOUND);
        watch.resolved(exchange, question, ResponseCode.SUCCESS);
    }

    private int write(ResponseCode code, int bodyLength, MemorySegment out, long at) {
        return ResolveAnswer.write(answers, question, code, now / 1000, bodyLength, out, at);
    }

    private void answer(Exchange exchange, ResponseCode code, HandleCount count, MemorySegment body) {
        int bodyLength = (int) body.byteSize();
        MemorySegment.copy(
                body, 0, exchange.room(), exchange.roomOffset() + ResolveAnswer.BODY, bodyLength);
        exchange.answer(write(code, bodyLength, exchange.room(), exchange.roomOffset()));
        counts.count(count);
        watch.resolved(exchange, question, code);
    }

    /** Sends a message to the exchange's peer: in its room if that is enough, else by and by. */
    private void send(Exchange exchange, MemorySegment message, int length) {
        if (length <= Packets.BYTES_MAX) {
            MemorySegment.copy(message, 0, exchange.room(), exchange.roomOffset(), length);
            exchange.answer(length);
        } else if (!budget.take(exchange.peerHigh(), exchange.peerLow(), length, now)) {
            counts.count(HandleCount.DROPPED_BUDGET);
        } else if (outgoing.add(exchange, message, 0, length)) {
            counts.count(HandleCount.ANSWERS_SPLIT);
        } else {
            counts.count(HandleCount.DROPPED_OUTGOING_MAX);
        }
    }

    // What was deferred ----------------------------------------------------------------------------------------------

    @Override
    public boolean next(Exchange exchange) {
        if (exchange.roomLength() < Packets.BYTES_MAX) {
            return false;
        }
        while (!outgoing.next(exchange)) {
            Calls.Answer answer = calls.next();
            if (answer == null) {
                return false;
            }
            if (answer.failed()) {
                counts.count(HandleCount.FAILED);
                continue;
            }
            counts.count(HandleCount.CALLS_ANSWERED);
            answer.address(exchange);
            byte[] message = answer.message();
            send(exchange, MemorySegment.ofArray(message), message.length);
            if (exchange.answerLength() > 0) {
                break;
            }
        }
        counts.add(HandleCount.BYTES_OUT, exchange.answerLength());
        return true;
    }
}
