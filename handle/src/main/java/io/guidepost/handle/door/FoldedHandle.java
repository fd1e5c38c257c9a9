package io.guidepost.handle.door;

import io.guidepost.handle.HandleLimits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The look-up key of the handle in a request: its bytes with ASCII letters in upper case, see
 * {@link io.guidepost.handle.Handle#folded}, and the end of its prefix. Allocates at construction only. Not
 * thread-safe.
 *
 * <p>Folds eight bytes at a time: a byte is 'a' to 'z' if its seven low bits, plus the distance from 'a' to 80, have
 * bit 7 set, and plus the distance from 'z' to 7F have not, and its own bit 7 is not set.
 */
final class FoldedHandle {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private static final long EACH = 0x0101010101010101L;
    private static final long LOW = 0x7f * EACH;
    private static final long HIGH = 0x8080808080808080L;
    private static final long TO_A = (0x80 - 'a') * EACH;
    private static final long ABOVE_Z = (0x7f - 'z') * EACH;

    private final boolean caseSensitive;
    private final MemorySegment bytes = Arena.ofAuto().allocate(HandleLimits.HANDLE_BYTES_MAX + Long.BYTES, Long.BYTES);
    private int length;
    private int prefixLength;

    FoldedHandle(boolean caseSensitive) {
        this.caseSensitive = caseSensitive;
    }

    /** Takes a handle of at most {@link HandleLimits#HANDLE_BYTES_MAX} bytes; false if it has no slash. */
    boolean take(MemorySegment segment, long offset, int handleLength) {
        length = handleLength;
        int at = 0;
        for (; at <= handleLength - Long.BYTES; at += Long.BYTES) {
            bytes.set(LONG, at, fold(segment.get(LONG, offset + at)));
        }
        for (; at < handleLength; at++) {
            bytes.set(BYTE, at, (byte) fold(segment.get(BYTE, offset + at) & 0xffL));
        }
        prefixLength = 0;
        while (prefixLength < handleLength && bytes.get(BYTE, prefixLength) != '/') {
            prefixLength++;
        }
        if (prefixLength == handleLength) {
            return false;
        }
        if (caseSensitive && !isPrefixHandle()) {
            int suffix = handleLength - prefixLength;
            MemorySegment.copy(segment, offset + prefixLength, bytes, prefixLength, suffix);
        }
        return true;
    }

    /** Returns eight bytes with ASCII letters in upper case. */
    static long fold(long word) {
        long low = word & LOW;
        long letters = (low + TO_A ^ low + ABOVE_Z) & HIGH & ~word;
        return word ^ letters >>> 2;
    }

    boolean isPrefixHandle() {
        return prefixLength == 4 && starts("0.NA");
    }

    /** Returns whether its prefix is 0.SITE, under which a server describes itself. */
    boolean isOfSite() {
        return prefixLength == 6 && starts("0.SITE");
    }

    private boolean starts(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (bytes.get(BYTE, i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the segment that begins with the key. */
    MemorySegment bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Returns the number of bytes before its first slash. */
    int prefixLength() {
        return prefixLength;
    }
}
