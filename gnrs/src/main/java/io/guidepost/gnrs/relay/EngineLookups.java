package io.guidepost.gnrs.relay;

import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Look-ups of one worker's relay that its index cannot answer: an executor reads the storage engine, and the worker
 * receives the result in a later turn. A bounded pool.
 */
final class EngineLookups {
    private final RecordStore store;
    private final Executor executor;
    private final Runnable wake;
    private final int max;
    private final List<Look> free = new ArrayList<>();
    private final Queue<Look> done = new ConcurrentLinkedQueue<>();
    private int made;
    private int waiting;

    /** Receives the result of the engine; called once, on the worker's thread. */
    @FunctionalInterface
    interface Looked {
        /**
         * Delivers the result.
         *
         * @param known false if the record could not be read
         * @param image the stored form, or null if there is none
         */
        void looked(boolean known, byte @Nullable [] image);
    }

    EngineLookups(RecordStore store, Executor executor, Runnable wake, int max) {
        this.store = store;
        this.executor = executor;
        this.wake = wake;
        this.max = max;
    }

    private final class Look implements Runnable {
        private final RecordReader reader = store.throughReader();
        private final byte[] guid = new byte[Guid.BYTES];
        private @Nullable Looked asker;
        private byte @Nullable [] image;
        private boolean known;

        @Override
        public void run() {
            reader.enter();
            try {
                MemorySegment name = MemorySegment.ofArray(guid);
                RecordReader.Found found = reader.find(Name.Namespace.GUID.code(), name, 0, Guid.BYTES);
                image = found == RecordReader.Found.YES ? copy(reader) : null;
                known = found != RecordReader.Found.UNKNOWN;
            } catch (RuntimeException engineTrouble) {
                known = false;
                System.getLogger(EngineLookups.class.getName())
                        .log(System.Logger.Level.DEBUG, "the engine did not answer a look-up", engineTrouble);
            } finally {
                reader.exit();
            }
            done.add(this);
            wake.run();
        }
    }

    /** Returns a copy of the record that a reader has just found. */
    static byte[] copy(RecordReader reader) {
        MemorySegment segment = reader.segment();
        byte[] image = new byte[RecordImage.length(segment, reader.offset())];
        MemorySegment.copy(segment, PeerWire.BYTE, reader.offset(), image, 0, image.length);
        return image;
    }

    /** Submits a look-up to the engine; returns false if the pool is exhausted, and {@code looked} is not called. */
    boolean submit(MemorySegment segment, long position, Looked looked) {
        if (free.isEmpty() && made == max) {
            return false;
        }
        Look look = free.isEmpty() ? make() : free.removeLast();
        MemorySegment.copy(segment, PeerWire.BYTE, position, look.guid, 0, Guid.BYTES);
        look.asker = looked;
        try {
            waiting++;
            executor.execute(look);
        } catch (RejectedExecutionException closing) {
            waiting--;
            free.add(look);
            return false;
        }
        return true;
    }

    private Look make() {
        made++;
        return new Look();
    }

    void drain() {
        if (waiting == 0) {
            return;
        }
        for (Look look = done.poll(); look != null; look = done.poll()) {
            Looked asker = look.asker;
            byte[] image = look.image;
            boolean known = look.known;
            look.asker = null;
            look.image = null;
            waiting--;
            free.add(look);
            if (asker != null) {
                asker.looked(known, image);
            }
        }
    }
}
