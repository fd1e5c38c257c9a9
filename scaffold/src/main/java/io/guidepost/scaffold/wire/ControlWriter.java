package io.guidepost.scaffold.wire;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;

/**
 * Writes control messages, as {@link ControlMessage} draws them: {@link #begin}, the values in ascending order of their types,
 * {@link #end}. Allocates nothing. Not thread-safe.
 */
public final class ControlWriter {
    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int room;
    private int length;
    private MessageType type = MessageType.JOIN;

    /**
     * Begins a message.
     *
     * @param out holds the room, of {@link ScaffoldLimits#CONTROL_BYTES_MAX} bytes or more
     * @param receiverFlow the flow's id at the receiver, 0 where there is none
     * @param senderFlow the flow's id at the sender
     */
    public ControlWriter begin(
            MemorySegment out, long at, MessageType kind, int flags, long receiverFlow, long senderFlow, int epoch, int sequence) {
        segment = out;
        offset = at;
        type = kind;
        room = ScaffoldLimits.CONTROL_BYTES_MAX - (kind.sealed() ? ControlMessage.SEAL_BYTES : 0);
        length = ControlMessage.HEADER_BYTES;
        out.set(Memory.BYTE, at, (byte) (ControlMessage.FORM | kind.number()));
        out.set(Memory.BYTE, at + 1, (byte) ControlMessage.VERSION);
        out.set(ControlMessage.SHORT, at + ControlMessage.FLAGS, (short) flags);
        out.set(Memory.LONG, at + ControlMessage.RECEIVER_FLOW, receiverFlow);
        out.set(Memory.LONG, at + ControlMessage.SENDER_FLOW, senderFlow);
        out.set(Memory.INT, at + ControlMessage.EPOCH, epoch);
        out.set(Memory.INT, at + ControlMessage.SEQUENCE, sequence);
        return this;
    }

    /** Takes room for a value, writes its type and length, and returns where its bytes go. */
    private long value(Tlv tlv, int bytes) {
        if ((type.allowed() & tlv.bit()) == 0 || !tlv.fits(bytes)) {
            throw new IllegalArgumentException(type + " carries no " + tlv + " of " + bytes + " bytes");
        }
        long at = offset + length;
        length += ControlMessage.VALUE_HEAD_BYTES + bytes;
        if (length > room) {
            throw new IllegalStateException(type + " does not fit into " + room + " bytes");
        }
        segment.set(Memory.BYTE, at, (byte) tlv.number());
        segment.set(ControlMessage.SHORT, at + 1, (short) bytes);
        return at + ControlMessage.VALUE_HEAD_BYTES;
    }

    /** Adds a GUID. */
    public ControlWriter guid(Tlv tlv, Guid guid) {
        guid.write(segment, value(tlv, Guid.BYTES));
        return this;
    }

    /** Adds a number of four bytes. */
    public ControlWriter number(Tlv tlv, int number) {
        segment.set(Memory.INT, value(tlv, Integer.BYTES), number);
        return this;
    }

    /** Adds a number of eight bytes. */
    public ControlWriter longNumber(Tlv tlv, long number) {
        segment.set(Memory.LONG, value(tlv, Long.BYTES), number);
        return this;
    }

    /** Adds bytes. */
    public ControlWriter bytes(Tlv tlv, byte[] bytes) {
        MemorySegment.copy(bytes, 0, segment, Memory.BYTE, value(tlv, bytes.length), bytes.length);
        return this;
    }

    /** Adds bytes of a segment. */
    public ControlWriter bytes(Tlv tlv, MemorySegment from, long at, int bytes) {
        MemorySegment.copy(from, at, segment, value(tlv, bytes), bytes);
        return this;
    }

    /** Adds what another message has of a type, all its values; nothing if it has none. */
    public ControlWriter copy(Tlv tlv, ControlMessage from) {
        for (int i = 0; i < from.count(tlv); i++) {
            bytes(tlv, from.segment(), from.place(tlv, i), from.length(tlv));
        }
        return this;
    }

    /** Adds a reason. */
    public ControlWriter reason(Reason reason) {
        segment.set(Memory.BYTE, value(Tlv.REASON, 1), (byte) reason.number());
        return this;
    }

    /** Adds a place of the sender. */
    public ControlWriter locator(Tlv tlv, HostLocator locator) {
        locator.write(segment, value(tlv, HostLocator.BYTES));
        return this;
    }

    /** Adds zeros until the message has a number of bytes, its seal included; nothing if it has them. */
    public ControlWriter padTo(int bytes) {
        int missing = bytes - length - ControlMessage.VALUE_HEAD_BYTES - (type.sealed() ? ControlMessage.SEAL_BYTES : 0);
        if (missing >= 0) {
            segment.asSlice(value(Tlv.PADDING, missing), missing).fill((byte) 0);
        }
        return this;
    }

    /** Ends the message; returns its bytes, without the seal that is still to be written behind them. */
    public int end() {
        return length;
    }
}
