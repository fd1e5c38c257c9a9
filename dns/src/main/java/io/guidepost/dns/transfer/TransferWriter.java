package io.guidepost.dns.transfer;

import io.guidepost.dns.ZoneRecords;
import io.guidepost.dns.wire.DnsLimits;
import io.guidepost.dns.wire.DnsWire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Writes records of a transfer into messages (RFC 5936 section 2.2), each with the question, whose name all owners end with. One
 * thread's.
 */
final class TransferWriter {
    /** Takes messages. */
    @FunctionalInterface
    interface Sink {
        /** Sends one; waits while the secondary is slow. */
        void send(byte[] message) throws IOException;
    }

    private static final int MESSAGE_BYTES = 16_000;

    private final Sink sink;
    private final ByteBuffer out = ByteBuffer.allocate(DnsLimits.STREAM_BYTES_MAX);
    private final int questionEnd;
    private byte[] owner = {};
    private int ownerAt = DnsWire.HEADER_BYTES;
    private int answers;

    /**
     * Begins.
     *
     * @param request header and question, which are repeated
     */
    TransferWriter(byte[] request, int questionEnd, Sink sink) {
        this.sink = sink;
        this.questionEnd = questionEnd;
        out.put(request, 0, questionEnd);
        int flags = DnsWire.QR | DnsWire.AA | out.getShort(DnsWire.FLAGS) & DnsWire.RD;
        out.putShort(DnsWire.FLAGS, (short) flags).putInt(DnsWire.AUTHORITIES, 0);
    }

    void write(ZoneRecords.ZoneRecord record) throws IOException {
        int bytesMax = record.owner().length + 2 * Short.BYTES + DnsWire.RECORD_HEAD_BYTES + record.data().length;
        if (out.position() + bytesMax > MESSAGE_BYTES) {
            end();
        }
        if (record.owner().length > 0 && !Arrays.equals(record.owner(), owner)) {
            owner = record.owner();
            ownerAt = out.position();
            out.put(owner).putShort((short) (DnsWire.POINTER | DnsWire.HEADER_BYTES));
        } else {
            out.putShort((short) (DnsWire.POINTER | (record.owner().length == 0 ? DnsWire.HEADER_BYTES : ownerAt)));
        }
        out.putShort((short) record.type()).putShort((short) DnsWire.IN).putInt(record.ttlSeconds());
        out.putShort((short) record.data().length).put(record.data());
        answers++;
    }

    /** Sends what is left. */
    void end() throws IOException {
        if (answers > 0) {
            out.putShort(DnsWire.ANSWERS, (short) answers);
            sink.send(Arrays.copyOf(out.array(), out.position()));
        }
        out.position(questionEnd);
        owner = new byte[0];
        answers = 0;
    }
}
