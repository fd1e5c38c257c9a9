package io.guidepost.scaffold.wire;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A flyweight that reads one control message in place: {@link #parse} makes one pass over it, front to back, and records where
 * its values are. Allocates nothing. The accessors are valid after a parse that returned {@link ControlFault#NONE}, while the
 * bytes are there; whether the seal is right is for {@code key} to say. Not thread-safe.
 *
 * <pre>
 *   0        1         2                  4                               12
 *  |1 1 type | version | flags            | flow id of the receiver       |
 *  +---------+---------+------------------+---------------+---------------+
 *  | flow id of the sender                | epoch         | sequence      |
 *  +--------------------------------------+---------------+---------------+
 *   12                                     20              24              28
 *  | type 1 | length 2 | value ...  as often as there are values           |
 *  +-----------------------------------------------------------------------+
 *  | seal 16, of all that stands before; not in HELLO and RETRY            |
 * </pre>
 *
 * <p>Numbers are in network order. Flow ids are 0 where a message is of two hosts and not of a flow, and where the receiver's
 * is not known yet.
 */
public final class ControlMessage {
    /** The only version. */
    public static final int VERSION = 1;

    /** Bytes before the first value. */
    public static final int HEADER_BYTES = 28;

    /** Bytes of a seal. */
    public static final int SEAL_BYTES = 16;

    /** The flow's requests may be repeated at another instance. */
    public static final int FLAG_REPEATABLE = 1;

    /** The instance is to get no more flows. */
    public static final int FLAG_DRAIN = 4;

    /** Of a request for a flow and the answer: its packets are to be sealed. */
    public static final int FLAG_SEALED = 8;

    static final int FORM = 0xc0;
    static final int TYPE_MASK = 0x3f;
    static final int FLAGS = 2;
    static final int RECEIVER_FLOW = 4;
    static final int SENDER_FLOW = 12;
    static final int EPOCH = 20;
    static final int SEQUENCE = 24;
    static final int VALUE_HEAD_BYTES = 3;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final int[] places = new int[32];
    private final int[] lengths = new int[32];
    private final int[] times = new int[32];
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private MessageType type = MessageType.JOIN;
    private int fault;

    /** Returns whether a datagram is a control message, if it has a byte at all; else it carries a packet. */
    public static boolean isControl(MemorySegment segment, long at) {
        return (segment.get(Memory.BYTE, at) & FORM) == FORM;
    }

    /**
     * Parses a datagram, which is one message.
     *
     * @return {@link ControlFault#NONE}, or the first fault, whose offset is then {@link #faultOffset}
     */
    public ControlFault parse(MemorySegment in, long at, int bytes) {
        segment = in;
        offset = at;
        length = bytes;
        if (bytes < HEADER_BYTES) {
            return fault(ControlFault.HEADER_CUT, bytes);
        }
        if (bytes > ScaffoldLimits.CONTROL_BYTES_MAX) {
            return fault(ControlFault.LONG, ScaffoldLimits.CONTROL_BYTES_MAX);
        }
        int first = in.get(Memory.BYTE, at);
        if ((first & FORM) != FORM) {
            return fault(ControlFault.FORM, 0);
        }
        MessageType known = MessageType.of(first & TYPE_MASK);
        if (known == null) {
            return fault(ControlFault.TYPE, 0);
        }
        type = known;
        if (in.get(Memory.BYTE, at + 1) != VERSION) {
            return fault(ControlFault.VERSION, 1);
        }
        int end = known.sealed() ? bytes - SEAL_BYTES : bytes;
        return end < HEADER_BYTES ? fault(ControlFault.SEAL_CUT, bytes) : parseValues(end);
    }

    private ControlFault parseValues(int end) {
        Arrays.fill(times, 0);
        int there = 0;
        int before = 0;
        int at = HEADER_BYTES;
        while (at < end) {
            if (at + VALUE_HEAD_BYTES > end) {
                return fault(ControlFault.HEAD_CUT, at);
            }
            Tlv tlv = Tlv.of(Byte.toUnsignedInt(segment.get(Memory.BYTE, offset + at)));
            int bytes = Short.toUnsignedInt(segment.get(SHORT, offset + at + 1));
            if (tlv == null || (type.allowed() & tlv.bit()) == 0) {
                return fault(ControlFault.VALUE_TYPE, at);
            }
            int number = tlv.number();
            if (number < before) {
                return fault(ControlFault.ORDER, at);
            }
            if (!tlv.fits(bytes)) {
                return fault(ControlFault.VALUE_LENGTH, at + 1);
            }
            if (at + VALUE_HEAD_BYTES + bytes > end) {
                return fault(ControlFault.VALUE_CUT, at);
            }
            if (times[number] == 0) {
                places[number] = at + VALUE_HEAD_BYTES;
                lengths[number] = bytes;
            } else if (times[number] == tlv.timesMax()) {
                return fault(ControlFault.REPEATED, at);
            }
            times[number]++;
            there |= tlv.bit();
            before = number;
            at += VALUE_HEAD_BYTES + bytes;
        }
        return (type.required() & ~there) != 0 ? fault(ControlFault.MISSING, end) : fault(ControlFault.NONE, 0);
    }

    private ControlFault fault(ControlFault reason, int at) {
        fault = at;
        return reason;
    }

    /** Returns the position of the fault that was found, in bytes from the start of the message. */
    public int faultOffset() {
        return fault;
    }

    public MessageType type() {
        return type;
    }

    /** Returns the segment of the message. */
    public MemorySegment segment() {
        return segment;
    }

    /** Returns where the message begins in its segment. */
    public long offset() {
        return offset;
    }

    /** Returns the bytes of the message, its seal included. */
    public int length() {
        return length;
    }

    public int flags() {
        return Short.toUnsignedInt(segment.get(SHORT, offset + FLAGS));
    }

    /** Returns the flow's id at the receiver; 0 where there is none yet. */
    public long receiverFlow() {
        return segment.get(Memory.LONG, offset + RECEIVER_FLOW);
    }

    /** Returns the flow's id at the sender. */
    public long senderFlow() {
        return segment.get(Memory.LONG, offset + SENDER_FLOW);
    }

    /** Returns how often the flow changed its instance, or the host its place. */
    public int epoch() {
        return segment.get(Memory.INT, offset + EPOCH);
    }

    /** Returns the number of the message between two hosts, as a guard against replay. */
    public int sequence() {
        return segment.get(Memory.INT, offset + SEQUENCE);
    }

    public boolean has(Tlv tlv) {
        return times[tlv.number()] > 0;
    }

    /** Returns how often a value stands in the message. */
    public int count(Tlv tlv) {
        return times[tlv.number()];
    }

    /** Returns where a value begins in the segment; the message has it. */
    public long place(Tlv tlv) {
        return place(tlv, 0);
    }

    /** Returns where one of the values of a repeated type begins; all of these have one length. */
    public long place(Tlv tlv, int index) {
        int number = tlv.number();
        if (index >= times[number]) {
            throw new IllegalStateException("the message has no value " + index + " of " + tlv);
        }
        return offset + places[number] + (long) index * (VALUE_HEAD_BYTES + lengths[number]);
    }

    /** Returns the bytes of a value; 0 if the message has none. */
    public int length(Tlv tlv) {
        return times[tlv.number()] == 0 ? 0 : lengths[tlv.number()];
    }

    /** Returns a GUID that the message has. */
    public Guid guid(Tlv tlv) {
        return Guid.read(segment, place(tlv));
    }

    /** Returns one of several GUIDs. */
    public Guid guid(Tlv tlv, int index) {
        return Guid.read(segment, place(tlv, index));
    }

    /** Returns a GUID, or null if the message has none. */
    public @Nullable Guid guidOrNull(Tlv tlv) {
        return has(tlv) ? guid(tlv) : null;
    }

    /** Returns a number of four bytes. */
    public int number(Tlv tlv) {
        return segment.get(Memory.INT, place(tlv));
    }

    /** Returns a number of eight bytes. */
    public long longNumber(Tlv tlv) {
        return segment.get(Memory.LONG, place(tlv));
    }

    /** Returns a copy of a value. */
    public byte[] bytes(Tlv tlv) {
        byte[] copy = new byte[length(tlv)];
        MemorySegment.copy(segment, Memory.BYTE, place(tlv), copy, 0, copy.length);
        return copy;
    }

    /** Returns the reason; {@link Reason#DEAD} if the message has none. */
    public Reason reason() {
        return has(Tlv.REASON) ? Reason.of(segment.get(Memory.BYTE, place(Tlv.REASON))) : Reason.DEAD;
    }

    /** Returns one of the places of the sender. */
    public HostLocator locator(int index) {
        return locator(Tlv.LOCATOR, index);
    }

    /** Returns a place. */
    public HostLocator locator(Tlv tlv, int index) {
        return HostLocator.read(segment, place(tlv, index));
    }
}
