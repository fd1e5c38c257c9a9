package io.guidepost.scaffold.resume;

import io.guidepost.base.Sha256;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What of an instance's bytes has gone on to the client: as a hash by which another instance's bytes are compared. All that has
 * gone on counts, acknowledged or not: the client's kernel may keep it, and must not join it with other bytes.
 *
 * <p>Segments come in any order, and twice. Those behind a gap go on too, as the client's kernel asks for what is missing by
 * what it has; they are kept here until the gap is filled. What is beyond the bounds must not go on: the instance will send it
 * again. Positions count from the first byte of the response. Not thread-safe.
 */
public final class DeliveredBytes {
    /**
     * How far behind a gap a byte may be that goes on: another instance's bytes are kept back as far. A kernel gives a window of some 3
     * MiB by default; what is sent at the end of a lost window must reach it, as nothing else tells the instance of the loss soon.
     */
    static final int HELD_SPAN_MAX = 4 << 20;

    private static final TreeMap<Long, byte[]> NONE = new TreeMap<>();
    private static final byte[] NOTHING = {};

    private final int tailBytes;
    private final KeptBytes room;

    /** Of bytes without a gap: their hash, and a ring of the last ones. A connection that waits has neither. */
    private @Nullable MessageDigest hash;

    private byte[] tail = NOTHING;
    private TreeMap<Long, byte[]> held = NONE;
    private long hashed;
    private int heldBytes;

    /** Takes bytes of one connection from the first one on, and keeps none of the last ones. */
    public DeliveredBytes() {
        this(0, KeptBytes.unbounded());
    }

    /**
     * Takes bytes from the first one on, and keeps some, for {@link #tail}.
     *
     * @param tailBytes how many of the last ones that have gone on without a gap
     * @param room what those behind a gap are taken of
     */
    public DeliveredBytes(int tailBytes, KeptBytes room) {
        this.tailBytes = tailBytes;
        this.room = room;
    }

    /** Takes bytes of a body over one connection, and keeps the overlap of a range. */
    public static DeliveredBytes ofBody() {
        return new DeliveredBytes(HttpExchange.OVERLAP_BYTES, KeptBytes.unbounded());
    }

    /**
     * Takes bytes that are to go on to the client.
     *
     * @param at position of the first
     * @return false if they must not go on
     */
    public boolean take(long at, byte[] bytes) {
        if (at > hashed) {
            return hold(at, bytes);
        }
        append(at, bytes);
        for (Map.Entry<Long, byte[]> next = held.firstEntry(); next != null && next.getKey() <= hashed; next = held.firstEntry()) {
            held.remove(next.getKey());
            heldBytes -= next.getValue().length;
            room.free(next.getValue().length);
            append(next.getKey(), next.getValue());
        }
        return true;
    }

    /** Gives back the room of what is kept behind a gap: the flow is over, or has another response. */
    public void forget() {
        room.free(heldBytes);
        heldBytes = 0;
        held = NONE;
    }

    private boolean hold(long at, byte[] bytes) {
        byte[] there = held.get(at);
        int more = bytes.length - (there == null ? 0 : there.length);
        if (more <= 0) {
            return true;
        }
        if (at + bytes.length - hashed > HELD_SPAN_MAX || !room.take(more)) {
            return false;
        }
        held = held.isEmpty() ? new TreeMap<>() : held;
        held.put(at, bytes.clone());
        heldBytes += more;
        return true;
    }

    private void append(long at, byte[] bytes) {
        long known = hashed - at;
        if (known < bytes.length) {
            MessageDigest of = hash;
            if (of == null) {
                of = Sha256.begin();
                hash = of;
                tail = new byte[tailBytes];
            }
            of.update(bytes, (int) known, (int) (bytes.length - known));
            hashed = at + bytes.length;
            for (int i = (int) Math.max(known, bytes.length - tail.length); i < bytes.length; ) {
                int place = (int) ((at + i) % tail.length);
                int some = Math.min(bytes.length - i, tail.length - place);
                System.arraycopy(bytes, i, tail, place, some);
                i += some;
            }
        }
    }

    /** Returns the last bytes that have gone on without a gap; no more than are kept. */
    public byte[] tail(int count) {
        byte[] last = new byte[count];
        for (int i = 0; i < count; i++) {
            last[i] = tail[(int) ((hashed - count + i) % tail.length)];
        }
        return last;
    }

    /** Returns the bytes that have gone on without a gap. */
    public long withoutGap() {
        return hashed;
    }

    /** Returns a comparison with what another instance sends from its first byte on. */
    public Comparison compare() {
        try {
            MessageDigest of = hash == null ? Sha256.begin() : (MessageDigest) hash.clone();
            return new Comparison(hashed, of.digest(), new TreeMap<>(held));
        } catch (CloneNotSupportedException e) {
            throw new AssertionError("the JDK's own SHA-256 can be cloned", e);
        }
    }

    /**
     * Another instance's bytes, in order. They go on to the client when all that the client may have has come again and was
     * equal; until then they are kept back, as the first new byte joins what is on either side of it.
     */
    public static final class Comparison {
        private final MessageDigest hash = Sha256.begin();
        private final long known;
        private final byte[] expected;
        private final SortedMap<Long, byte[]> held;
        private final long end;
        private final ByteArrayOutputStream back = new ByteArrayOutputStream();
        private long at;
        private boolean differs;

        private Comparison(long known, byte[] expected, SortedMap<Long, byte[]> held) {
            this.known = known;
            this.expected = expected;
            this.held = held;
            long last = known;
            for (Map.Entry<Long, byte[]> each : held.entrySet()) {
                last = Math.max(last, each.getKey() + each.getValue().length);
            }
            this.end = last;
            this.differs = known == 0 && !MessageDigest.isEqual(hash.digest(), expected);
        }

        /** Takes the next bytes; returns those that may go on, which begin where the client's bytes without a gap end. */
        public byte[] take(byte[] bytes) {
            int old = (int) Math.min(Math.max(0, known - at), bytes.length);
            hash.update(bytes, 0, old);
            if (old > 0 && at + old == known) {
                differs |= !MessageDigest.isEqual(hash.digest(), expected);
            }
            byte[] fresh = old == 0 ? bytes : Arrays.copyOfRange(bytes, old, bytes.length);
            differs |= !isAsHeld(at + old, fresh);
            at += bytes.length;
            back.writeBytes(fresh);
            if (differs || at < end || at < known) {
                return NOTHING;
            }
            byte[] free = back.toByteArray();
            back.reset();
            return free;
        }

        private boolean isAsHeld(long from, byte[] bytes) {
            for (Map.Entry<Long, byte[]> each : held.entrySet()) {
                long first = Math.max(from, each.getKey());
                long last = Math.min(from + bytes.length, each.getKey() + each.getValue().length);
                if (first < last
                        && !Arrays.equals(
                                bytes, (int) (first - from), (int) (last - from),
                                each.getValue(), (int) (first - each.getKey()), (int) (last - each.getKey()))) {
                    return false;
                }
            }
            return true;
        }

        /** Returns whether the instance has sent other bytes than the client may have: the flow is to be reset. */
        public boolean differs() {
            return differs;
        }

        /** Returns how many bytes are kept back at most, from the first gap on. */
        public long keptBack() {
            return end - known;
        }

        /** Returns how many bytes are still to come before some may go on. */
        public long left() {
            return Math.max(0, end - at);
        }
    }
}
