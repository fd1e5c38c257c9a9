package io.guidepost.bench.dns;

import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.bench.load.UdpRequests;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Questions for the addresses of names {@code n0000000} and on in the zone {@code names.example}, in any order, with EDNS as resolvers
 * send it. Name {@code i} has the address 10.0.0.0 + {@code i}.
 */
final class DnsRequests implements UdpRequests {
    static final String ZONE = "names.example";

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int HEADER_BYTES = 12;
    private static final int FLAGS = 2;
    private static final int QR = 0x8000;
    private static final int RCODE = 0xf;
    private static final int RECORD_HEAD_BYTES = 12;
    private static final int PORT = 4000;
    private static final int SEED = 53;

    private final byte[][] messages;
    private final int[] numbers;
    private final int questionEnd;

    /**
     * Creates questions.
     *
     * @param count number of questions
     * @param names number of names
     */
    DnsRequests(int count, int names) {
        SplittableRandom random = new SplittableRandom(SEED);
        messages = new byte[count][];
        numbers = new int[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = random.nextInt(names);
            messages[i] = question(numbers[i]);
        }
        questionEnd = messages[0].length - 11;
    }

    static String name(int number) {
        return String.format(Locale.ROOT, "n%07d", number);
    }

    static Guid guid(int number) {
        return Guid.ofAscii(name(number));
    }

    static int address(int number) {
        return 10 << 24 | number;
    }

    static Binding place(int number) {
        int address = address(number);
        byte[] bytes = {10, (byte) (address >> 16), (byte) (address >> 8), (byte) address};
        try {
            return Binding.of(Locator.of(new InetSocketAddress(InetAddress.getByAddress(bytes), PORT)));
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    private static byte[] question(int number) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1});
        for (String label : (name(number) + "." + ZONE).split("\\.", -1)) {
            out.write(label.length());
            out.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        out.writeBytes(new byte[] {0, 0, 1, 0, 1});
        // OPT, 1,232 bytes, DO.
        out.writeBytes(new byte[] {0, 0, 41, 4, (byte) 0xd0, 0, 0, (byte) 0x80, 0, 0, 0});
        return out.toByteArray();
    }

    @Override
    public int count() {
        return messages.length;
    }

    @Override
    public byte[] message(int number) {
        return messages[number];
    }

    @Override
    public int idOffset() {
        return 0;
    }

    @Override
    public int idMask() {
        return Character.MAX_VALUE;
    }

    @Override
    public int idOf(MemorySegment segment, long offset) {
        return Short.toUnsignedInt(segment.get(SHORT, offset));
    }

    @Override
    public void setId(MemorySegment segment, long offset, int id) {
        segment.set(SHORT, offset, (short) id);
    }

    @Override
    public boolean isResponse(MemorySegment segment, long offset, int length) {
        return length >= HEADER_BYTES && (segment.get(SHORT, offset + FLAGS) & QR) != 0;
    }

    @Override
    public GnrsAnswerCheck.Verdict verdict(int number, MemorySegment segment, long offset, int length) {
        if ((segment.get(SHORT, offset + FLAGS) & RCODE) != 0) {
            return GnrsAnswerCheck.Verdict.FAILED;
        }
        boolean right = length >= questionEnd + RECORD_HEAD_BYTES + Integer.BYTES
                && segment.get(INT, offset + questionEnd + RECORD_HEAD_BYTES) == address(numbers[number]);
        return right ? GnrsAnswerCheck.Verdict.RIGHT : GnrsAnswerCheck.Verdict.WRONG;
    }
}
