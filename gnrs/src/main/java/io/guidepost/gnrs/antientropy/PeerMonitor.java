package io.guidepost.gnrs.antientropy;

import io.guidepost.base.TokenBucket;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.DigestRanges;
import io.guidepost.gnrs.replica.SyncLimits;
import io.guidepost.gnrs.replica.SyncState;
import io.guidepost.store.HybridClock;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Monitors the peers: pings each on schedule as a health check, and compares digests with those that keep the same
 * records. Each peer is greeted once for each set of tables, because an unknown one may have records that are missing
 * here: in a deployment of n servers n² short messages, at a bounded rate; those that are known to share records come first.
 * After that all peers are pinged where they are few, so that an operator sees one that is gone before anybody asks it; where they
 * are many, those that share records, hints or moving records.
 *
 * <p>A peer that leaves a ping unanswered is pinged again at once, and again, each time with twice the patience: so it counts
 * as down within an interval and two timeouts, and one that is merely slow or busy has the whole timeout in the end.
 */
final class PeerMonitor {
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** The first ping of an interval waits for this part of a timeout: a peer that answers slower is known to, see {@link #patience}. */
    private static final int FIRST_PATIENCE = 4;

    private final Deployment deployment;
    private final AntiEntropy home;
    private final ThrottledRequests talk;
    private final HintReplay replay;
    private final RandomGenerator random;
    private final TokenBucket pings = new TokenBucket(SyncLimits.PINGS_PER_SECOND_MAX, SyncLimits.PINGS_PER_SECOND_MAX / 10.0);
    private final Map<InetSocketAddress, SyncSchedule> courses = new LinkedHashMap<>();
    private final PriorityQueue<Due> queue = new PriorityQueue<>((left, right) -> Long.signum(left.nanos - right.nanos));

    /** The same, for other threads. */
    private volatile List<SyncSchedule> known = List.of();

    private final long pingNanos;
    private final long compareNanos;

    /** The number of the tables in force: what was learnt under other ones does not count. */
    private int epoch;

    /** Peers that have not been greeted under these tables. */
    private int ungreeted;

    /** Those of them that wait for their turn, in its order: the ones that share records are first. */
    private List<SyncSchedule> greetings = List.of();

    private int nextGreeting;

    /** The peers as of this version of their table are in {@link #courses}. */
    private int peersVersion = -1;

    /** Peers that this server is not in line with, see {@link SyncState#inLine}. */
    private int behind;

    /** Those of them that share records, as of the last walk; -1 if it found none that do, or the digests are not complete. */
    private int sharingBehind = -1;

    /** A peer that was not settled when {@link #settled} was asked last, which is asked often. */
    private @Nullable SyncSchedule notSettled;

    private long walkDueNanos;
    private long walkedAtNanos;
    private boolean isolated;
    private boolean differing;

    /** Whether peers are so few that all of them are pinged: with half of the pings of a second, as others are greeted too. */
    private boolean few;

    /** The time at which a peer is due; valid while its schedule has the same time. */
    private record Due(SyncSchedule course, long nanos) {}

    PeerMonitor(Deployment deployment, AntiEntropy home, ThrottledRequests talk, HintReplay replay, RandomGenerator random) {
        this.deployment = deployment;
        this.home = home;
        this.talk = talk;
        this.replay = replay;
        this.random = random;
        this.pingNanos = deployment.settings().pingMillis() * 1_000_000L;
        this.compareNanos = deployment.settings().compareMillis() * 1_000_000L;
        this.walkDueNanos = talk.nanos();
        this.walkedAtNanos = walkDueNanos - SyncLimits.WALK_NANOS;
    }

    /** Returns all of them; any thread may call. */
    List<SyncSchedule> all() {
        return known;
    }

    /** Schedules a greeting of all peers: the tables have changed. */
    void newTables() {
        epoch++;
        for (SyncSchedule each : courses.values()) {
            each.partner.forget();
            each.silences = 0;
            each.pingDueNanos = talk.nanos();
            each.compareDueNanos = talk.nanos();
            each.sweeps = 0;
            each.queued = true;
        }
        ungreeted = courses.size();
        sharingBehind = -1;
        walkDueNanos = talk.nanos();
    }

    /** Schedules a walk over all peers soon, though not all the time. */
    void soon() {
        long rest = SyncLimits.WALK_NANOS * (1 + known.size() / SyncLimits.WALK_PEERS);
        long soonest = walkedAtNanos + Math.min(rest, SyncLimits.REST_NANOS);
        long now = talk.nanos();
        walkDueNanos = soonest - now > 0 ? soonest : now;
    }

    private void due(SyncSchedule course, long afterNanos) {
        course.dueNanos = talk.nanos() + afterNanos;
        queue.add(new Due(course, course.dueNanos));
    }

    private void greeted(SyncSchedule course) {
        if (course.greeted != epoch) {
            course.greeted = epoch;
            ungreeted--;
        }
    }

    long restNanos() {
        long rest = walkDueNanos - talk.nanos();
        Due first = queue.peek();
        if (first != null) {
            rest = Math.min(rest, first.nanos - talk.nanos());
        }
        if (nextGreeting < greetings.size()) {
            rest = Math.min(rest, Math.max(pings.nanosUntilOpen(), SyncLimits.CROWD_NANOS));
        }
        return Math.max(0, rest);
    }

    private boolean shares(SyncSchedule course) {
        return deployment.digests().records(course.partner.address()) > 0 || course.partner.theirRecords() > 0;
    }

    void work() {
        if (walkDueNanos - talk.nanos() <= 0) {
            walk();
        }
        for (Due first = queue.peek(); first != null && first.nanos - talk.nanos() <= 0; first = queue.peek()) {
            queue.remove();
            if (first.course.dueNanos == first.nanos) {
                look(first.course, shares(first.course));
            }
        }
        while (nextGreeting < greetings.size() && pings.isOpen(talk.nanos())) {
            SyncSchedule course = greetings.get(nextGreeting++);
            if (course.queued) {
                course.queued = false;
                look(course, shares(course));
            }
        }
    }

    /** Walks over all peers: once a second, and when the tables change. */
    private void walk() {
        long now = talk.nanos();
        walkedAtNanos = now;
        walkDueNanos = now + SyncLimits.REST_NANOS;
        takePeers(now);
        few = known.size() * NANOS_PER_SECOND <= pingNanos * (SyncLimits.PINGS_PER_SECOND_MAX / 2);
        int sharing = 0;
        int down = 0;
        int lag = 0;
        List<SyncSchedule> first = new ArrayList<>();
        List<SyncSchedule> last = new ArrayList<>();
        for (SyncSchedule each : known) {
            boolean shares = shares(each);
            if (each.queued) {
                (shares ? first : last).add(each);
            }
            look(each, shares);
            if (shares) {
                sharing++;
                down += each.peer().health() == Peer.Health.DOWN ? 1 : 0;
                lag += each.partner.inLine() ? 0 : 1;
            }
        }
        first.addAll(last);
        greetings = first;
        nextGreeting = 0;
        sharingBehind = sharing > 0 && deployment.digests().complete() ? lag : -1;
        cutOff(sharing, down);
    }

    /** Takes the peers that have come, and those that have been described anew. */
    private void takePeers(long now) {
        int version = deployment.peers().version();
        if (version == peersVersion) {
            return;
        }
        peersVersion = version;
        boolean inLine = behind == 0 && !courses.isEmpty();
        for (Peer each : deployment.peers().all()) {
            if (each.own() || each.descriptor().kind() != PeerDescriptor.Kind.GUIDEPOST) {
                continue;
            }
            SyncState partner = deployment.syncStates().of(each);
            if (!courses.containsKey(each.address())) {
                courses.put(each.address(), new SyncSchedule(partner, now));
                partner.inLine(inLine);
                behind += inLine ? 0 : 1;
                ungreeted++;
            }
        }
        known = List.copyOf(courses.values());
    }

    /** Looks at one peer: sends what is due, and schedules the next look. */
    private void look(SyncSchedule course, boolean shares) {
        long now = talk.nanos();
        boolean up = course.up();
        if (up && !course.wasUp) {
            course.compareDueNanos = now;
        }
        course.wasUp = up;
        boolean hinted = !deployment.hints().isEmpty();
        long next = Math.min(ping(course, shares, hinted, now), compare(course, shares, hinted, now));
        next = hinted ? Math.min(next, replay.look(course, now)) : next;
        differing |= up && course.partner.differs();
        if (!course.partner.inLine() && isInLine(course, shares, up)) {
            course.partner.inLine(true);
            behind--;
            sharingBehind -= shares && sharingBehind > 0 ? 1 : 0;
        }
        if (next < SyncLimits.REST_NANOS) {
            due(course, next);
        }
    }

    /** Returns whether a peer that has been greeted has nothing that is missing here, or does not respond, or has other tables. */
    private boolean isInLine(SyncSchedule course, boolean shares, boolean up) {
        return course.greeted == epoch
                && deployment.digests().complete()
                && (!up || !shares || course.partner.tables() == SyncState.Tables.OTHER || course.partner.hasAgreed());
    }

    /**
     * Detects a network partition: a server that loses most of its peers is likely to be the one cut off, and stale
     * when they are back.
     */
    private void cutOff(int sharing, int down) {
        if (sharing > 0 && 2 * down >= sharing) {
            isolated = true;
        } else if (isolated) {
            isolated = false;
            for (SyncSchedule each : known) {
                each.partner.forget();
                each.partner.inLine(false);
                each.compareDueNanos = talk.nanos();
            }
            behind = known.size();
            sharingBehind = -1;
            home.catchUpAgain();
        }
    }

    /** Returns whether all responding peers have been greeted under the tables in force. */
    boolean greeted() {
        return ungreeted == 0;
    }

    /** Returns whether a peer was seen to differ since {@link #takeDiffering}. */
    boolean differing() {
        return differing;
    }

    /** Notes that a peer differs that could not be attended to. */
    void differsStill() {
        differing = true;
    }

    /** Returns whether a peer was seen to differ since the last call. */
    boolean takeDiffering() {
        boolean was = differing;
        differing = false;
        return was;
    }

    /** Returns whether this server is in line with all responding peers that have the same tables. */
    boolean inLine() {
        return peersVersion >= 0 && behind == 0;
    }

    /** Returns whether it is in line with those that are known to share records, of which there are some. */
    boolean inLineWithSharing() {
        return sharingBehind == 0;
    }

    /** Returns whether all responding peers have the tables in force, and no records that these place elsewhere. */
    boolean settled() {
        SyncSchedule last = notSettled;
        if (last == null || isSettled(last)) {
            notSettled = known.stream().filter(each -> !isSettled(each)).findFirst().orElse(null);
        }
        return notSettled == null;
    }

    private static boolean isSettled(SyncSchedule course) {
        return !course.up()
                || course.partner.tables() == SyncState.Tables.SAME && !course.partner.reports(PeerWire.MOVING);
    }

    /** Pings a peer if it is due; returns the time until the next ping. */
    private long ping(SyncSchedule course, boolean shares, boolean hinted, long now) {
        boolean greet = course.greeted != epoch;
        boolean other = course.partner.tables() != SyncState.Tables.SAME;
        boolean moving = deployment.unsettled() && (other || course.partner.reports(PeerWire.MOVING))
                || other && deployment.digests().elsewhere() > 0;
        boolean wanted = greet || moving || shares || few || hinted && deployment.hints().count(course.peer()) > 0;
        if (course.pinging || course.queued || !wanted) {
            return SyncLimits.REST_NANOS;
        }
        long since = now - course.peer().answeredAtNanos();
        if (!greet && !moving && course.up() && since < pingNanos) {
            course.pingDueNanos = now + pingNanos - since;
        }
        if (course.pingDueNanos - now > 0) {
            return course.pingDueNanos - now;
        }
        if (!pings.isOpen(now)) {
            return Math.max(pings.nanosUntilOpen(), SyncLimits.CROWD_NANOS);
        }
        if (!talk.ask(question(course), PingRequest.BYTES, patience(course))) {
            return SyncLimits.RETRY_NANOS;
        }
        pings.spend(1);
        course.pinging = true;
        return SyncLimits.REST_NANOS;
    }

    /** Returns how long a ping is waited for: of a peer that responded lately a multiple of its slow responses is enough. */
    private long patience(SyncSchedule course) {
        long timeout = talk.timeoutNanos();
        long first = Math.max(timeout / FIRST_PATIENCE, 2 * course.peer().slowNanos());
        return course.up() && course.silences < Peer.SILENCES_MAX ? Math.min(timeout, first << course.silences) : timeout;
    }

    private PingRequest question(SyncSchedule course) {
        int asked = epoch;
        long fingerprint = deployment.placement().get().fingerprint();
        return new PingRequest(course.peer(), home.own(), fingerprint, home.nowMillis(), deployment.flags()) {
            @Override
            void ponged(boolean sameTables, long clock, long records, int theirFlags) {
                long skew = HybridClock.millis(clock) - home.nowMillis();
                if (skew <= deployment.settings().stampAheadMillis()) {
                    deployment.clock().seen(clock);
                }
                if (asked == epoch) {
                    course.partner.said(sameTables, theirFlags, records, skew);
                    greeted(course);
                }
                course.silences = 0;
                ended();
            }

            @Override
            public void silent() {
                if (++course.silences >= Peer.SILENCES_MAX && asked == epoch) {
                    greeted(course);
                }
                ended();
            }

            private void ended() {
                course.pinging = false;
                boolean doubtful = course.silences > 0 && course.silences < Peer.SILENCES_MAX;
                course.pingDueNanos = talk.nanos() + (course.greeted == epoch && !doubtful ? pingNanos : 0);
                due(course, 0);
            }
        };
    }

    /** Compares digests with a peer if it is due; returns the time until the next comparison. */
    private long compare(SyncSchedule course, boolean shares, boolean hinted, long now) {
        boolean asked = course.partner.takeRequested();
        if (asked || hinted && deployment.hints().lost(course.peer())) {
            course.compareDueNanos = now;
        }
        if (course.comparing > 0 || course.sweeping || course.partner.differs()) {
            return SyncLimits.REST_NANOS;
        }
        if (!shares && !asked || course.greeted != epoch || course.partner.tables() != SyncState.Tables.SAME) {
            return SyncLimits.REST_NANOS;
        }
        if (!deployment.digests().complete() || course.peer().health() == Peer.Health.DOWN) {
            return SyncLimits.REST_NANOS;
        }
        if (course.sweeps == 0 && course.partner.suspects()) {
            // As the peer's own request found, which may tell of records that have come since.
            course.compareDueNanos = Math.min(course.compareDueNanos - now, SyncLimits.CONFIRM_NANOS) + now;
        }
        if (course.compareDueNanos - now > 0) {
            return course.compareDueNanos - now;
        }
        if (!talk.open() || talk.room() < 2 || home.own() == null) {
            return SyncLimits.RETRY_NANOS / 10;
        }
        long[] ours = deployment.digests().ranges(course.partner.address());
        for (int first = 0; first < DigestRanges.COUNT; first += SyncLimits.DIGESTS_MAX) {
            if (talk.ask(sums(course, first, ours), DigestsRequest.BYTES)) {
                course.comparing++;
            }
        }
        course.compareDueNanos = now + compareNanos;
        return SyncLimits.REST_NANOS;
    }

    private DigestsRequest sums(SyncSchedule course, int first, long[] ours) {
        long fingerprint = deployment.placement().get().fingerprint();
        return new DigestsRequest(course.peer(), home.own(), fingerprint, first, ours) {
            @Override
            void otherTables() {
                course.partner.tablesSeen(false);
                compared(compareNanos);
            }

            @Override
            void notReady() {
                compared(SyncLimits.RETRY_NANOS / 4);
            }

            @Override
            void summed(long[] theirs) {
                // Compared with the digests of this moment: the peer has received later writes as well.
                long[] here = deployment.digests().ranges(course.partner.address());
                course.partner.compared(first, theirs.length, here, theirs, talk.nanos());
                boolean agrees = course.partner.agrees();
                course.sweeps = agrees ? 0 : course.sweeps;
                long jitter = random.nextLong(Math.max(1, compareNanos / 8));
                compared(agrees ? compareNanos - jitter : SyncLimits.CONFIRM_NANOS);
            }

            @Override
            public void silent() {
                compared(SyncLimits.RETRY_NANOS);
            }

            private void compared(long againNanos) {
                if (--course.comparing == 0) {
                    course.compareDueNanos = talk.nanos() + againNanos;
                    due(course, 0);
                }
            }
        };
    }

    /** Takes a peer from which this server differs in records that were not located. */
    void unsolved(SyncSchedule course) {
        course.sweeping = false;
        due(course, 0);
    }

    /** Schedules a new comparison after a search or a scan for the differences from a peer. */
    void swept(SyncSchedule course) {
        course.sweeping = false;
        course.sweeps++;
        long again = (course.sweeps - 1) * SyncLimits.CONFIRM_NANOS;
        course.compareDueNanos = talk.nanos() + Math.min(again, compareNanos);
        due(course, 0);
    }
}
