package io.guidepost.scaffold.resume;

import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, as far as they have gone through a gateway: whether the request may be repeated at another
 * instance, where its response ends, and whether the rest of it can be asked for alone. Not thread-safe.
 *
 * <p>Repeated are GET and HEAD without a body (RFC 9110 section 9.2.2 calls more methods idempotent, but only these are safe),
 * and others if the owner says so; one at a time: not what is pipelined behind them, and nothing that upgrades the connection.
 */
public final class HttpExchange {
    /** Bytes of a request that are kept; a flow with a longer one is not repeatable. */
    public static final int REQUEST_BYTES_MAX = 64 << 10;

    /** Bytes that a range and what was delivered have in common where no strong entity tag says that they are of one thing. */
    public static final int OVERLAP_BYTES = 4 << 10;

    private static final List<String> BODY_FIELDS =
            List.of("content-length", "transfer-encoding", "content-encoding", "content-type");
    private static final byte[] GET = "GET ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEAD = "HEAD ".getBytes(StandardCharsets.US_ASCII);
    private static final String FORM_1_1 = " HTTP/1.1";
    private static final String FORM_1_0 = " HTTP/1.0";
    private static final byte[] NOTHING = {};
    private static final int OK = 200;
    private static final int PARTIAL = 206;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    /** What may be done when the instance is gone. */
    public enum Resumption {
        /** The request has not come as a whole: as far as it came, it can be sent again. */
        WAITING,
        /** The request can be sent again; what was delivered is compared. */
        REPEAT,
        /** The rest can be asked for by range. */
        RANGE,
        /** Nothing: the flow is to be reset. */
        NONE
    }

    private final boolean everyMethod;
    private final KeptBytes room;
    private byte[] request = NOTHING;
    private byte[] start = NOTHING;
    private @Nullable HttpHead asked;
    private @Nullable HttpHead answered;
    private String refusal = "";
    private long end = -1;

    /** Bytes of the request for which room is taken. */
    private int counted;

    /**
     * Creates an exchange that has not begun.
     *
     * @param everyMethod whether the owner of the object says that all its requests may be repeated, with their bodies
     * @param room what the bytes of the request are taken of
     */
    public HttpExchange(boolean everyMethod, KeptBytes room) {
        this.everyMethod = everyMethod;
        this.room = room;
    }

    /** Creates an exchange of one connection that has not begun. */
    public HttpExchange() {
        this(false, KeptBytes.unbounded());
    }

    /** Takes bytes of the request, in order. */
    public void request(byte[] bytes) {
        if (!refusal.isEmpty()) {
            return;
        }
        if (request.length + bytes.length > REQUEST_BYTES_MAX) {
            refuse("the request is longer than 64 KiB");
            return;
        }
        if (!room.take(bytes.length)) {
            refuse("the requests of all connections together are longer than what the gateway keeps");
            return;
        }
        counted += bytes.length;
        request = joined(request, bytes);
        if (!everyMethod && !begins(GET) && !begins(HEAD)) {
            refuse("only GET and HEAD are repeated");
            return;
        }
        try {
            HttpHead head = asked == null ? HttpHead.read(request, request.length) : asked;
            if (head != null) {
                checkRequest(head);
                asked = head;
                end = endOfResponse();
            }
        } catch (Malformed e) {
            refuse(e.reason());
        }
    }

    private void checkRequest(HttpHead head) throws Malformed {
        String line = head.line();
        if (!line.endsWith(FORM_1_1) && !line.endsWith(FORM_1_0)) {
            throw new Malformed("the first line does not end in HTTP/1.1", 0);
        }
        long body = head.has("content-length") ? head.number("content-length") : 0;
        if (head.has("transfer-encoding") || body != 0 && !everyMethod || body < 0 || body > REQUEST_BYTES_MAX) {
            throw new Malformed("the request has a body", 0);
        }
        if (head.has("upgrade") || head.has("expect")) {
            throw new Malformed("the request wants more than a response", 0);
        }
        if (request.length > head.bytes() + body) {
            throw new Malformed("another request follows before the response has ended", 0);
        }
    }

    /** Returns whether the request is one of a method, as far as it has come: what it is must be known before it is repeated. */
    private boolean begins(byte[] method) {
        int known = Math.min(method.length, request.length);
        return Arrays.equals(method, 0, known, request, 0, known);
    }

    /** Has the request not be repeated. */
    public void refuse(String why) {
        refusal = why;
        request = NOTHING;
        end = -1;
        forget();
    }

    /** Gives back the room of the request: the flow is over, or has another exchange. */
    public void forget() {
        room.free(counted);
        counted = 0;
    }

    /** Takes bytes of the response from its first one on, in order; those behind its head may be left out. */
    public void response(byte[] bytes) {
        if (answered != null || !refusal.isEmpty()) {
            return;
        }
        start = joined(start, bytes);
        try {
            answered = HttpHead.read(start, start.length);
            if (answered != null) {
                start = NOTHING;
                if (status(answered) < OK) {
                    throw new Malformed("an interim response came", 0);
                }
                end = endOfResponse();
            }
        } catch (Malformed e) {
            refuse(e.reason());
        }
    }

