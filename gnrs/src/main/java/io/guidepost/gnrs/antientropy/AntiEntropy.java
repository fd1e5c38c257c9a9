package io.guidepost.gnrs.antientropy;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.MessageSeal;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerRequests;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.DigestRanges;
import io.guidepost.gnrs.replica.RangeDigests;
import io.guidepost.gnrs.replica.SyncLimits;
import io.guidepost.gnrs.replica.SyncProgress;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Anti-entropy: brings the replicas of this server into line with those of its peers. A door of its own, on a port and a
 * thread of its own, which may wait for the disk. Requests of peers go to the other doors; this one receives the responses
 * to its own requests.
 *
 * <ol>
 *   <li>It pings each peer as a health check ({@link PeerMonitor}), and replays the hints for a peer that responds again
 *       ({@link HintReplay}: hinted handoff, DeCandia et al., Dynamo, 2007).
 *   <li>It compares digests of ranges of GUIDs ({@link RangeDigests}) with the peers that keep the same records. Where they
 *       differ for longer than a write takes, {@link DifferenceLocator} finds the records, or, where many differ, {@link
 *       AntiEntropyScan}, and {@link RecordReconciler} reconciles them (anti-entropy: Demers et al., Epidemic algorithms for
 *       replicated database maintenance, 1987).
 *   <li>After a change of tables it hands over records that are placed elsewhere now ({@link Rebalancer}), and calls {@link
 *       io.guidepost.gnrs.placement.LivePlacement#settle} when all responding peers have done the same.
 * </ol>
 *
 * <p>A server that was down for longer than the lifetime of tombstones must not bring deleted bindings back. It detects
 * that by a heartbeat mark once a minute ({@link DowntimeGuard}), reports it to its peers, and until it has caught up drops
 * bindings from before that time that they do not have, see {@link RecordReconciler}.
 *
 * <p>A token bucket of bytes per second and a number of requests in flight bound all of it. Any thread may call
 * {@link #progress} and {@link #counts}; the rest belongs to one thread.
 */
public final class AntiEntropy implements Door {
    private final Deployment deployment;
    private final Counters<PeerCount> counts = new Counters<>(PeerCount.class);
    private final PeerRequests questions;
    private final ThrottledRequests talk;
    private final LocalReplicas copies;
    private final RecordReconciler fixes;
    private final Rebalancer handovers;
    private final HintReplay replay;
    private final PeerMonitor contacts;
    private final DifferenceLocator locator;
    private final DowntimeGuard absence;
    private @Nullable AntiEntropyScan sweep;

    /** Whether a peer differs in records that a scan must find. */
    private boolean scanDue;

    private @Nullable Placement placed;
    private @Nullable Peer own;
    private long nowMillis;
    private long markDueNanos;
    private boolean begun;
    private boolean caughtUp;
    private boolean longDowntime;

    /** Whether this store has served before, so that the records in it tell who shares them. */
    private boolean wasHere;

    private long handOverDueNanos;
    private boolean counting;
    private boolean worked;
    private volatile int sweepPercent = -1;

    /**
     * Creates the anti-entropy of a server; once. It is a door of its own.
     *
     * @param wake called by other threads when it has work; must be cheap
     */
    public AntiEntropy(Deployment deployment, Runnable wake) {
        this.deployment = deployment;
        deployment.antiEntropy(wake);
        this.questions = new PeerRequests(
                SyncLimits.QUESTIONS_MAX,
                0,
                0,
                new MessageSeal(deployment.settings().key()),
                deployment.random(),
                deployment.nanoClock(),
                counts);
        ReplicationSettings settings = deployment.settings();
        this.talk = new ThrottledRequests(questions, settings, deployment.nanoClock());
        this.copies = new LocalReplicas(deployment);
        this.fixes = new RecordReconciler(this, talk, copies, counts);
        this.handovers = new Rebalancer(talk, copies, deployment, counts);
        this.replay = new HintReplay(deployment.hints(), talk, counts);
        this.contacts = new PeerMonitor(deployment, this, talk, replay, deployment.random());
        this.locator = new DifferenceLocator(deployment, this, talk, copies, fixes, contacts, counts);
        this.absence = new DowntimeGuard(deployment.store());
        this.handOverDueNanos = talk.nanos();
    }

    /** Returns the counters; any thread may read. */
    public Counters<PeerCount> counts() {
        return counts;
    }

    /** Returns the progress; any thread may call. */
    public SyncProgress progress() {
        long nanos = talk.nanos();
        List<SyncProgress.PeerProgress> servers = new ArrayList<>();
        for (SyncSchedule each : contacts.all()) {
            long records = deployment.digests().records(each.partner.address());
            int hints = deployment.hints().count(each.peer());
            servers.add(each.partner.progress(each.peer(), records, hints, nanos));
        }
        return new SyncProgress(
                deployment.catchingUp(),
                deployment.digests().complete(),
                sweepPercent,
                deployment.digests().elsewhere(),
                deployment.unsettled(),
                servers);
    }

    /** Returns this server as its peers know it; null if it stands in no binding, and keeps nothing. */
    @Nullable Peer own() {
        return own;
    }

    long nowMillis() {
        return nowMillis;
    }

    /** Returns whether this server was down for longer than the tombstone lifetime, and has not caught up since. */
    boolean longDowntime() {
        return longDowntime;
    }

    /** Returns the time before which tombstones may have expired. */
    long forgottenMillis() {
        return Math.max(0, nowMillis - deployment.settings().tombstoneMillis());
    }

    /**
     * Starts over after an apparent network partition: records are compared before this server counts as complete
     * again.
     */
    void catchUpAgain() {
        caughtUp = false;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // A new placement is a new object, even if it is equal.
    public void begin(long now) {
        nowMillis = now;
        if (!begun) {
            begun = true;
            OptionalLong mark = absence.lastMark();
            wasHere = mark.isPresent();
            longDowntime = wasHere && DowntimeGuard.isLong(mark.getAsLong(), deployment.settings().tombstoneMillis(), now);
            markDueNanos = talk.nanos();
        }
        questions.expire();
        boolean counted = deployment.digests().complete();
        counting = deployment.digests().step();
        if (!counted && deployment.digests().complete()) {
            contacts.soon();
        }
        Placement current = deployment.placement().get();
        if (current != placed) {
            placed = current;
            own = deployment.peers().own().orElse(null);
            sweep = null;
            scanDue = false;
            locator.newTables();
            contacts.newTables();
            contacts.all().forEach(each -> each.sweeping = false);
        }
        if (deployment.takeWoken()) {
            contacts.soon();
        }
        worked = false;
        state();
        work();
    }

    private void work() {
        worked = true;
        contacts.work();
        replay.work();
        locate();
        if (sweep == null) {
            sweep = due();
        }
        if (sweep != null) {
            sweep.work();
            fixes.work();
            if (sweep.ended()) {
                sweep.targets().forEach(each -> contacts.swept(each.course));
                sweep = null;
                handOverDueNanos = talk.nanos() + SyncLimits.RETRY_NANOS;
            }
        }
        fixes.work();
        locator.work();
    }

    /** Has the records located in which peers differ, as far as these may be few and the bounds allow. */
    private void locate() {
        if (!talk.open() || !contacts.takeDiffering()) {
            return;
        }
        for (SyncSchedule each : contacts.all()) {
            if (!each.partner.differs() || !each.up() || each.sweeping) {
                continue;
            }
            if (!each.partner.isSoluble()) {
                scanDue = true;
            } else if (talk.open()) {
                locator.start(each);
            } else {
                contacts.differsStill();
            }
        }
    }

    private @Nullable AntiEntropyScan due() {
        if (placed == null || !deployment.digests().complete()) {
            return null;
        }
        boolean handOver = deployment.digests().elsewhere() > 0 && handOverDueNanos - talk.nanos() <= 0;
        if (!scanDue && !handOver) {
            return null;
        }
        scanDue = false;
        Map<InetSocketAddress, AntiEntropyScan.Target> targets = new LinkedHashMap<>();
        for (SyncSchedule each : contacts.all()) {
            if (each.partner.differs() && each.up() && !each.sweeping) {
                each.sweeping = true;
                long[] ranges = each.partner.takeDiffering();
                counts.add(PeerCount.DIFFERENCES_SCANNED, DigestRanges.size(ranges));
                targets.put(each.partner.address(), new AntiEntropyScan.Target(each, ranges));
            }
        }
        return targets.isEmpty() && !handOver
                ? null
                : new AntiEntropyScan(deployment, placed, talk, fixes, handovers, targets);
    }

    /** Publishes this server's state to its own workers and to peers. */
    private void state() {
        boolean counted = deployment.digests().complete();
        boolean moving = !counted || deployment.digests().elsewhere() > 0;
        if (deployment.unsettled() && placed != null && !moving && contacts.greeted() && contacts.settled()) {
            deployment.placement().settle(placed);
        }
        boolean inLine = counted && contacts.inLine();
        if (inLine) {
            longDowntime = false;
        }
        if (inLine || wasHere && counted && contacts.inLineWithSharing()) {
            caughtUp = true;
        }
        deployment.lagging(!inLine);
        boolean catchingUp = !caughtUp || deployment.unsettled();
        int flags = (catchingUp ? PeerWire.CATCHING_UP : 0)
                | (moving ? PeerWire.MOVING : 0)
                | (longDowntime ? PeerWire.AWAY_LONG : 0);
        deployment.flags(flags);
        long nanos = talk.nanos();
        if (markDueNanos - nanos <= 0 && !deployment.peers().alone()) {
            markDueNanos = nanos + SyncLimits.MARK_NANOS;
            absence.mark(nowMillis);
        }
    }

    @Override
    public void take(Exchange exchange) {
        int length = exchange.requestLength();
        boolean response = length >= PeerWire.HEADER_BYTES
                && (exchange.request().get(PeerWire.BYTE, exchange.requestOffset() + PeerWire.TYPE)
                                & PeerWire.RESPONSE_BIT)
                        != 0
                && Short.toUnsignedInt(exchange.request()
                                .get(PeerWire.SHORT, exchange.requestOffset() + PeerWire.LENGTH))
                        == length;
        if (response) {
            worked = false;
            questions.take(exchange);
        } else {
            counts.count(PeerCount.DROPS_NO_RESPONSE);
        }
    }

    @Override
    public boolean next(Exchange exchange) {
        if (questions.next(exchange)) {
            return true;
        }
        if (!worked) {
            work();
        }
        return questions.next(exchange);
    }

    @Override
    public void end() {
        state();
        AntiEntropyScan now = sweep;
        sweepPercent = now == null ? -1 : now.percent();
    }

    @Override
    public long restNanos() {
        if (counting) {
            return 0;
        }
        long rest = Math.min(questions.restNanos(), Math.min(contacts.restNanos(), SyncLimits.REST_NANOS));
        boolean more = contacts.differing() || replay.more() || fixes.more() || sweep != null && sweep.more();
        return more && talk.room() > 0 ? Math.min(rest, talk.restNanos()) : rest;
    }
}
