package io.guidepost.gnrs.relay;

import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.peer.GuidHashTable;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A quorum read of a record from its servers, shared by all clients that wait for it.
 *
 * <p>Servers are asked in the order of {@link ReplicaOrder}, and their answers are merged. If the merged record has bindings,
 * the configured number of answers suffices, mostly one. If it has none, a majority of the servers must have said so,
 * because then no acknowledged write can have been missed; while records may still be where the previous tables had
 * them, a majority of those servers too. A server that is catching up may miss writes: its answer is merged, but does
 * not count. A silent server is retried when no other one is left, up to {@link ReplicationSettings#attemptsMax} times. So one
 * fetch costs at most that many requests for each server of both tables.
 *
 * <p>Answers after the decision are merged into the cache. When all requests have ended, read repair sends the merged
 * record to the servers that had less.
 */
final class RecordFetch extends GuidHashTable.Entry {
    enum State {
        /** Not asked, or silent so far. */
        OPEN,
        /** A request is in flight. */
        ASKED,
        /** It has answered with all that it knows, which may be nothing. */
        SAID,
        /** It has answered, but may miss writes. */
        LAGGING,
        /** It refused, or its answer is unusable. */
        REFUSED
    }

    /** A server that may have the record. */
    static final class ReplicaCandidate {
        private final Peer peer;

        /** Whether the tables in force place the record there. */
        private final boolean placed;

        /** Whether the previous tables did. */
        private final boolean before;

        private State state = State.OPEN;
        private int attempts;

        /** Digest of its answer. */
        private long digest;

        ReplicaCandidate(Peer peer, boolean placed, boolean before) {
            this.peer = peer;
            this.placed = placed;
            this.before = before;
        }

        Peer peer() {
            return peer;
        }

        boolean placed() {
            return placed;
        }

        /** Returns whether its answer has that digest, while the merged record has another. */
        boolean saidOtherThan(long other) {
            return (state == State.SAID || state == State.LAGGING) && digest != other;
        }
    }

    private final RecordFetches home;
    private final byte[] guid = new byte[PeerWire.GUID_BYTES];
    private final int mark;
    private final List<ReplicaCandidate> candidates;
    private final List<PeerGateway.Fetched> waiters = new ArrayList<>(1);
    private final int placed;
    private final int before;
    private final int wanted;

    private byte @Nullable [] merged;
    private int replies;
    private int outstanding;
    private boolean raced;
    private boolean finished;

    RecordFetch(RecordFetches home, MemorySegment segment, long position, int mark, List<ReplicaCandidate> candidates) {
        super(segment, position);
        this.home = home;
        this.mark = mark;
        this.candidates = candidates;
        guid(MemorySegment.ofArray(guid), 0);
        int now = 0;
        int then = 0;
        for (ReplicaCandidate each : candidates) {
            now += each.placed ? 1 : 0;
            then += each.before ? 1 : 0;
        }
        placed = now;
        before = then;
        wanted = Math.min(home.settings().answers(), candidates.size());
    }

    byte[] guid() {
        return guid;
    }

    /** Returns the value of its GUID's change counter when the fetch began. */
    int mark() {
        return mark;
    }

    List<ReplicaCandidate> candidates() {
        return candidates;
    }

    byte @Nullable [] merged() {
        return merged;
    }

    /** Adds a waiter; returns false if there are too many. */
    boolean join(PeerGateway.Fetched waiter) {
        return waiters.size() < RelayLimits.WAITERS_MAX && waiters.add(waiter);
    }

    /** Takes the local copy as the answer of one of the servers. */
    void own(byte @Nullable [] image, boolean lagging) {
        for (ReplicaCandidate each : candidates) {
            if (each.peer.own() && each.state == State.OPEN) {
                takeResponse(each, image, lagging);
                return;
            }
        }
        if (image != null) {
            merge(image);
        }
    }

    void localUnknown() {
        for (ReplicaCandidate each : candidates) {
            if (each.peer.own()) {
                each.state = State.REFUSED;
            }
        }
        if (candidates.isEmpty()) {
            // Without tables it is the only one.
            finish(PeerGateway.Fetch.FAILED);
        }
    }

    /** Sends the requests that are needed, or ends. */
    void go() {
        if (finished) {
            return;
        }
        boolean bound = home.bound(merged);
        if (bound ? replies >= wanted : negative(State.SAID)) {
            finish(bound ? PeerGateway.Fetch.FOUND : PeerGateway.Fetch.EMPTY);
            return;
        }
        int want = want(bound) + (raced ? 1 : 0);
        boolean asking = true;
        while (outstanding < want && asking) {
            asking = requestNext();
        }
        if (outstanding == 0) {
            boolean all = negative(State.LAGGING);
            finish(bound ? PeerGateway.Fetch.FOUND : all ? PeerGateway.Fetch.EMPTY : PeerGateway.Fetch.FAILED);
        }
    }

    /** Returns the number of servers to ask at a time. */
    private int want(boolean bound) {
        if (replies == 0 && home.settings().choice() == ReplicationSettings.Choice.ALL) {
            return candidates.size();
        }
        return bound || replies == 0 ? Math.max(1, wanted - replies) : Math.max(1, Math.max(missing(true), missing(false)));
    }

    /** Returns whether a majority of the servers has answered that the record has no bindings. */
    private boolean negative(State least) {
        if (least == State.LAGGING) {
            return count(true, State.SAID) + count(true, State.LAGGING) == placed
                    && count(false, State.SAID) + count(false, State.LAGGING) == before;
        }
        return missing(true) <= 0 && missing(false) <= 0;
    }

    /** Returns the number of answers missing for a majority of the servers of one of the tables. */
    private int missing(boolean now) {
        int servers = now ? placed : before;
        return servers == 0 ? 0 : servers / 2 + 1 - count(now, State.SAID);
    }

    private int count(boolean now, State state) {
        int count = 0;
        for (int i = 0; i < candidates.size(); i++) {
            ReplicaCandidate each = candidates.get(i);
            count += each.state == state && (now ? each.placed : each.before) ? 1 : 0;
        }
        return count;
    }

    /** Asks one more server: one not asked yet, or one that was silent; returns false if there is none, or no room. */
    private boolean requestNext() {
        ReplicaCandidate next = null;
        for (int i = 0; i < candidates.size(); i++) {
            ReplicaCandidate each = candidates.get(i);
            if (each.state == State.OPEN
                    && !each.peer.own()
                    && each.attempts < home.settings().attemptsMax()
                    && (next == null || each.attempts < next.attempts)) {
                next = each;
            }
        }
        if (next == null || !home.request(this, next, next.attempts > 0 || last(next))) {
            return false;
        }
        next.state = State.ASKED;
        next.attempts++;
        outstanding++;
        return true;
    }

    /** Returns whether no other server could be asked instead. */
    private boolean last(ReplicaCandidate next) {
        for (int i = 0; i < candidates.size(); i++) {
            ReplicaCandidate each = candidates.get(i);
            if (!each.equals(next) && each.state == State.OPEN && !each.peer.own()) {
                return false;
            }
        }
        return true;
    }

    void takeReply(ReplicaCandidate candidate, byte @Nullable [] image, boolean lagging) {
        outstanding--;
        takeResponse(candidate, image, lagging);
        after();
    }

    /** Takes a server's refusal, or an unusable answer. */
    void refused(ReplicaCandidate candidate) {
        outstanding--;
        candidate.state = State.REFUSED;
        after();
    }

    void silent(ReplicaCandidate candidate) {
        outstanding--;
        candidate.state = State.OPEN;
        after();
    }

    /** Sends a hedged request to one more server, once: the server takes longer than it mostly does. */
    void late() {
        if (!finished && !raced) {
            raced = true;
            go();
        }
    }

    private void after() {
        if (finished) {
            if (outstanding == 0) {
                home.over(this);
            }
        } else {
            go();
        }
    }

    private void takeResponse(ReplicaCandidate candidate, byte @Nullable [] image, boolean lagging) {
        candidate.state = lagging ? State.LAGGING : State.SAID;
        replies += lagging ? 0 : 1;
        if (image != null) {
            candidate.digest = RecordImage.digest(MemorySegment.ofArray(image), 0);
            merge(image);
        }
    }

    @SuppressWarnings("ReferenceEquality") // KEEP is told from records by identity.
    private void merge(byte[] image) {
        byte[] known = merged;
        if (known == null) {
            merged = image;
            return;
        }
        byte[] next = RecordMerge.merge(known, image, 0, home.nowMillis(), home.settings().tombstoneMillis());
        if (next != RecordStore.Change.KEEP) {
            merged = next;
            if (finished) {
                home.remember(this);
            }
        }
    }

    private void finish(PeerGateway.Fetch outcome) {
        finished = true;
        home.finished(this, outcome);
        byte[] image = outcome == PeerGateway.Fetch.FOUND ? merged : null;
        for (int i = 0; i < waiters.size(); i++) {
            waiters.get(i).fetched(outcome, image);
        }
        waiters.clear();
        if (outstanding == 0) {
            home.over(this);
        }
    }
}
