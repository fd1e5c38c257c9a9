package io.guidepost.store.power;

import io.guidepost.base.Memory;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * What a process under test says of itself, between its calls in the journal. A mark is one write of 25 bytes:
 *
 * <pre>
 *  kind 8 (a letter of the program's choice)   three numbers of 64
 * </pre>
 */
public final class Marks {
    private static final int BYTES = 25;

    /** One mark. */
    public record Mark(char kind, long first, long second, long third) {
        static Mark of(byte[] bytes) {
            if (bytes.length != BYTES) {
                throw new AssertionError("a mark of " + bytes.length + " bytes");
            }
            return new Mark((char) bytes[0], Memory.longAt(bytes, 1), Memory.longAt(bytes, 9), Memory.longAt(bytes, 17));
        }
    }

    private final FileOutputStream file;

    /** Begins the marks of the process that runs this. */
    public Marks(Path root) throws IOException {
        file = new FileOutputStream(root.resolve(WriteJournal.MARKS).toFile());
    }

    /** Makes a mark; the journal has it when this returns. */
    public void say(char kind, long first, long second, long third) {
        try {
            file.write(ByteBuffer.allocate(BYTES)
                    .put((byte) kind)
                    .putLong(first)
                    .putLong(second)
                    .putLong(third)
                    .array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
