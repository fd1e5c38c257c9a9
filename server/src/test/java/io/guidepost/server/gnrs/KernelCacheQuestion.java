package io.guidepost.server.gnrs;

import io.guidepost.base.Address;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A LOOKUP in a frame.
 *
 * @param origin the address and the port in the message; of no bytes = none
 * @param options bytes behind the GUID, to which the header points if there are any
 */
record KernelCacheQuestion(Address source, Address target, int sourcePort, int id, byte[] origin, Guid guid, byte[] options) {
    private static final int UDP = 17;

    static KernelCacheQuestion of(Address source, Address target, int sourcePort, Guid guid) {
        return new KernelCacheQuestion(source, target, sourcePort, 7, new byte[0], guid, new byte[0]);
    }

    byte[] message() {
        int length = GnrsWire.HEADER_BYTES + origin.length + Guid.BYTES + options.length;
        ByteBuffer out = ByteBuffer.allocate(length);
        out.putLong(GnrsWire.head(GnrsWire.LOOKUP, length, id));
        out.putLong(GnrsWire.offsets(options.length == 0 ? 0 : length - options.length, origin.length == 18 ? 0xF006 : 0, origin.length));
        out.put(origin);
        guid.write(MemorySegment.ofBuffer(out), 0);
        out.position(out.position() + Guid.BYTES).put(options);
        return out.array();
    }

    /** Returns the frame; its checksums are those that nobody looks at here. */
    byte[] frame() {
        byte[] message = message();
        boolean four = KernelCacheStand.isIpv4(target);
        ByteBuffer out = ByteBuffer.allocate(14 + (four ? 20 : 40) + 8 + message.length);
        out.putShort((short) (KernelCacheStand.MAC >>> 32)).putInt((int) KernelCacheStand.MAC);
        out.putShort((short) 0x0200).putInt(1);
        int length = 8 + message.length;
        if (four) {
            out.putShort((short) 0x0800).putShort((short) 0x4500).putShort((short) (20 + length)).putInt(0x4321_0000);
            out.putShort((short) (64 << 8 | UDP)).putShort((short) 0).putInt((int) source.low()).putInt((int) target.low());
        } else {
            out.putShort((short) 0x86dd).putInt(0x6000_0000).putShort((short) length).putShort((short) (UDP << 8 | 64));
            out.putLong(source.high()).putLong(source.low()).putLong(target.high()).putLong(target.low());
        }
        out.putShort((short) sourcePort).putShort((short) KernelCacheStand.PORT).putShort((short) length).putShort((short) 1);
        return out.put(message).array();
    }
}
