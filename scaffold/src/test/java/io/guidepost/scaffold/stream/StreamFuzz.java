package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Heads of frames, one behind the other, and continuations, for {@code ./guidepost fuzz}. */
public final class StreamFuzz {
    private StreamFuzz() {}

    /** Tries frames until one is faulty. */
    public static void fuzz(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            while (in.remaining() >= StreamFrame.HEAD_BYTES) {
                int at = in.position();
                StreamFrame frame = StreamFrame.read(in);
                ByteBuffer again = ByteBuffer.allocate(StreamFrame.HEAD_BYTES);
                frame.write(again);
                if (!Arrays.equals(again.array(), 0, again.position(), bytes, at, in.position())) {
                    throw new AssertionError(frame + " is written otherwise than it was read");
                }
                in.position(Math.min(in.limit(), in.position() + frame.length()));
            }
        } catch (Malformed e) {
            if (e.offset() < 0 || e.offset() >= StreamFrame.HEAD_BYTES) {
                throw new AssertionError("a fault at " + e.offset());
            }
        }
    }

    /** Right frames. */
    public static List<byte[]> seeds() {
        ByteBuffer all = ByteBuffer.allocate(200);
        new StreamFrame(StreamFrame.Kind.NEXT, 7, 0).write(all);
        new StreamFrame(StreamFrame.Kind.DATA, 7, 3).write(all);
        all.put(new byte[3]);
        new StreamFrame(StreamFrame.Kind.CONTINUATION, 0, 60).write(all);
        all.put(new byte[60]);
        new StreamFrame(StreamFrame.Kind.TAKEN, 10, 0).write(all);
        new StreamFrame(StreamFrame.Kind.END, 10, 0).write(all);
        return List.of(Arrays.copyOf(all.array(), all.position()));
    }
}
