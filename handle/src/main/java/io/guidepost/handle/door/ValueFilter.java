package io.guidepost.handle.door;

import io.guidepost.handle.message.ResolveRequestFlyweight;
import io.guidepost.handle.value.HandleValue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Filters a list of values by the indexes and types of a request, see {@link io.guidepost.handle.value.ValueType#matches},
 * and copies the matches. Values are in the layout of {@link HandleValue}. Allocates nothing.
 */
final class ValueFilter {
    /** The result of {@link #copy} if it leaves the request to the service. */
    static final int NOT_DONE = -1;

    /** Comparisons that one request may cost: values of a large record times indexes and types of a full packet. */
    private static final long COMPARISONS_MAX = 1 << 14;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final int TYPE = 14;
    private static final int REFERENCES_BYTES_MIN = 8;

    private ValueFilter() {}

    /**
     * Copies the matching values behind their count.
     *
     * @param question the parsed request
     * @param asked the segment of the request
     * @param values the segment that holds the count and the values
     * @param from offset of the count in it
     * @param length bytes of both
     * @param out the segment for count and values, with room for all
     * @param at offset in it
     * @return bytes written, at least the 4 of a count; or {@link #NOT_DONE} if it takes too many comparisons, a type
     *     is not ASCII, or the list is damaged
     */
    static int copy(
            ResolveRequestFlyweight question,
            MemorySegment asked,
            MemorySegment values,
            long from,
            int length,
            MemorySegment out,
            long at) {
        int count = values.get(INT, from);
        if (count * (long) (question.indexCount() + question.typeCount()) > COMPARISONS_MAX
                || !typesAreAscii(question, asked)) {
            return NOT_DONE;
        }
        long end = from + length;
        long value = from + 4;
        int copied = 0;
        int bytes = 4;
        for (int i = 0; i < count; i++) {
            long next = next(values, value, end);
            if (next < 0) {
                return NOT_DONE;
            }
            if (isWanted(question, asked, values, value)) {
                MemorySegment.copy(values, value, out, at + bytes, next - value);
                bytes += (int) (next - value);
                copied++;
            }
            value = next;
        }
        out.set(INT, at, copied);
        return bytes;
    }

    /** Returns the position after a value, or a negative number if the list ends before. */
    private static long next(MemorySegment values, long value, long end) {
        if (end - value < HandleValue.BYTES_MIN) {
            return -1;
        }
        long data = skip(values, value + TYPE, end);
        long references = data < 0 ? -1 : skip(values, data, end);
        if (references < 0 || end - references < 4) {
            return -1;
        }
        int count = values.get(INT, references);
        long at = references + 4;
        if (count < 0 || count > (end - at) / REFERENCES_BYTES_MIN) {
            return -1;
        }
        for (int i = 0; i < count; i++) {
            long handleEnd = skip(values, at, end);
            if (handleEnd < 0 || end - handleEnd < 4) {
                return -1;
            }
            at = handleEnd + 4;
        }
        return at;
    }

    private static long skip(MemorySegment values, long at, long end) {
        if (end - at < 4) {
            return -1;
        }
        int length = values.get(INT, at);
        return length < 0 || length > end - at - 4 ? -1 : at + 4 + length;
    }

    private static boolean isWanted(
            ResolveRequestFlyweight question, MemorySegment asked, MemorySegment values, long value) {
        int index = values.get(INT, value);
        for (int i = 0; i < question.indexCount(); i++) {
            if (question.index(i) == index) {
                return true;
            }
        }
        long type = question.types();
        for (int i = 0; i < question.typeCount(); i++) {
            int length = asked.get(INT, type);
            if (matches(asked, type + 4, length, values, value + TYPE + 4, values.get(INT, value + TYPE))) {
                return true;
            }
            type += 4 + length;
        }
        return false;
    }

    private static boolean matches(
            MemorySegment asked, long wanted, int wantedLength, MemorySegment values, long type, int typeLength) {
        boolean family = wantedLength > 0 && asked.get(BYTE, wanted + wantedLength - 1) == '.';
        if (family ? typeLength + 1 < wantedLength : typeLength != wantedLength) {
            return false;
        }
        for (int i = 0; i < wantedLength; i++) {
            int here = i < typeLength ? values.get(BYTE, type + i) : '.';
            if (fold(here) != fold(asked.get(BYTE, wanted + i))) {
                return false;
            }
        }
        return true;
    }

    private static int fold(int letter) {
        return letter >= 'a' && letter <= 'z' ? letter - ('a' - 'A') : letter;
    }

    private static boolean typesAreAscii(ResolveRequestFlyweight question, MemorySegment asked) {
        long type = question.types();
        for (int i = 0; i < question.typeCount(); i++) {
            int length = asked.get(INT, type);
            for (int b = 0; b < length; b++) {
                if (asked.get(BYTE, type + 4 + b) < 0) {
                    return false;
                }
            }
            type += 4 + length;
        }
        return true;
    }
}
