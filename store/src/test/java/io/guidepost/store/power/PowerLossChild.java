package io.guidepost.store.power;

import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * The process whose power is lost: it opens a store, writes and closes it, many times with few writes, so that tables pile up
 * and are merged, and then once with many, so that memtables fill and logs follow each other.
 *
 * <p>One thread submits, and the committer keeps its order: what is in the store is what some number of the tries has made.
 * The marks are {@code T} about to try and {@code A} acknowledged, with number, content (-1 = removed) and version; {@code O}
 * opened, {@code C} closed, {@code B} backed up, with the number of the backup.
 */
final class PowerLossChild {
    static final int KEYS = 400;
    static final int OUTSTANDING = 48;
    private static final int ROUNDS = 20;
    private static final int FEW = 40;
    private static final int MANY = 9_000;

    /** Whole rounds with a backup after them. */
    private static final int BACKUPS_EACH = 9;

    private final Marks marks;
    private final SplittableRandom random;

    private PowerLossChild(Marks marks, long seed) {
        this.marks = marks;
        this.random = new SplittableRandom(seed);
    }

    /** Arguments: folder, durability, seed. */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        PowerLossChild child = new PowerLossChild(new Marks(root), Long.parseLong(args[2]));
        RecordStore.Durability durability = RecordStore.Durability.valueOf(args[1]);
        for (int round = 0; round <= ROUNDS; round++) {
            child.round(root, durability, round);
        }
    }

    /** Returns small bounds: memtables of 64 KiB, and an index that holds everything. */
    static StoreOptions options(Path root, RecordStore.Durability durability) {
        return StoreOptions.in(root.resolve("store"))
                .withDurability(durability)
                .withMemtableBytes(512 << 10)
                .withBlockCacheBytes(1 << 20)
                .withIndexBytesMax(16 << 20)
                .withWalBytesKept(1 << 20);
    }

    private void round(Path root, RecordStore.Durability durability, int round) throws IOException {
        try (EmbeddedStore store = EmbeddedStore.open(options(root, durability))) {
            marks.say('O', round, 0, 0);
            write(store, round < ROUNDS ? random.nextInt(FEW) : MANY);
            if (round % BACKUPS_EACH == BACKUPS_EACH - 1 && durability != RecordStore.Durability.MEMORY) {
                store.backup(root.resolve("backups").resolve(Integer.toString(round)));
                marks.say('B', round, 0, 0);
                write(store, random.nextInt(FEW));
            }
        }
        marks.say('C', round, 0, 0);
    }

    private void write(EmbeddedStore store, int writes) {
        Semaphore room = new Semaphore(OUTSTANDING);
        for (int i = 0; i < writes; i++) {
            long number = random.nextInt(KEYS);
            long content = random.nextInt(5) == 0 ? -1 : random.nextLong() >>> 1;
            RecordStore.Replace change = content < 0
                    ? (key, current, version, nowMillis) -> RecordStore.Change.DELETE
                    : TestImages.write(content);
            room.acquireUninterruptibly();
            marks.say('T', number, content, 0);
            while (!store.submit(TestImages.key(number), change, (outcome, version) -> {
                if (outcome == RecordStore.Outcome.FAILED) {
                    throw new AssertionError("a write was refused");
                }
                marks.say('A', number, content, version);
                room.release();
            })) {
                LockSupport.parkNanos(100_000);
            }
        }
        room.acquireUninterruptibly(OUTSTANDING);
    }
}
