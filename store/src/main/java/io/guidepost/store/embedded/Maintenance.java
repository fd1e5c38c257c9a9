package io.guidepost.store.embedded;

import io.guidepost.base.Memory;
import io.guidepost.store.Expire;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.StoredForm;
import io.guidepost.store.engine.StorageEngine;
import io.guidepost.store.index.ReadIndex;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Background maintenance, a bounded step at a time between commit groups: warms the index after start, compacts it,
 * readmits evicted records that were read, and removes expired ones.
 */
final class Maintenance {
    private static final System.Logger LOG = System.getLogger(Maintenance.class.getName());

    private final StorageEngine engine;
    private final ReadIndex index;
    private final IndexWarmer warmer;
    private final ArrayBlockingQueue<byte[]> admissions = new ArrayBlockingQueue<>(StoreLimits.ADMISSIONS_MAX);
    private final LongAdder expired = new LongAdder();
    private long sweptAtMillis;
    private long engineSweptAtMillis;
    private byte[] engineSweptTo = {1};
    private volatile boolean warming = true;
    private volatile String damage = "";

    Maintenance(StorageEngine engine, ReadIndex index, IndexWarmer warmer) {
        this.engine = engine;
        this.index = index;
        this.warmer = warmer;
    }

    /**
     * Runs one round.
     *
     * @param idle whether no write is pending, so that a larger step does no harm
     * @param own takes changes that the store makes itself
     * @return the work done; 0 if there was none
     */
    int work(long now, boolean idle, ArrayDeque<ChangeQueue.Entry> own) {
        int done = index.tidy();
        try {
            done += warming ? warm(idle) : 0;
            done += admit();
            if (Math.abs(now - sweptAtMillis) >= StoreLimits.SWEEP_PAUSE_MILLIS) {
                sweptAtMillis = now;
                done += sweep(now, own);
            }
        } catch (IOException | RuntimeException e) {
            String message = e.getMessage();
            damage = message == null ? e.toString() : message;
            LOG.log(System.Logger.Level.ERROR, "records cannot be read: {0}", damage);
        }
        return done;
    }

    private int warm(boolean idle) throws IOException {
        try {
            return warmer.step(idle ? StoreLimits.WARM_IDLE_RECORDS : StoreLimits.WARM_BUSY_RECORDS);
        } finally {
            warming = !warmer.done();
        }
    }

    private int admit() throws IOException {
        byte[] key = admissions.poll();
        if (key == null) {
            return 0;
        }
        long hash = index.hash(key);
        if (!index.contains(key, hash)) {
            byte[] image = engine.get(key);
            if (image != null && StoredForm.wrong(key, image) == null) {
                index.put(key, hash, image);
            }
        }
        return 1;
    }

    private int sweep(long now, ArrayDeque<ChangeQueue.Entry> own) throws IOException {
        int before = own.size();
        boolean swept = index.sweep(now, StoreLimits.EXPIRE_GROUP_MAX, key -> expire(key, own));
        if (!warming
                && !index.complete()
                && damage.isEmpty()
                && Math.abs(now - engineSweptAtMillis) >= StoreLimits.ENGINE_SWEEP_PAUSE_MILLIS) {
            engineSweptAtMillis = now;
            sweepEngine(now, own);
        }
        return swept || own.size() > before ? 1 : 0;
    }

    private void expire(byte[] key, ArrayDeque<ChangeQueue.Entry> own) {
        Expire change = new Expire(expired);
        own.add(new ChangeQueue.Entry(key, change, change));
    }

    /** Searches the engine for expired records that the index may not hold. */
    private void sweepEngine(long now, ArrayDeque<ChangeQueue.Entry> own) throws IOException {
        byte[] from = engineSweptTo;
        engineSweptTo = new byte[] {1};
        int[] seen = {0};
        engine.visit(from, (key, image) -> {
            if (seen[0]++ == StoreLimits.ENGINE_SWEEP_RECORDS || own.size() >= StoreLimits.EXPIRE_GROUP_MAX) {
                engineSweptTo = key;
                return false;
            }
            if (StoredForm.wrong(key, image) == null
                    && Memory.longAt(image, 24) <= now) {
                expire(key, own);
            }
            return true;
        });
    }

    /** Requests admission to the index of a record that was read from the engine; for any thread. */
    void admit(byte[] key) {
        if (!warming && ReadIndex.holds(key[0])) {
            admissions.offer(key);
        }
    }

    boolean warming() {
        return warming;
    }

    /** Returns which files could not be read; empty if none. */
    String damage() {
        return damage;
    }

    long expired() {
        return expired.sum();
    }
}
