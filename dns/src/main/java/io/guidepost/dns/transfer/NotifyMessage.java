package io.guidepost.dns.transfer;

import io.guidepost.dns.wire.DnsName;
import io.guidepost.dns.wire.DnsWire;
import java.nio.ByteBuffer;

/**
 * NOTIFY (RFC 1996): tells a secondary that the zone has another serial. Question and acknowledgement have the layout of {@link
 * DnsWire}; the question is for the SOA of the zone.
 */
public final class NotifyMessage {
    private NotifyMessage() {}

    /** Returns a message with an id of 16 bits. */
    public static byte[] write(DnsName zone, int id) {
        byte[] name = zone.wire();
        ByteBuffer out = ByteBuffer.allocate(DnsWire.HEADER_BYTES + name.length + DnsWire.QUESTION_TAIL_BYTES);
        out.putShort((short) id).putShort((short) (DnsWire.OPCODE_NOTIFY | DnsWire.AA)).putShort((short) 1);
        out.position(DnsWire.HEADER_BYTES).put(name).putShort((short) DnsWire.SOA).putShort((short) DnsWire.IN);
        return out.array();
    }

    /** Returns whether bytes acknowledge the message with an id, whatever the secondary makes of it. */
    public static boolean isAcknowledgement(byte[] bytes, int length, int id) {
        if (length < DnsWire.HEADER_BYTES) {
            return false;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int flags = Short.toUnsignedInt(in.getShort(DnsWire.FLAGS));
        return in.getShort(0) == (short) id && (flags & (DnsWire.QR | DnsWire.OPCODE)) == (DnsWire.QR | DnsWire.OPCODE_NOTIFY);
    }
}
