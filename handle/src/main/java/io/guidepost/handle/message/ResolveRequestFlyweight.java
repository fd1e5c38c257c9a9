package io.guidepost.handle.message;

import io.guidepost.handle.HandleLimits;
import java.lang.foreign.MemorySegment;

/**
 * Parses the commonest request in place: {@link #parse} reads it once, front to back, and remembers the positions of
 * its parts. Allocates nothing. The accessors are valid after a parse that returned {@link Verdict#RESOLVE}, as long as
 * the bytes are there; positions are positions in the segment. Not thread-safe.
 */
public final class ResolveRequestFlyweight {
    /** The kind of the parsed bytes. */
    public enum Verdict {
        /** A request for the values of a handle, whole, in clear and without a credential. */
        RESOLVE,
        /** Another message, complete or not, which {@link HandleMessage#read} reads or refuses. */
        OTHER,
        /** A fragment, or the beginning of a message whose rest has not arrived. */
        PART
    }

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int versions;
    private int sessionId;
    private int requestId;
    private int flags;
    private int recursionCount;
    private int handleLength;
    private int indexCount;
    private int typeCount;

    // Positions below are counted from the first byte of the message.
    private int indexes;
    private int types;
    private int bodyEnd;

    /**
     * Reads the message at a position.
     *
     * @param in the segment that holds it
     * @param at offset in it
     * @param available bytes in the segment from there
     */
    public Verdict parse(MemorySegment in, long at, int available) {
        if (available < HandleWire.ENVELOPE_BYTES) {
            return Verdict.OTHER;
        }
        segment = in;
        offset = at;
        versions = in.get(HandleWire.INT, at);
        int marks = versions >>> 8;
        int length = in.get(HandleWire.INT, at + HandleWire.LENGTH);
        if (length > available - HandleWire.ENVELOPE_BYTES) {
            return length <= HandleLimits.MESSAGE_BYTES_MAX ? Verdict.PART : Verdict.OTHER;
        }
        boolean whole = length == available - HandleWire.ENVELOPE_BYTES && length >= HandleWire.HEADER_BYTES;
        if (!whole || (marks & (HandleWire.COMPRESSED | HandleWire.ENCRYPTED)) != 0) {
            return Verdict.OTHER;
        }
        sessionId = in.get(HandleWire.INT, at + HandleWire.SESSION);
        requestId = in.get(HandleWire.INT, at + HandleWire.REQUEST);
        return parseHeader(available) ? Verdict.RESOLVE : Verdict.OTHER;
    }

    private boolean parseHeader(int end) {
        // Operation and response code in one comparison: 1 and 0.
        if (segment.get(HandleWire.LONG, offset + HandleWire.OPCODE) != 1L << 32) {
            return false;
        }
        flags = segment.get(HandleWire.INT, offset + HandleWire.OP_FLAGS);
        recursionCount = segment.get(HandleWire.BYTE, offset + HandleWire.RECURSION) & 0xff;
        int bodyLength = segment.get(HandleWire.INT, offset + HandleWire.BODY_LENGTH);
        if (bodyLength < 0 || bodyLength > end - HandleWire.BODY) {
            return false;
        }
        bodyEnd = HandleWire.BODY + bodyLength;
        boolean noCredential = bodyEnd == end || bodyEnd + 4 == end && segment.get(HandleWire.INT, offset + bodyEnd) == 0;
        return noCredential && parseHandle();
    }

    private boolean parseHandle() {
        if (bodyEnd - HandleWire.BODY < 4) {
            return false;
        }
        handleLength = segment.get(HandleWire.INT, offset + HandleWire.BODY);
        int at = HandleWire.BODY + 4;
        if (handleLength < 0 || handleLength > Math.min(bodyEnd - at, HandleLimits.HANDLE_BYTES_MAX)) {
            return false;
        }
        at += handleLength;
        if (bodyEnd - at < 4) {
            return false;
        }
        indexCount = segment.get(HandleWire.INT, offset + at);
        indexes = at + 4;
        if (indexCount < 0 || indexCount > Math.min((bodyEnd - indexes) / 4, HandleLimits.WANTED_MAX)) {
            return false;
        }
        return parseTypes(indexes + 4 * indexCount);
    }

    private boolean parseTypes(int from) {
        if (bodyEnd - from < 4) {
            return false;
        }
        typeCount = segment.get(HandleWire.INT, offset + from);
        types = from + 4;
        if (typeCount < 0 || typeCount > Math.min((bodyEnd - types) / 4, HandleLimits.WANTED_MAX)) {
            return false;
        }
        int at = types;
        for (int i = 0; i < typeCount; i++) {
            if (bodyEnd - at < 4) {
                return false;
            }
            int bytes = segment.get(HandleWire.INT, offset + at);
            at += 4;
            if (bytes < 0 || bytes > Math.min(bodyEnd - at, HandleLimits.TYPE_BYTES_MAX)) {
                return false;
            }
            at += bytes;
        }
        return true;
    }

    /** Returns whether a flag is set. */
    public boolean has(OpFlag flag) {
        return flag.in(flags);
    }

    /** Returns the flags, see {@link OpFlag}. */
    public int flags() {
        return flags;
    }

    /** Returns the first four bytes of the envelope: version, flags, suggested version. */
    public int versions() {
        return versions;
    }

    /** Returns the session, 0 = none. */
    public int sessionId() {
        return sessionId;
    }

    /** Returns the request id. */
    public int requestId() {
        return requestId;
    }

    /** Returns the number of servers that the request went through, 0 to 255. */
    public int recursionCount() {
        return recursionCount;
    }

    /** Returns the position of the handle. */
    public long handle() {
        return offset + HandleWire.BODY + 4;
    }

    /** Returns the length of the handle in bytes. */
    public int handleLength() {
        return handleLength;
    }

    /** Returns whether the client wants all values: there are neither indexes nor types. */
    public boolean wantsAll() {
        return (indexCount | typeCount) == 0;
    }

    /** Returns the number of indexes. */
    public int indexCount() {
        return indexCount;
    }

    /** Returns one of the indexes. */
    public int index(int number) {
        return segment.get(HandleWire.INT, offset + indexes + 4L * number);
    }

    /** Returns the number of types. */
    public int typeCount() {
        return typeCount;
    }

    /** Returns the position of the types, each behind its length in 32 bits. */
    public long types() {
        return offset + types;
    }
}
