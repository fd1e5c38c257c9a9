package io.guidepost.handle.door;

import io.guidepost.base.DatagramClassifier;
import io.guidepost.handle.message.ResolveRequestFlyweight;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** What the Handle protocol tells admission control: the handle that a resolution asks for, whatever its case. */
final class HandleClassifier implements DatagramClassifier {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /** Of a handle that is told to people: few are longer, and none needs to be read in whole. */
    private static final int TEXT_BYTES_MAX = 200;

    private static final long MIX = 0xd6e8feb86659fd93L;

    private final ResolveRequestFlyweight request = new ResolveRequestFlyweight();

    @Override
    public long name(MemorySegment segment, long offset, int length) {
        if (request.parse(segment, offset, length) != ResolveRequestFlyweight.Verdict.RESOLVE) {
            return NO_NAME;
        }
        long at = request.handle();
        long end = at + request.handleLength();
        long name = request.handleLength();
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            name = Long.rotateLeft((name ^ FoldedHandle.fold(segment.get(LONG, at))) * MIX, 32);
        }
        for (; at < end; at++) {
            name = Long.rotateLeft((name ^ FoldedHandle.fold(segment.get(BYTE, at) & 0xffL)) * MIX, 32);
        }
        return name;
    }

    @Override
    public String nameText(MemorySegment segment, long offset, int length) {
        byte[] handle = new byte[Math.min(request.handleLength(), TEXT_BYTES_MAX)];
        MemorySegment.copy(segment, BYTE, request.handle(), handle, 0, handle.length);
        return new String(handle, StandardCharsets.UTF_8);
    }
}
