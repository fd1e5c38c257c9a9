package io.guidepost.gnrs;

import io.guidepost.names.Exchange;
import io.guidepost.names.Locator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads one message in place: {@link #parse} goes over it once, front to back, and remembers where its parts are.
 * Allocates nothing. The accessors may be called after a parse that said {@link Reason#OK}, while the bytes are there;
 * positions are positions in the segment. Not thread-safe.
 */
public final class MessageFlyweight {
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
    private int addressesEnd;
    private int options;
    private int ttls;
    private int expiries;
    private int fault;

    private boolean recursive;
    private boolean accepts;
    private int acceptBytes;
    private int partial;
    private long seenLow;
    private long seenHigh;

    /**
     * Reads the message at a position.
     *
     * @param in where it is
     * @param at where in it
     * @param available bytes that are there, those of further messages included
     * @return {@link Reason#OK}, or the first fault, whose place is then {@link #fault}
     */
    public Reason parse(MemorySegment in, long at, int available) {
        segment = in;
        offset = at;
        if (available < Wire.HEADER_BYTES) {
            return fault(Reason.HEADER_CUT, available);
        }
        long head = in.get(Wire.LONG, at);
        if (head >>> 56 != 0) {
            return fault(Reason.VERSION, 0);
        }
        type = (int) (head >>> 48);
        length = (int) (head >>> 32) & 0xffff;
        id = (int) head;
        if (length > available) {
            return fault(Reason.LENGTH_BEYOND, Wire.LENGTH);
        }
        if (length < Wire.HEADER_BYTES) {
            return fault(Reason.LENGTH_SHORT, Wire.LENGTH);
        }
        return parseOrigin(in.get(Wire.LONG, at + Wire.OPTIONS_OFFSET));
    }

    private Reason parseOrigin(long offsets) {
        options = (int) (offsets >>> 48);
        int payloadOffset = (int) (offsets >>> 32) & 0xffff;
        originType = (int) (offsets >>> 16) & 0xffff;
        originLength = (int) offsets & 0xffff;
        int originMax = Locator.bytesMax(originType);
        if (originMax < 0) {
            return fault(Reason.ORIGIN_TYPE, Wire.ORIGIN_TYPE);
        }
        payload = Wire.ORIGIN + originLength;
        if (originLength > originMax || payload > length) {
            return fault(Reason.ORIGIN_LENGTH, Wire.ORIGIN_LENGTH);
        }
        if (payloadOffset != 0 && payloadOffset != payload) {
            return fault(Reason.PAYLOAD_OFFSET, Wire.PAYLOAD_OFFSET);
        }
        return parsePayload();
    }

    private Reason parsePayload() {
        bindings = 0;
        code = 0;
        return switch (type) {
            case Wire.LOOKUP -> parseOptions(payload + 20);
            case Wire.INSERT, Wire.UPDATE -> parseBindings(payload + 20);
            case Wire.INSERT_RESPONSE, Wire.UPDATE_RESPONSE -> parseCode(payload + Wire.CODE_BYTES);
            case Wire.LOOKUP_RESPONSE -> parseCode(payload + Wire.CODE_BYTES);
            default -> fault(Reason.TYPE, Wire.TYPE);
        };
    }

    private Reason parseCode(int end) {
        if (end > length) {
            return fault(Reason.PAYLOAD_CUT, length);
        }
        code = Short.toUnsignedInt(segment.get(Wire.SHORT, offset + payload));
        return type == Wire.LOOKUP_RESPONSE ? parseBindings(end) : parseOptions(end);
    }

    private Reason parseBindings(int at) {
        if (at + 4 > length) {
            return fault(Reason.PAYLOAD_CUT, length);
        }
        int count = segment.get(Wire.INT, offset + at);
        addresses = at + 4;
        if (count < 0 || count > (length - addresses) / Wire.ADDRESS_HEADER_BYTES) {
            return fault(Reason.BINDING_COUNT, at);
        }
        bindings = count;
        int next = addresses;
        for (int i = 0; i < count; i++) {
            if (next + Wire.ADDRESS_HEADER_BYTES > length) {
                return fault(Reason.ADDRESS_CUT, next);
            }
            int header = segment.get(Wire.INT, offset + next);
            int bytes = header & 0xffff;
            Reason reason = checkAddress(header >>> 16, bytes);
            if (reason != Reason.OK) {
                return fault(reason, next);
            }
            next += Wire.ADDRESS_HEADER_BYTES + bytes;
            if (next > length) {
                return fault(Reason.ADDRESS_CUT, next - bytes);
            }
        }
        return parseOptions(next);
    }

    /** Old servers take values shorter than their type has and give them back unchanged; new types are exact. */
    private static Reason checkAddress(int type, int bytes) {
        int bytesMax = Locator.bytesMax(type);
        if (bytesMax < 0) {
            return Reason.ADDRESS_TYPE;
        }
        boolean fixed = type == Locator.Type.IPV6_UDP.code();
        return bytes > bytesMax || fixed && bytes != bytesMax ? Reason.ADDRESS_LENGTH : Reason.OK;
    }

    private Reason parseOptions(int end) {
        recursive = false;
        accepts = false;
        acceptBytes = 0;
        partial = -1;
        ttls = 0;
        expiries = 0;
        addressesEnd = end;
        if (end > length) {
            return fault(Reason.PAYLOAD_CUT, length);
        }
        if (options == 0) {
            return end == length ? Reason.OK : fault(Reason.PAYLOAD_TRAILING, end);
        }
        return options == end ? parseOptionList(end) : fault(Reason.OPTIONS_OFFSET, Wire.OPTIONS_OFFSET);
    }

    private Reason parseOptionList(int from) {
        seenLow = 0;
        seenHigh = 0;
        int at = from;
        boolean last = false;
        while (at < length) {
            if (last) {
                return fault(Reason.OPTIONS_TRAILING, at);
            }
            if (at + Wire.OPTION_HEADER_BYTES > length) {
                return fault(Reason.OPTION_CUT, at);
            }
            int header = Short.toUnsignedInt(segment.get(Wire.SHORT, offset + at));
            int value = at + Wire.OPTION_HEADER_BYTES;
            int bytes = header & 0xff;
            if (value + bytes > length) {
                return fault(Reason.OPTION_CUT, at);
            }
            Reason reason = parseOption(header >>> 8 & 0x7f, value, bytes);
            if (reason != Reason.OK) {
                return fault(reason, at);
            }
            last = (header >>> 8 & Wire.OPTION_LAST) != 0;
            at = value + bytes;
        }
        return Reason.OK;
    }

    private Reason parseOption(int code, int value, int bytes) {
        @Nullable OptionType known = OptionType.ofCode(code);
        if (known != OptionType.PADDING && seenBefore(code)) {
            return Reason.OPTION_REPEATED;
        }
        if (known == null) {
            return Reason.OK;
        }
        if (!known.takes(bytes, bindings)) {
            return Reason.OPTION_LENGTH;
        }
        switch (known) {
            case RECURSION -> recursive = segment.get(Wire.SHORT, offset + value) != 0;
            case TTL -> ttls = value;
            case EXPIRATION -> expiries = value;
            case PARTIAL -> partial = Math.max(0, segment.get(Wire.INT, offset + value));
            case ACCEPT -> {
                accepts = true;
                acceptBytes = bytes == 2 ? Short.toUnsignedInt(segment.get(Wire.SHORT, offset + value)) : 0;
            }
            case PADDING -> {
                // Its bytes say nothing; that they are there is what counts.
            }
            case COPIES -> {
                // For people who read a message in object form.
            }
        }
        return Reason.OK;
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

    private Reason fault(Reason reason, int at) {
        fault = at;
        return reason;
    }

    /** Bytes from the first of the message to the fault of the last parse. */
    public int fault() {
        return fault;
    }

    /** Where the message is. */
    public MemorySegment segment() {
        return Exchange.known(segment);
    }

    /** Position of its first byte. */
    public long offset() {
        return offset & Exchange.OFFSET_BITS;
    }

    /** Its bytes, as its length field says. */
    public int length() {
        return length;
    }

    /** Its type, one of those of {@link Wire}. */
    public int type() {
        return type;
    }

    /** Whether it answers a request. */
    public boolean response() {
        return (type & Wire.RESPONSE_BIT) != 0;
    }

    /** The request id. */
    public int id() {
        return id;
    }

    /** The address type of the origin, one of {@link Locator.Type}. */
    public int originType() {
        return originType;
    }

    /** Bytes of the origin. */
    public int originLength() {
        return originLength;
    }

    /** Position of the origin. */
    public long origin() {
        return offset() + Wire.ORIGIN;
    }

    /** Position of the 20 bytes of the GUID; requests only. */
    public long guid() {
        return offset() + (payload & PLACE_BITS);
    }

    /** The code of a response, 0 = SUCCESS; requests: 0. */
    public int code() {
        return code;
    }

    /** Number of bindings. */
    public int bindings() {
        return bindings;
    }

    /** Position of the first bound address. */
    public long addresses() {
        return offset + addresses;
    }

    /** Bytes of all bound addresses, each with type and length. */
    public int addressBytes() {
        return bindings == 0 ? 0 : addressesEnd - addresses;
    }

    /** Position of the TTLs, one long for each binding; 0 = there are none. */
    public long ttls() {
        return ttls == 0 ? 0 : offset + ttls;
    }

    /** Position of the expiries, one long for each binding; 0 = there are none. */
    public long expiries() {
        return expiries == 0 ? 0 : offset + expiries;
    }

    /** Whether the asker wants links followed. */
    public boolean recursive() {
        return recursive;
    }

    /** Whether the asker reads address types that V1.0 does not have: it says so, or its own address is of such a type. */
    public boolean accepts() {
        return accepts || originType >= Locator.Type.IPV6_UDP.code();
    }

    /** The longest answer in bytes that the asker says to take; 0 = not said. */
    public int acceptBytes() {
        return acceptBytes;
    }

    /** How many bindings the name has, if an answer says that some or their times were left out; else -1. */
    public int partial() {
        return partial;
    }

    /** Position of the first option; the end of the message if there is none. */
    long options() {
        return offset + (options == 0 ? length : options);
    }
}
