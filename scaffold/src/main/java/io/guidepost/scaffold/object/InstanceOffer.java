package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What of an instance does not change without another registration, and is stored.
 *
 * <pre>
 *   0          20        40           41         43           44      46       48
 *  | object 20 | host 20 | priority 1 | weight 2 | protocol 1 | port 2 | flags 2 | name of the object
 * </pre>
 *
 * @param priority lower ones are taken first
 * @param weight its share among those of its priority, 1 to 65,535
 * @param protocol number of TCP or UDP
 * @param port where its program listens
 * @param flags of the registration, see {@link io.guidepost.scaffold.wire.ControlMessage}
 * @param name of the object; empty if it has none
 */
public record InstanceOffer(Guid object, Guid host, int priority, int weight, int protocol, int port, int flags, String name) {
    private static final int NAME = 2 * Guid.BYTES + 8;

    /** Returns the offer of a stored form. */
    static InstanceOffer of(byte[] form) {
        MemorySegment segment = MemorySegment.ofArray(form);
        ByteBuffer in = ByteBuffer.wrap(form).position(2 * Guid.BYTES);
        return new InstanceOffer(
                Guid.read(segment, 0),
                Guid.read(segment, Guid.BYTES),
                Byte.toUnsignedInt(in.get()),
                Short.toUnsignedInt(in.getShort()),
                Byte.toUnsignedInt(in.get()),
                Short.toUnsignedInt(in.getShort()),
                Short.toUnsignedInt(in.getShort()),
                new String(form, NAME, form.length - NAME, StandardCharsets.US_ASCII));
    }

    /** Returns the form that is stored. */
    byte[] form() {
        byte[] text = name.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(NAME + text.length)
                .put(object.toBytes())
                .put(host.toBytes())
                .put((byte) priority)
                .putShort((short) weight)
                .put((byte) protocol)
                .putShort((short) port)
                .putShort((short) flags)
                .put(text)
                .array();
    }
}
