package io.guidepost.handle.replication;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.names.Malformed;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The two streams that mirrors read, for {@code ./guidepost fuzz}. The first byte says which. */
public final class StreamFuzz {
    private static final DumpStream.Visitor DEAF = new DumpStream.Visitor() {
        @Override
        public void position(Position position) {}

        @Override
        public void record(Handle handle, List<HandleValue> values) {}

        @Override
        public void prefix(Handle prefixHandle) {}
    };

    private StreamFuzz() {}

    /** Reads one. */
    public static void fuzz(byte[] input) {
        if (input.length == 0) {
            return;
        }
        ByteArrayInputStream in = new ByteArrayInputStream(input, 1, input.length - 1);
        try {
            if ((input[0] & 1) == 0) {
                TransactionStream.read(in, (_, _) -> {});
            } else {
                DumpStream.read(in, DEAF);
            }
        } catch (Malformed e) {
            if (e.offset() < 0 || e.offset() > input.length) {
                throw new AssertionError("a fault outside of the stream", e);
            }
        } catch (IOException e) {
            // It ended too early.
        }
    }

    /** As a server of version 9.2 sent them. */
    public static List<byte[]> seeds() {
        return List.of(
                seed(0, StreamsTest.TRANSACTIONS), seed(0, StreamsTest.NEEDS_DUMP), seed(1, StreamsTest.DUMP));
    }

    private static byte[] seed(int which, String hex) {
        byte[] stream = StreamsTest.bytes(hex);
        byte[] seed = Arrays.copyOf(new byte[] {(byte) which}, 1 + stream.length);
        System.arraycopy(stream, 0, seed, 1, stream.length);
        return seed;
    }
}
