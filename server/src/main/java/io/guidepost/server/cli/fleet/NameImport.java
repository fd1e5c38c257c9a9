package io.guidepost.server.cli.fleet;

import io.guidepost.base.Malformed;
import io.guidepost.names.Name;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Merges names of a file into a store, with the stamps that they have: what was written there later stays, and a name that is there
 * already is left as it is. So an import may be repeated.
 */
final class NameImport {
    /** Names of a batch: they are all made before the next ones are read, so that it is known how far it came. */
    private static final int BATCH = 512;

    /**
     * Names under way in a cluster at a time: one that is busy answers more of them so late that statements are sent to another node too,
     * or fail, and are made again. Files commit all of a batch at once.
     */
    private static final int CLUSTER_MAX = 128;

    /** How often a batch is repeated that the store did not take, and the pause before that. */
    private static final int ATTEMPTS_MAX = 5;

    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TOMBSTONE_MILLIS = TimeUnit.DAYS.toMillis(10);

    private final RecordStore store;
    private final long pauseNanos;
    private final LongConsumer progress;
    private long made;
    private long kept;
    private long wrong;
    private long withoutValues;

    private record NameMerge(byte[] key, byte[] image) implements RecordStore.Merge {
        @Override
        public long tombstoneMillis() {
            return TOMBSTONE_MILLIS;
        }
    }

    /**
     * Creates it.
     *
     * @param pauseNanos before a batch is repeated
     * @param progress is told how many names of the file are done
     */
    NameImport(RecordStore store, long pauseNanos, LongConsumer progress) {
        this.store = store;
        this.pauseNanos = pauseNanos;
        this.progress = progress;
    }

    /**
     * Imports a file from a name on.
     *
     * @throws IOException in one line, which says how far it came
     */
    void run(NameFileReader from, long first) throws IOException {
        while (from.taken() < first) {
            if (from.next() == null) {
                throw new IOException("the file has no more than " + from.taken() + " names");
            }
        }
        long done = from.taken();
        try {
            for (byte[] image = from.next(); image != null; ) {
                List<NameMerge> batch = new ArrayList<>(BATCH);
                for (; image != null && batch.size() < BATCH; image = from.next()) {
                    add(image, batch);
                }
                merge(batch);
                done = image == null ? from.taken() : from.taken() - 1;
                progress.accept(done);
            }
        } catch (IOException e) {
            throw new IOException(
                    e.getMessage() + "; " + done + " names of the file are done: the same with --from " + done + " goes on", e);
        }
    }

    private void add(byte[] image, List<NameMerge> batch) {
        try {
            Record record = RecordImage.read(image);
            byte[] key = record.name().key();
            MemorySegment in = MemorySegment.ofArray(image);
            int flags = RecordImage.flags(in, 0);
            if (key[0] != Name.Namespace.GUID.code() || (flags & (RecordImage.DERIVED | RecordImage.FORM)) != 0) {
                wrong++;
                return;
            }
            if (!record.values().stream().allMatch(PlaceAttributes::isOf)) {
                withoutValues++;
            }
            boolean stamped = (flags & RecordImage.STAMPED) != 0;
            batch.add(new NameMerge(key, stamped ? image : RecordMerge.change(image, record.version(), false)));
        } catch (Malformed | IllegalArgumentException e) {
            wrong++;
        }
    }

    private void merge(List<NameMerge> batch) throws IOException {
        List<NameMerge> left = batch;
        for (int attempt = 0; !left.isEmpty(); attempt++) {
            if (attempt == ATTEMPTS_MAX || Thread.currentThread().isInterrupted()) {
                String trouble = store.status().trouble();
                throw new IOException("the store did not take " + left.size() + " names" + (trouble.isEmpty() ? "" : ": " + trouble));
            }
            if (attempt > 0) {
                LockSupport.parkNanos(pauseNanos);
            }
            left = attempt(left);
        }
    }

    /** Returns those that were not made, or may not have been made. */
    private List<NameMerge> attempt(List<NameMerge> batch) throws IOException {
        RecordStore.Outcome[] outcomes = new RecordStore.Outcome[batch.size()];
        int most = store.isShared() ? CLUSTER_MAX : BATCH;
        Semaphore room = new Semaphore(most);
        try {
            for (int i = 0; i < batch.size(); i++) {
                int number = i;
                NameMerge each = batch.get(i);
                room.acquire();
                while (!store.submit(each.key, each, (outcome, _) -> {
                    outcomes[number] = outcome;
                    room.release();
                })) {
                    LockSupport.parkNanos(FULL_NANOS);
                }
            }
            room.acquire(most);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        List<NameMerge> left = new ArrayList<>();
        for (int i = 0; i < outcomes.length; i++) {
            switch (outcomes[i]) {
                case DONE -> made++;
                case KEPT -> kept++;
                case FAILED -> left.add(batch.get(i));
            }
        }
        return left;
    }

    long made() {
        return made;
    }

    /** Returns how many were there already, with all that the file says of them, or belong to a handle. */
    long kept() {
        return kept;
    }

    /** Returns how many were no names. */
    long wrong() {
        return wrong;
    }

    /** Returns how many had values that are not those of names, and were imported without them. */
    long withoutValues() {
        return withoutValues;
    }
}
