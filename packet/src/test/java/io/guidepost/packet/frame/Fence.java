package io.guidepost.packet.frame;

import io.guidepost.base.Memory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory behind which there is nothing: a file is mapped with a page more than it has afterwards, and whoever touches
 * that page gets an {@link InternalError}. Bytes are placed so that their last is the last before it.
 */
public final class Fence {
    private static final int PAGE = 65_536;

    private final long end;
    private final long bytes;

    /** Room for so many bytes. */
    public Fence(int bytesMax) {
        this.bytes = (bytesMax + PAGE - 1) / PAGE * (long) PAGE;
        try {
            Path file = Files.createTempFile("fence", "");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                MemorySegment mapping = channel.map(MapMode.READ_WRITE, 0, bytes + PAGE, Arena.global());
                channel.truncate(bytes);
                end = mapping.address() + bytes;
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts bytes right before the fence; where they begin. */
    public long place(byte[] content, int length) {
        long at = room(length);
        Memory.copy(content, 0, at, length);
        return at;
    }

    /** Where so many bytes right before the fence begin. */
    public long room(int length) {
        if (length > bytes) {
            throw new IllegalArgumentException(length + " bytes; there are " + bytes);
        }
        return end - length;
    }
}
