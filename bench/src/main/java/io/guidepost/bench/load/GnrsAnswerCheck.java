package io.guidepost.bench.load;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Checks responses as far as a generator needs: the length, the id, the code, and for a LOOKUP the IPv4 address of
 * {@link SyntheticRecords}. The codec's own tests check the rest.
 */
public final class GnrsAnswerCheck {
    /** The outcome of a request. */
    public enum Verdict {
        /** The expected response. */
        RIGHT,
        /** The name is not bound. */
        MISSING,
        /** The server refused. */
        FAILED,
        /** Any other response: another locator, kind or length. */
        WRONG
    }

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int HEADER_BYTES = 16;
    private static final int LOOKUP_RESPONSE = 0x81;

    private GnrsAnswerCheck() {}

    /** Returns whether a datagram is long enough for a request id. */
    public static boolean hasId(int length) {
        return length >= HEADER_BYTES;
    }

    /** Returns the request id of a response. */
    static int id(MemorySegment in, long offset) {
        return in.get(INT, offset + 4);
    }

    /** Checks the response to a LOOKUP of a record, whatever the port of the locator. */
    public static Verdict ofLookup(MemorySegment in, long offset, int length, long record) {
        int head = in.get(INT, offset);
        long payload = offset + HEADER_BYTES + Short.toUnsignedInt(in.get(SHORT, offset + 14));
        if (head != (LOOKUP_RESPONSE << 16 | length) || payload + 8 > offset + length) {
            return Verdict.WRONG;
        }
        if (in.get(SHORT, payload) != 0) {
            return Verdict.FAILED;
        }
        int places = in.get(INT, payload + 4);
        if (places == 0) {
            return Verdict.MISSING;
        }
        // An INSERT after an UPDATE gives a record two locators, of one address and two ports.
        boolean right = payload + 18 <= offset + length
                && (places == 1 || places == 2)
                && in.get(INT, payload + 8) == 6
                && in.get(INT, payload + 12) == SyntheticRecords.address(record);
        return right ? Verdict.RIGHT : Verdict.WRONG;
    }

    /** Checks the response to an INSERT or UPDATE; existing servers answer both with the code of INSERT. */
    static Verdict ofChange(MemorySegment in, long offset, int length) {
        int type = in.get(ValueLayout.JAVA_BYTE, offset + 1) & 0xff;
        long payload = offset + HEADER_BYTES + Short.toUnsignedInt(in.get(SHORT, offset + 14));
        if (type != 0x80 && type != 0x82 || payload + 2 > offset + length) {
            return Verdict.WRONG;
        }
        return in.get(SHORT, payload) == 0 ? Verdict.RIGHT : Verdict.FAILED;
    }
}