    private static int status(HttpHead head) throws Malformed {
        String line = head.line();
        if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
            throw new Malformed("the response has no status line", 0);
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    /** Returns whether the head of the response has come. */
    public boolean hasAnswer() {
        return answered != null;
    }

    /** Returns the bytes of the response's head; 0 if it has not come as a whole. */
    public int headBytes() {
        HttpHead head = answered;
        return head == null ? 0 : head.bytes();
    }

    /**
     * Reads the head of another instance's response to the same request. It may have another date and other words; what says
     * how the body is to be read must be the same.
     *
     * @return its bytes; 0 if it has not come as a whole
     * @throws Malformed if the body is of another kind
     */
    public int repeatedHead(byte[] bytes) throws Malformed {
        HttpHead before = answered;
        HttpHead now = HttpHead.read(bytes, bytes.length);
        if (before == null || now == null) {
            return 0;
        }
        if (status(before) != status(now)) {
            throw new Malformed("the status is " + status(now) + " and was " + status(before), 0);
        }
        for (String each : BODY_FIELDS) {
            if (before.has(each) != now.has(each) || !Objects.equals(before.only(each), now.only(each))) {
                throw new Malformed("the field " + each + " is another", 0);
            }
        }
        return now.bytes();
    }

    /** Returns whether the response has an entity tag that says which bytes it is of. */
    public boolean hasStrongTag() {
        HttpHead head = answered;
        return head != null && head.strongTag() != null;
    }

    /** Returns why the request is not repeated; empty if it is. */
    public String refusal() {
        return refusal;
    }

    /** Returns the bytes of the request, as far as it came. */
    public byte[] request() {
        return request.clone();
    }

    /**
     * Returns where the response ends, in bytes from its first; -1 where it has not said so: it has not come so far, is in
     * chunks, or ends with the connection.
     */
    public long end() {
        return end;
    }

    private long endOfResponse() {
        HttpHead head = answered;
        if (head == null || asked == null || !refusal.isEmpty()) {
            return -1;
        }
        try {
            int status = status(head);
            if (asked.line().startsWith("HEAD ") || status == NO_CONTENT || status == NOT_MODIFIED) {
                return head.bytes();
            }
        } catch (Malformed e) {
            return -1;
        }
        long length = head.has("transfer-encoding") ? -1 : head.number("content-length");
        return length < 0 ? -1 : head.bytes() + length;
    }

    /**
     * Returns what can be done when the instance is gone.
     *
     * @param delivered bytes of the response that have gone to the client
     */
    public Resumption resumption(long delivered) {
        if (!refusal.isEmpty()) {
            return Resumption.NONE;
        }
        if (asked == null) {
            return delivered == 0 ? Resumption.WAITING : Resumption.NONE;
        }
        return canRange(delivered) ? Resumption.RANGE : Resumption.REPEAT;
    }

    private boolean canRange(long delivered) {
        HttpHead head = answered;
        HttpHead question = asked;
        if (head == null
                || question == null
                || end() < 0
                || delivered - head.bytes() < OVERLAP_BYTES
                || delivered >= end()
                || !question.line().startsWith("GET ")
                || question.has("range")
                || question.has("if-range")
                || head.has("content-encoding") && head.strongTag() == null) {
            return false;
        }
        return head.line().startsWith(" 200", 8) && "bytes".equals(head.only("accept-ranges"));
    }

    /** Returns the first byte of the body that a range asks for: an overlap is before what was delivered. */
    private long from(long delivered, HttpHead head) {
        return delivered - head.bytes() - (head.strongTag() == null ? OVERLAP_BYTES : 0);
    }

    /** Returns the request for the rest; {@link #resumption} was {@link Resumption#RANGE}. */
    public byte[] rangeRequest(long delivered) {
        HttpHead head = answered;
        if (head == null || !canRange(delivered)) {
            throw new IllegalStateException("the rest cannot be asked for by range");
        }
        String tag = head.strongTag();
        String lines = "Range: bytes=" + from(delivered, head) + "-\r\n" + (tag == null ? "" : "If-Range: " + tag + "\r\n") + "\r\n";
        return joined(Arrays.copyOf(request, request.length - 2), lines.getBytes(StandardCharsets.ISO_8859_1));
    }

    /**
     * What is to be done with the response to {@link #rangeRequest}.
     *
     * @param skip bytes of it that are not for the client: its head, and the overlap
     * @param compare how many of these, the last ones, must equal the last ones that were delivered
     */
    public record Rest(int skip, int compare) {}

    /**
     * Reads the response to {@link #rangeRequest} from its first byte on.
     *
     * @return null if its head has not come as a whole
     * @throws Malformed if it is not the rest of what was delivered: the request is to be repeated, or the flow reset
     */
    public @Nullable Rest rest(byte[] bytes, long delivered) throws Malformed {
        HttpHead head = answered;
        if (head == null) {
            throw new Malformed("there was no response", 0);
        }
        HttpHead now = HttpHead.read(bytes, bytes.length);
        return now == null ? null : rest(head, now, delivered);
    }

    private Rest rest(HttpHead before, HttpHead now, long delivered) throws Malformed {
        long length = before.number("content-length");
        long from = from(delivered, before);
        String tag = before.strongTag();
        if (status(now) != PARTIAL) {
            throw new Malformed("the status is " + status(now) + " and not 206", 0);
        }
        if (!("bytes " + from + "-" + (length - 1) + "/" + length).equals(now.only("content-range"))) {
            throw new Malformed("the range is '" + now.only("content-range") + "'", 0);
        }
        if (now.has("transfer-encoding") || now.number("content-length") != length - from) {
            throw new Malformed("the length is not that of the range", 0);
        }
        if (tag != null && !tag.equals(now.only("etag"))) {
            throw new Malformed("the entity tag is another", 0);
        }
        if (!Objects.equals(before.only("content-encoding"), now.only("content-encoding"))) {
            throw new Malformed("the encoding is another", 0);
        }
        int overlap = (int) (delivered - before.bytes() - from);
        return new Rest(now.bytes() + overlap, overlap);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
