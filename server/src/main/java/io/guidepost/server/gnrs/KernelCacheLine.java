package io.guidepost.server.gnrs;

import io.guidepost.base.Memory;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Guid;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * A line of {@link KernelCache}: the answer for one GUID, as {@link KernelCacheProgram} sends it to each client. A sequence lock in memory
 * that the kernel reads: what stands in a line counts if its counter is even, and the same before and after.
 *
 * <pre>
 *  offset size
 *     0     4  counter, odd while a line is written
 *     4     2  n, bytes of the places, 0 = the line is empty
 *     6     2  where the options begin in them
 *     8     8  end, ns since 1970
 *    16    20  GUID
 *    36     2  sum of the places (RFC 1071), as the processor adds it up
 *    40     n  places: what follows code and padding in the answer, see {@link RecordImage}
 * </pre>
 *
 * Numbers are in the processor's order, but for GUID and places.
 */
final class KernelCacheLine {
    static final int COUNTER = 0;
    static final int LENGTH = 4;
    static final int OPTIONS = 6;
    static final int END = 8;
    static final int GUID = 16;
    static final int SUM = 36;
    static final int PLACES = 40;

    /** Bytes of a line: two of the processor's. */
    static final int BYTES = 128;

    /** Bytes of places that fit: three of IPv4. A client that is not trusted gets no longer answer to a plain request. */
    static final int PLACES_BYTES_MAX = BYTES - PLACES;

    /** Answers with these differ by what a client reads, or need other records. */
    private static final int UNLIKE = RecordImage.CHAINED | RecordImage.EXTENDED;

    private static final VarHandle COUNTER_AT = ValueLayout.JAVA_INT.varHandle();

    private KernelCacheLine() {}

    /**
     * Returns the number of the first line of a GUID, whose other differs in the lowest bit: the upper bits of its sum times a secret, so
     * that the names that share a line are not known to clients.
     *
     * @param secret odd
     * @param bits of the number, 1 to 31
     */
    static int number(MemorySegment segment, long guid, long secret, int bits) {
        long sum = Long.reverseBytes(segment.get(GnrsWire.LONG, guid))
                + Long.reverseBytes(segment.get(GnrsWire.LONG, guid + 8))
                + Integer.toUnsignedLong(Integer.reverseBytes(segment.get(GnrsWire.INT, guid + 16)));
        return (int) (sum * secret >>> Long.SIZE - bits);
    }

    /** Returns the counter, ordered as a volatile one. */
    static int counter(long line) {
        return (int) COUNTER_AT.getVolatile(Memory.ALL, line + COUNTER);
    }

    /** Changes the counter if it is the expected one: a full fence. */
    static boolean count(long line, int expected, int next) {
        return COUNTER_AT.compareAndSet(Memory.ALL, line + COUNTER, expected, next);
    }

    /** Returns whether the answer of a GUID stands in a line. */
    static boolean holds(long line, MemorySegment segment, long guid) {
        return Memory.u16Le(line + LENGTH) > 0 && Memory.same(Memory.ALL, line + GUID, segment, guid, Guid.BYTES);
    }

    /** Returns whether there is an answer that still stands at a time. */
    static boolean lasts(long line, long nowMillis) {
        return Memory.u16Le(line + LENGTH) > 0 && Memory.i64Le(line + END) > TimeUnit.MILLISECONDS.toNanos(nowMillis);
    }

    /** Empties a line, which belongs to the caller. */
    static void clear(long line) {
        Memory.put16Le(line + LENGTH, 0);
    }

    /**
     * Writes the answer for a record into a line, which belongs to the caller.
     *
     * @param single whether answers of several places differ by client
     * @return false if the answer is not alike for all clients, or does not fit; then the line is empty
     */
    static boolean write(long line, MemorySegment image, long offset, boolean single) {
        clear(line);
        int bindings = RecordImage.bindings(image, offset);
        int bytes = RecordImage.placesLength(image, offset);
        if ((RecordImage.flags(image, offset) & UNLIKE) != 0
                || bindings < 1
                || single && bindings > 1
                || bytes > PLACES_BYTES_MAX) {
            return false;
        }
        long name = offset + RecordImage.HEADER_BYTES + 1;
        MemorySegment.copy(image, name, Memory.ALL, line + GUID, Guid.BYTES);
        MemorySegment.copy(image, RecordImage.places(image, offset), Memory.ALL, line + PLACES, bytes);
        int sum = ~InternetChecksum.fold(InternetChecksum.add(0, line + PLACES, bytes)) & 0xffff;
        Memory.put16Le(line + SUM, Short.reverseBytes((short) sum));
        Memory.put64Le(line + END, TimeUnit.MILLISECONDS.toNanos(RecordImage.plainUntil(image, offset)));
        Memory.put16Le(line + OPTIONS, RecordImage.addressBytes(image, offset) + 4);
        Memory.put16Le(line + LENGTH, bytes);
        return true;
    }
}
