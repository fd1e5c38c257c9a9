package io.guidepost.scaffold.wire;

import io.guidepost.base.Memory;
import java.lang.foreign.MemorySegment;

/**
 * What stands before a carried packet in a UDP datagram: which flow it is of, at the receiver, and of which instance.
 *
 * <pre>
 *   0              1               2                               4
 *  |0 0 0 0 0 0 0 0| epoch, low 8  | reserved: 0                   |
 *  +---------------+---------------+-------------------------------+
 *  | flow id of the receiver, 8                                    |
 *  +---------------------------------------------------------------+
 *  | the packet, from its first byte of IP                         |
 * </pre>
 *
 * <p>With a seal the form is 1; behind the flow id follow a packet number of eight bytes, the encrypted packet and a tag of 16: see
 * {@link io.guidepost.scaffold.key.DataSeal}.
 */
public final class CarriageHeader {
    /** Bytes before the packet. */
    public static final int BYTES = 12;

    /** The form of a packet in clear. */
    public static final int CLEAR = 0;

    /** The form of an encrypted packet. */
    public static final int SEALED = 1;

    private static final int EPOCH = 1;
    private static final int RESERVED = 2;
    private static final int FLOW = 4;
    private static final int EPOCH_MASK = 0xff;

    private CarriageHeader() {}

    /** Writes a header; there is room for it. */
    public static void write(MemorySegment segment, long at, int form, long flow, int epoch) {
        segment.set(Memory.BYTE, at, (byte) form);
        segment.set(Memory.BYTE, at + EPOCH, (byte) epoch);
        segment.set(ControlMessage.SHORT, at + RESERVED, (short) 0);
        segment.set(Memory.LONG, at + FLOW, flow);
    }

    /** Returns whether bytes are a header of a form, with something behind it. */
    public static boolean is(int form, MemorySegment segment, long at, int length) {
        return length > BYTES
                && segment.get(Memory.BYTE, at) == form
                && segment.get(ControlMessage.SHORT, at + RESERVED) == 0;
    }

    /** Returns the flow's id at the receiver. */
    public static long flow(MemorySegment segment, long at) {
        return segment.get(Memory.LONG, at + FLOW);
    }

    /** Returns whether the packet is of an epoch, as far as eight bits tell. */
    public static boolean isOfEpoch(MemorySegment segment, long at, int epoch) {
        return (segment.get(Memory.BYTE, at + EPOCH) & EPOCH_MASK) == (epoch & EPOCH_MASK);
    }
}
