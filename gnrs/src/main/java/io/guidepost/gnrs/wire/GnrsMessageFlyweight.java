package io.guidepost.gnrs.wire;

import io.guidepost.base.Memory;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A flyweight that reads one message in place: {@link #parse} makes one pass over it, front to back, and records where
 * its parts are. Allocates nothing. The accessors are valid after a parse that returned {@link GnrsParseResult#OK}, while the
 * bytes are there; positions are positions in the segment. Not thread-safe.
 */
public final class GnrsMessageFlyweight {
    /** All bits that a position in a message may have; masked, it is positive for the compiler too. */
    private static final int PLACE_BITS = 0x1_ffff;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private int type;
    private int id;
    private int originType;
    private int originLength;
    private int bindings;
    private int code;

    // Positions below are counted from the first byte of the message.
    private int payload;
    private int addresses;
    private int options;
    private int ttls;
    private int expiries;
    private int fault;

    private boolean recursive;
    private boolean accepts;
    private int acceptBytes;
    private long seenLow;
    private long seenHigh;

    /**
     * Parses the message at a position.
     *
     * @param in holds the message
     * @param at the position of the message
     * @param available bytes that are there, those of further messages included
     * @return {@link GnrsParseResult#OK}, or the first fault, whose offset is then {@link #fault}
     */
    public GnrsParseResult parse(MemorySegment in, long at, int available) {
        segment = in;
        offset = at;
        if (available < GnrsWire.HEADER_BYTES) {
            return fault(GnrsParseResult.HEADER_CUT, available);
        }
        long head = in.get(GnrsWire.LONG, at);
        if (head >>> 56 != 0) {
            return fault(GnrsParseResult.VERSION, 0);
        }
        type = (int) (head >>> 48);
        length = (int) (head >>> 32) & 0xffff;
        id = (int) head;
        if (length > available) {
            return fault(GnrsParseResult.LENGTH_BEYOND, GnrsWire.LENGTH);
        }
        if (length < GnrsWire.HEADER_BYTES) {
            return fault(GnrsParseResult.LENGTH_SHORT, GnrsWire.LENGTH);
        }
        return parseOrigin(in.get(GnrsWire.LONG, at + GnrsWire.OPTIONS_OFFSET));
    }

    private GnrsParseResult parseOrigin(long offsets) {
        options = (int) (offsets >>> 48);
        int payloadOffset = (int) (offsets >>> 32) & 0xffff;
        originType = (int) (offsets >>> 16) & 0xffff;
        originLength = (int) offsets & 0xffff;
        int originMax = Locator.bytesMax(originType);
        if (originMax < 0) {
            return fault(GnrsParseResult.ORIGIN_TYPE, GnrsWire.ORIGIN_TYPE);
        }
        payload = GnrsWire.ORIGIN + originLength;
        if (originLength > originMax || payload > length) {
            return fault(GnrsParseResult.ORIGIN_LENGTH, GnrsWire.ORIGIN_LENGTH);
        }
        if (payloadOffset != 0 && payloadOffset != payload) {
            return fault(GnrsParseResult.PAYLOAD_OFFSET, GnrsWire.PAYLOAD_OFFSET);
        }
        return parsePayload();
    }

    private GnrsParseResult parsePayload() {
        bindings = 0;
        code = 0;
        return switch (type) {
            case GnrsWire.LOOKUP -> parseOptions(payload + 20);
            case GnrsWire.INSERT, GnrsWire.UPDATE -> parseBindings(payload + 20);
            case GnrsWire.INSERT_RESPONSE, GnrsWire.UPDATE_RESPONSE -> parseCode(payload + GnrsWire.CODE_BYTES);
            case GnrsWire.LOOKUP_RESPONSE -> parseCode(payload + GnrsWire.CODE_BYTES);
            default -> fault(GnrsParseResult.TYPE, GnrsWire.TYPE);
        };
    }

    private GnrsParseResult parseCode(int end) {
        if (end > length) {
            return fault(GnrsParseResult.PAYLOAD_CUT, length);
        }
        code = Short.toUnsignedInt(segment.get(GnrsWire.SHORT, offset + payload));
        return type == GnrsWire.LOOKUP_RESPONSE ? parseBindings(end) : parseOptions(end);
    }

    private GnrsParseResult parseBindings(int at) {
        if (at + 4 > length) {
            return fault(GnrsParseResult.PAYLOAD_CUT, length);
        }
        int count = segment.get(GnrsWire.INT, offset + at);
        addresses = at + 4;
        if (count < 0 || count > (length - addresses) / GnrsWire.ADDRESS_HEADER_BYTES) {
            return fault(GnrsParseResult.BINDING_COUNT, at);
        }
        bindings = count;
        int next = addresses;
        for (int i = 0; i < count; i++) {
            if (next + GnrsWire.ADDRESS_HEADER_BYTES > length) {
                return fault(GnrsParseResult.ADDRESS_CUT, next);
            }
            int header = segment.get(GnrsWire.INT, offset + next);
            int bytes = header & 0xffff;
            GnrsParseResult reason = checkAddress(header >>> 16, bytes);
            if (reason != GnrsParseResult.OK) {
                return fault(reason, next);
            }
            next += GnrsWire.ADDRESS_HEADER_BYTES + bytes;
            if (next > length) {
                return fault(GnrsParseResult.ADDRESS_CUT, next - bytes);
            }
        }
        return parseOptions(next);
    }

    /**
     * Checks an address. Old servers take values shorter than their type has and return them unchanged; new types are
     * exact.
     */
    private static GnrsParseResult checkAddress(int type, int bytes) {
        int bytesMax = Locator.bytesMax(type);
        if (bytesMax < 0) {
            return GnrsParseResult.ADDRESS_TYPE;
        }
        boolean fixed = type == Locator.Type.IPV6_UDP.code();
        return bytes > bytesMax || fixed && bytes != bytesMax ? GnrsParseResult.ADDRESS_LENGTH : GnrsParseResult.OK;
    }

    private GnrsParseResult parseOptions(int end) {
        recursive = false;
        accepts = false;
        acceptBytes = 0;
        ttls = 0;
        expiries = 0;
        if (end > length) {
            return fault(GnrsParseResult.PAYLOAD_CUT, length);
        }
        if (options == 0) {
            return end == length ? GnrsParseResult.OK : fault(GnrsParseResult.PAYLOAD_TRAILING, end);
        }
        return options == end ? parseOptionList(end) : fault(GnrsParseResult.OPTIONS_OFFSET, GnrsWire.OPTIONS_OFFSET);
    }

    private GnrsParseResult parseOptionList(int from) {
        seenLow = 0;
        seenHigh = 0;
        int at = from;
        boolean last = false;
        while (at < length) {
            if (last) {
                return fault(GnrsParseResult.OPTIONS_TRAILING, at);
            }
            if (at + GnrsWire.OPTION_HEADER_BYTES > length) {
                return fault(GnrsParseResult.OPTION_CUT, at);
            }
            int header = Short.toUnsignedInt(segment.get(GnrsWire.SHORT, offset + at));
            int value = at + GnrsWire.OPTION_HEADER_BYTES;
            int bytes = header & 0xff;
            if (value + bytes > length) {
                return fault(GnrsParseResult.OPTION_CUT, at);
            }
            GnrsParseResult reason = parseOption(header >>> 8 & 0x7f, value, bytes);
            if (reason != GnrsParseResult.OK) {
                return fault(reason, at);
            }
            last = (header >>> 8 & GnrsWire.OPTION_LAST) != 0;
            at = value + bytes;
        }
        return GnrsParseResult.OK;
    }

    private GnrsParseResult parseOption(int code, int value, int bytes) {
        @Nullable GnrsOptionType known = GnrsOptionType.ofCode(code);
        if (known != GnrsOptionType.PADDING && seenBefore(code)) {
            return GnrsParseResult.OPTION_REPEATED;
        }
        if (known == null) {
            return GnrsParseResult.OK;
        }
        if (!known.takes(bytes, bindings)) {
            return GnrsParseResult.OPTION_LENGTH;
        }
        switch (known) {
            case RECURSION -> recursive = segment.get(GnrsWire.SHORT, offset + value) != 0;
            case TTL -> ttls = value;
            case EXPIRATION -> expiries = value;
            case ACCEPT -> {
                accepts = true;
                acceptBytes = bytes == 2 ? Short.toUnsignedInt(segment.get(GnrsWire.SHORT, offset + value)) : 0;
            }
            case PADDING -> {
                // The bytes carry no meaning; only their presence counts.
            }
            case PARTIAL, COPIES, REASON -> {
                // Serve the object form of messages.
            }
        }
        return GnrsParseResult.OK;
    }

    private boolean seenBefore(int code) {
        long bit = 1L << code;
        long seen = code < 64 ? seenLow : seenHigh;
        if (code < 64) {
            seenLow |= bit;
        } else {
            seenHigh |= bit;
        }
        return (seen & bit) != 0;
    }

    private GnrsParseResult fault(GnrsParseResult reason, int at) {
        fault = at;
        return reason;
    }

    /** Returns the offset of the fault of the last parse from the first byte of the message. */
    public int fault() {
        return fault;
    }

    /** Returns the segment that holds the message. */
    public MemorySegment segment() {
        return Memory.known(segment);
    }

    /** Returns the position of its first byte. */
    public long offset() {
        return offset & Memory.MASK;
    }

    /** Returns the message's bytes, by its length field. */
    public int length() {
        return length;
    }

    /** Returns the type, one of those of {@link GnrsWire}. */
    public int type() {
        return type;
    }

    /** Returns whether the message is a response. */
    public boolean response() {
        return (type & GnrsWire.RESPONSE_BIT) != 0;
    }

    /** Returns the request id. */
    public int id() {
        return id;
    }

    /** Returns the address type of the origin, one of {@link Locator.Type}. */
    public int originType() {
        return originType;
    }

    /** Returns the bytes of the origin. */
    public int originLength() {
        return originLength;
    }

    /** Returns the position of the origin. */
    public long origin() {
        return offset() + GnrsWire.ORIGIN;
    }

    /** Returns the position of the 20 bytes of the GUID; requests only. */
    public long guid() {
        return offset() + (payload & PLACE_BITS);
    }

    /** Returns the code of a response, 0 = SUCCESS; requests: 0. */
    public int code() {
        return code;
    }

    /** Returns the number of bindings. */
    public int bindings() {
        return bindings;
    }

    /** Returns the position of the first bound address. */
    public long addresses() {
        return offset + addresses;
    }

    /** Returns the position of the TTLs, one long for each binding; 0 = there are none. */
    public long ttls() {
        return ttls == 0 ? 0 : offset + ttls;
    }

    /** Returns the position of the expiries, one long for each binding; 0 = there are none. */
    public long expiries() {
        return expiries == 0 ? 0 : offset + expiries;
    }

    /** Returns whether the client wants links followed. */
    public boolean recursive() {
        return recursive;
    }

    /**
     * Returns whether the client reads address types that V1.0 does not have: it says so, or its own address is of such
     * a type.
     */
    public boolean accepts() {
        return accepts || originType >= Locator.Type.IPV6_UDP.code();
    }

    /** Returns the longest answer in bytes that the client announces; 0 = none announced. */
    public int acceptBytes() {
        return acceptBytes;
    }

    /** Returns the position of the first option; the end of the message if there is none. */
    long options() {
        return offset + (options == 0 ? length : options);
    }
}
