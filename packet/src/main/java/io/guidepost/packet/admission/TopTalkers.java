package io.guidepost.packet.admission;

import io.guidepost.base.DatagramClassifier;
import io.guidepost.base.SourceNetwork;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The busiest source networks of a queue and the names asked for most, with what admission control did to them; for an operator
 * who looks. Nothing is counted until somebody {@linkplain #watch watches}, and a few seconds after the last look.
 *
 * <p>Why not out of the sketches that policies have? They count under overload alone, and they know hashes, out of which no network
 * or name can be read. So a table of {@value #KEYS} keys beside the verdicts counts, by Space-Saving (Metwally, Agrawal,
 * El Abbadi, Efficient computation of frequent and top-k elements in data streams, 2005): a key that is not there takes the place
 * of the least, and its count. Of a burst the first datagram counts, and one of {@value #EACH} others for all of those.
 *
 * <p>The worker counts and others read under one lock, which is taken for counted datagrams alone.
 */
public final class TopTalkers {
    private static final int KEYS = 64;
    private static final int EACH = 16;

    /** A busy key's share of the period before is what is told: long enough for some counts, short enough to be "now". */
    private static final int PERIOD_MILLIS = 2000;

    /** How long after the last look it is counted. */
    private static final int WATCHED_MILLIS = 10_000;

    /**
     * A source network or a name.
     *
     * @param key a network as text, or a name as its protocol writes it
     * @param perSecond datagrams
     * @param heldPerSecond of these, what was deferred or dropped
     * @param reason of the last such; empty if there was none
     */
    public record Talker(String key, double perSecond, double heldPerSecond, Optional<Drop> reason) {}

    private final DatagramClassifier classifier;
    private Table networks = new Table();
    private Table networksBefore = new Table();
    private Table names = new Table();
    private Table namesBefore = new Table();
    private long beganMillis;
    private long tookMillis;
    private volatile long untilMillis;

    /** Of the worker alone. */
    private boolean watched;

    private boolean first;
    private long nowMillis;
    private int others;

    /** Counts of some keys. */
    private static final class Table {
        final long[] keys = new long[KEYS];
        final long[] counts = new long[KEYS];
        final long[] held = new long[KEYS];
        final String[] texts = new String[KEYS];
        final @Nullable Drop[] reasons = new Drop[KEYS];
        int size;

        /** Counts a key; returns its place, and {@code ~place} if it is new there and needs a text. */
        int add(long key, int weight, boolean holds, Drop reason) {
            int least = 0;
            for (int i = 0; i < size; i++) {
                if (keys[i] == key) {
                    count(i, weight, holds, reason);
                    return i;
                }
                least = counts[i] < counts[least] ? i : least;
            }
            int at = size < KEYS ? size++ : least;
            keys[at] = key;
            held[at] = 0;
            reasons[at] = null;
            count(at, weight, holds, reason);
            return ~at;
        }

        private void count(int at, int weight, boolean holds, Drop reason) {
            counts[at] += weight;
            if (holds) {
                held[at] += weight;
                reasons[at] = reason;
            }
        }

        void clear() {
            size = 0;
            Arrays.fill(counts, 0);
        }

        List<Talker> told(double seconds) {
            List<Talker> all = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                all.add(new Talker(texts[i], counts[i] / seconds, held[i] / seconds, Optional.ofNullable(reasons[i])));
            }
            all.sort(Comparator.comparingDouble(Talker::perSecond).reversed());
            return all;
        }
    }

    TopTalkers(DatagramClassifier classifier) {
        this.classifier = classifier;
    }

    /** Has the next seconds counted. */
    public void watch(long millis) {
        untilMillis = millis + WATCHED_MILLIS;
    }

    /** Returns the networks of the last period, the busiest first; none before there was one. */
    public synchronized List<Talker> networks(long millis) {
        return isRecent(millis) ? networksBefore.told(tookMillis / 1000.0) : List.of();
    }

    /** Returns the names of the last period, the one asked for most first. */
    public synchronized List<Talker> names(long millis) {
        return isRecent(millis) ? namesBefore.told(tookMillis / 1000.0) : List.of();
    }

    private boolean isRecent(long millis) {
        return tookMillis > 0 && millis - beganMillis < 2 * PERIOD_MILLIS;
    }

    /** Begins a turn of the worker. */
    void begin(long millis) {
        boolean was = watched;
        watched = millis < untilMillis;
        first = true;
        nowMillis = millis;
        if (watched && !was) {
            restart();
        } else if (watched && millis - beganMillis >= PERIOD_MILLIS) {
            turnOver();
        }
    }

    private synchronized void restart() {
        networks.clear();
        names.clear();
        tookMillis = 0;
        beganMillis = nowMillis;
    }

    private synchronized void turnOver() {
        tookMillis = nowMillis - beganMillis;
        Table free = networksBefore;
        networksBefore = networks;
        networks = free;
        free = namesBefore;
        namesBefore = names;
        names = free;
        networks.clear();
        names.clear();
        beganMillis = nowMillis;
    }

    /** Counts a datagram, if somebody watches and it is one of those that count. */
    void count(Burst in, int index, boolean holds, AdmissionPolicy policy) {
        if (watched) {
            int weight = first ? 1 : ++others % EACH == 0 ? EACH : 0;
            first = false;
            if (weight > 0) {
                add(in, index, weight, holds, policy.reason());
            }
        }
    }

    private synchronized void add(Burst in, int index, int weight, boolean holds, Drop reason) {
        long high = in.peerHigh(index);
        long low = in.peerLow(index);
        int network = networks.add(SourceNetwork.of(high, low), weight, holds, reason);
        if (network < 0) {
            networks.texts[~network] = SourceNetwork.prefix(high, low).toString();
        }
        long key = classifier.name(in.segment(), in.offset(index), in.length(index));
        if (key != DatagramClassifier.NO_NAME) {
            int name = names.add(key, weight, holds, reason);
            if (name < 0) {
                names.texts[~name] = classifier.nameText(in.segment(), in.offset(index), in.length(index));
            }
        }
    }
}
