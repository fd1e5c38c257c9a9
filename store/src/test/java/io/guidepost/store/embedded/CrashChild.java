package io.guidepost.store.embedded;

import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that is killed: threads that each own some of the keys write them without end, and say on standard output
 * what they are about to do and what was acknowledged. A message is one write of 25 bytes, whole or not there:
 *
 * <pre>
 *  kind 8  'T' about to try, 'A' acknowledged      key number 64   content 64, -1 = removed   version 64, 0 with 'T'
 * </pre>
 */
final class CrashChild {
    static final int THREADS = 4;
    static final int KEYS = 4_000;
    static final int MESSAGE_BYTES = 25;
    private static final int OUTSTANDING = 64;

    private CrashChild() {}

    public static void main(String[] args) throws IOException {
        EmbeddedStore store = EmbeddedStore.open(options(Path.of(args[0]), args[1]));
        long seed = Long.parseLong(args[2]);
        // Unbuffered but for the message itself: what was said before the kill must arrive.
        FileOutputStream pipe = new FileOutputStream(FileDescriptor.out);
        OutputStream out = new BufferedOutputStream(pipe, MESSAGE_BYTES);
        for (int thread = 0; thread < THREADS; thread++) {
            int own = thread;
            Thread.ofPlatform().daemon(false).start(() -> write(store, own, seed + own, out));
        }
    }

    /** Small memtables and a small index, so that flush, compaction of both kinds, and eviction go on all the time. */
    static StoreOptions options(Path folder, String durability) {
        return StoreOptions.in(folder)
                .withDurability(RecordStore.Durability.valueOf(durability))
                .withMemtableBytes(512 << 10)
                .withBlockCacheBytes(1 << 20)
                .withIndexBytesMax(16 << 20)
                .withWalBytesKept(1 << 20);
    }

    private static void write(EmbeddedStore store, int own, long seed, OutputStream out) {
        SplittableRandom random = new SplittableRandom(seed);
        Semaphore room = new Semaphore(OUTSTANDING);
        while (true) {
            long number = (long) random.nextInt(KEYS / THREADS) * THREADS + own;
            boolean removes = random.nextInt(5) == 0;
            long content = removes ? -1 : random.nextLong() >>> 1;
            RecordStore.Replace change = removes
                    ? (key, current, version, nowMillis) -> RecordStore.Change.DELETE
                    : TestImages.write(content);
            room.acquireUninterruptibly();
            say(out, 'T', number, content, 0);
            while (!store.submit(TestImages.key(number), change, (outcome, version) -> {
                if (outcome != RecordStore.Outcome.FAILED) {
                    say(out, 'A', number, content, version);
                }
                room.release();
            })) {
                LockSupport.parkNanos(100_000);
            }
        }
    }

    private static void say(OutputStream out, char kind, long number, long content, long version) {
        byte[] message = ByteBuffer.allocate(MESSAGE_BYTES)
                .put((byte) kind)
                .putLong(number)
                .putLong(content)
                .putLong(version)
                .array();
        try {
            synchronized (out) {
                out.write(message);
                out.flush();
            }
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }
}
