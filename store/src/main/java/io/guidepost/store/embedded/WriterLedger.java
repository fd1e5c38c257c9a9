package io.guidepost.store.embedded;

import io.guidepost.base.Memory;
import io.guidepost.store.RecordStore;
import io.guidepost.store.engine.StorageEngine;
import io.guidepost.store.engine.WriteBatchBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * For which source network each record counts, and how much each network holds: the ground of quotas. A record counts for
 * the network whose write made it, or last made it longer, so that a stranger who lets another's record grow pays for it.
 *
 * <p>The ledger is written in the batch of the change itself, one key for each record that counts for somebody:
 *
 * <pre>
 *   key    00 'w'  key of the record
 *   value  source network 64
 * </pre>
 *
 * A store that never met a quota has none of these, and does no more work for each change than one comparison. For the
 * committer's thread.
 */
final class WriterLedger {
    private static final byte[] PREFIX = {0, 'w'};

    private static final Holding NOTHING = new Holding();

    private final StorageEngine engine;
    private final Map<Long, Holding> holdings = new HashMap<>();

    /** What the batch that is being made changes, before the engine knows it. */
    private final Map<ByteBuffer, @Nullable Long> pending = new HashMap<>();

    private boolean used;

    /** What one network holds. */
    private static final class Holding {
        private long records;
        private long bytes;
    }

    WriterLedger(StorageEngine engine) throws IOException {
        this.engine = engine;
        load();
    }

    /** Counts all holdings anew, from the engine: at the start, and after a batch that failed. */
    void load() throws IOException {
        holdings.clear();
        pending.clear();
        try {
            engine.visit(PREFIX, (key, value) -> {
                boolean ours = key.length > PREFIX.length && key[0] == PREFIX[0] && key[1] == PREFIX[1];
                if (ours) {
                    used = true;
                    byte[] image = image(Arrays.copyOfRange(key, PREFIX.length, key.length));
                    if (image != null) {
                        move(Memory.longAt(value, 0), 1, image.length);
                    }
                }
                return ours;
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private byte @Nullable [] image(byte[] key) {
        try {
            return engine.get(key);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins a batch: what the last one wrote is in the engine. */
    void begin() {
        pending.clear();
    }

    /**
     * Enters a change, and adds to the batch what it changes here; does neither if the writer's quota has no room, which the
     * writer is told.
     *
     * @param next the record's next form; empty if it is removed
     * @return whether there was room
     */
    boolean enter(
            byte[] key, byte @Nullable [] current, byte[] next, RecordStore.@Nullable Writer writer, WriteBatchBuffer batch)
            throws IOException {
        used |= writer != null;
        if (!used) {
            return true;
        }
        int before = current == null ? 0 : current.length;
        Long owner = current == null ? null : owner(key);
        RecordStore.Writer payer = next.length > before ? writer : null;
        if (payer != null && !hasRoom(payer, owner, before, next.length)) {
            payer.refused();
            return false;
        }
        Long heir = next.length == 0 ? null : payer != null ? (Long) payer.network() : owner;
        if (owner != null) {
            move(owner, -1, -before);
        }
        if (heir != null) {
            move(heir, 1, next.length);
        }
        if (!Objects.equals(owner, heir)) {
            byte[] entry = entry(key);
            pending.put(ByteBuffer.wrap(entry), heir);
            if (heir == null) {
                batch.delete(entry);
            } else {
                byte[] value = new byte[Long.BYTES];
                Memory.longAt(value, 0, heir);
                batch.put(entry, value);
            }
        }
        return true;
    }

    private boolean hasRoom(RecordStore.Writer writer, @Nullable Long owner, int before, int after) {
        Holding held = holdings.getOrDefault(writer.network(), NOTHING);
        boolean own = Objects.equals(owner, writer.network());
        return (own || within(held.records + 1, writer.recordsMax()))
                && within(held.bytes + after - (own ? before : 0), writer.bytesMax());
    }

    private static boolean within(long sum, long max) {
        return max == 0 || sum <= max;
    }

    /** Returns the network that a record counts for, or null. */
    private @Nullable Long owner(byte[] key) throws IOException {
        byte[] entry = entry(key);
        ByteBuffer wrapped = ByteBuffer.wrap(entry);
        if (pending.containsKey(wrapped)) {
            return pending.get(wrapped);
        }
        byte[] value = engine.get(entry);
        return value == null ? null : (Long) Memory.longAt(value, 0);
    }

    private static byte[] entry(byte[] key) {
        byte[] entry = Arrays.copyOf(PREFIX, PREFIX.length + key.length);
        System.arraycopy(key, 0, entry, PREFIX.length, key.length);
        return entry;
    }

    private void move(long network, int records, int bytes) {
        Holding held = holdings.computeIfAbsent(network, _ -> new Holding());
        held.records += records;
        held.bytes += bytes;
        if (held.records == 0) {
            holdings.remove(network);
        }
    }
}
