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
 * The asking of a record's servers for it, once for all who wait for it.
 *
 * <p>Servers are asked in the order that {@link ReplicaOrder} gives, and what they say is merged. If that is bound to something
 * it is enough that as many answered as are wanted, mostly one. If it is bound to nothing a majority of the servers must
 * have said so, as then no acknowledged write can have been missed; while records may be where the tables had them before,
 * a majority of those servers too. A server that is catching up may not have all: what it says is merged, but does not
 * count. Who is silent is asked again when there is nobody else, up to {@link ReplicationSettings#attemptsMax} times. So one fetch
 * costs at most that many questions for each server of both tables.
 *
 * <p>What comes when the answer is given already is merged into what is remembered; when nobody is waited for any more,
 * servers that said less than all together know are told.
 */
final class RecordFetch extends GuidHashTable.Entry {
    /** What became of asking a server. */
    enum State {
        /** Not asked, or silent so far. */
        OPEN,
        /** It is being asked. */
        ASKED,
        /** It has said all that it knows, which may be nothing. */
        SAID,
        /** It has said what it knows, but may lack something. */
        LAGGING,
        /** It refused, or what it says cannot be used. */
        REFUSED
    }

    /** A server that may have the record. */
    static final class Candidate {
        private final Peer peer;

        /** Whether the tables in force place the record there. */
        private final boolean placed;

        /** Whether the tables before did. */
        private final boolean before;

        private State state = State.OPEN;
        private int attempts;

        /** Digest of what it said. */
        private long digest;

        Candidate(Peer peer, boolean placed, boolean before) {
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

        /** Whether it has said what has that digest, while all together know what has another. */
        boolean saidOtherThan(long other) {
            return (state == State.SAID || state == State.LAGGING) && digest != other;
        }
    }

    private final RecordFetches home;
    private final byte[] guid = new byte[PeerWire.GUID_BYTES];
    private final int mark;
    private final List<Candidate> candidates;
    private final List<PeerGateway.Fetched> waiters = new ArrayList<>(1);
    private final int placed;
    private final int before;
    private final int wanted;

    private byte @Nullable [] merged;
    private int said;
    private int outstanding;
    private boolean raced;
    private boolean finished;

    RecordFetch(RecordFetches home, MemorySegment segment, long position, int mark, List<Candidate> candidates) {
        super(segment, position);
        this.home = home;
        this.mark = mark;
        this.candidates = candidates;
        guid(MemorySegment.ofArray(guid), 0);
        int now = 0;
        int then = 0;
        for (Candidate each : candidates) {
            now += each.placed ? 1 : 0;
            then += each.before ? 1 : 0;
        }
        placed = now;
        before = then;
        wanted = Math.min(home.settings().answers(), candidates.size());
    }

    /** The 20 bytes. */
    byte[] guid() {
        return guid;
    }

    /** Where the counter of its GUID stood when it began. */
    int mark() {
        return mark;
    }

    List<Candidate> candidates() {
        return candidates;
    }

    /** All that is known, or null for nothing. */
    byte @Nullable [] merged() {
        return merged;
    }

    /** Lets one more wait; false if too many do. */
    boolean join(PeerGateway.Fetched waiter) {
        return waiters.size() < RelayLimits.WAITERS_MAX && waiters.add(waiter);
    }

    /** Takes the own copy as what one of the servers said. */
    void own(byte @Nullable [] image, boolean lagging) {
        for (Candidate each : candidates) {
            if (each.peer.own() && each.state == State.OPEN) {
                hear(each, image, lagging);
                return;
            }
        }
        if (image != null) {
            merge(image);
        }
    }

    /** The own copy could not be read. */
    void ownUnknown() {
        for (Candidate each : candidates) {
            if (each.peer.own()) {
                each.state = State.REFUSED;
            }
        }
        if (candidates.isEmpty()) {
            // Without tables it is the only one.
            finish(PeerGateway.Fetch.FAILED);
        }
    }

    /** Asks whom it must, or ends. */
    void go() {
        if (finished) {
            return;
        }
        boolean bound = home.bound(merged);
        if (bound ? said >= wanted : nobodyKnows(State.SAID)) {
            finish(bound ? PeerGateway.Fetch.FOUND : PeerGateway.Fetch.EMPTY);
            return;
        }
        int want = want(bound) + (raced ? 1 : 0);
        boolean asking = true;
        while (outstanding < want && asking) {
            asking = askNext();
        }
        if (outstanding == 0) {
            boolean all = nobodyKnows(State.LAGGING);
            finish(bound ? PeerGateway.Fetch.FOUND : all ? PeerGateway.Fetch.EMPTY : PeerGateway.Fetch.FAILED);
        }
    }

    /** How many are to be asked at a time. */
    private int want(boolean bound) {
        if (said == 0 && home.settings().choice() == ReplicationSettings.Choice.ALL) {
            return candidates.size();
        }
        return bound || said == 0 ? Math.max(1, wanted - said) : Math.max(1, Math.max(missing(true), missing(false)));
    }

    /** Whether so many servers said that nothing is bound that it must be so. */
    private boolean nobodyKnows(State least) {
        if (least == State.LAGGING) {
            return count(true, State.SAID) + count(true, State.LAGGING) == placed
                    && count(false, State.SAID) + count(false, State.LAGGING) == before;
        }
        return missing(true) <= 0 && missing(false) <= 0;
    }

    /** How many servers of one of the tables must yet answer for a majority. */
    private int missing(boolean now) {
        int servers = now ? placed : before;
        return servers == 0 ? 0 : servers / 2 + 1 - count(now, State.SAID);
    }

    private int count(boolean now, State state) {
        int count = 0;
        for (int i = 0; i < candidates.size(); i++) {
            Candidate each = candidates.get(i);
            count += each.state == state && (now ? each.placed : each.before) ? 1 : 0;
        }
        return count;
    }

    /** Asks one more server: one not asked yet, or one that was silent; false if there is none, or no room. */
    private boolean askNext() {
        Candidate next = null;
        for (int i = 0; i < candidates.size(); i++) {
            Candidate each = candidates.get(i);
            if (each.state == State.OPEN
                    && !each.peer.own()
                    && each.attempts < home.settings().attemptsMax()
                    && (next == null || each.attempts < next.attempts)) {
                next = each;
            }
        }
        if (next == null || !home.ask(this, next, next.attempts > 0 || last(next))) {
            return false;
        }
        next.state = State.ASKED;
        next.attempts++;
        outstanding++;
        return true;
    }

    /** Whether nobody else could be asked instead. */
    private boolean last(Candidate next) {
        for (int i = 0; i < candidates.size(); i++) {
            Candidate each = candidates.get(i);
            if (!each.equals(next) && each.state == State.OPEN && !each.peer.own()) {
                return false;
            }
        }
        return true;
    }

    /** A server has answered. */
    void said(Candidate candidate, byte @Nullable [] image, boolean lagging) {
        outstanding--;
        hear(candidate, image, lagging);
        after();
    }

    /** A server has refused, or said what cannot be used. */
    void refused(Candidate candidate) {
        outstanding--;
        candidate.state = State.REFUSED;
        after();
    }

    /** A server did not answer in time. */
    void silent(Candidate candidate) {
        outstanding--;
        candidate.state = State.OPEN;
        after();
    }

    /** A server takes longer than it mostly does: another one is asked beside it, once. */
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

    private void hear(Candidate candidate, byte @Nullable [] image, boolean lagging) {
        candidate.state = lagging ? State.LAGGING : State.SAID;
        said += lagging ? 0 : 1;
        if (image != null) {
            candidate.digest = RecordImage.digest(MemorySegment.ofArray(image), 0);
            merge(image);
        }
    }

    @SuppressWarnings("ReferenceEquality") // KEEP is told from records by what it is.
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
