package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.value.HandleValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** The two streams that mirrors read, for {@code ./guidepost fuzz}. The first byte says which. */
public final class ReplicationStreamFuzz {
    private static final DumpStream.Visitor DEAF = new DumpStream.Visitor() {
        @Override
        public void position(TransactionPosition position) {}

        @Override
        public void record(Handle handle, List<HandleValue> values) {}

        @Override
        public void prefix(Handle prefixHandle) {}

        @Override
        public void skipped(Handle handle, String why) {}
    };

    private ReplicationStreamFuzz() {}

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
                seed(0, ReplicationStreamsTest.TRANSACTIONS), seed(0, ReplicationStreamsTest.NEEDS_DUMP),
                        seed(1, ReplicationStreamsTest.DUMP));
    }

    private static byte[] seed(int which, String hex) {
        byte[] stream = ReplicationStreamsTest.bytes(hex);
        byte[] seed = Arrays.copyOf(new byte[] {(byte) which}, 1 + stream.length);
        System.arraycopy(stream, 0, seed, 1, stream.length);
        return seed;
    }
}
