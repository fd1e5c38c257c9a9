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
import org.jspecify.annotations.Nullable;

/**
 * Brings the copies of this server into line with those of others: a door of its own, on a port and a thread of its own,
 * which may wait for the disk. Whatever others ask comes to the other doors; here come the answers to what this asks.
 *
 * <ol>
 *   <li>It asks each server whether it is there ({@link PeerMonitor}), and sends it what it did not confirm while it was
 *       not ({@link HintReplay}: hinted hand-off, DeCandia et al., Dynamo, 2007).
 *   <li>It compares sums of ranges of GUIDs ({@link RangeDigests}) with those who keep the same; of what differs for longer
 *       than a write takes, a {@link AntiEntropyScan} finds the records, and {@link RecordReconciler} bring them into line (anti-entropy:
 *       Demers et al., Epidemic algorithms for replicated database maintenance, 1987).
 *   <li>After tables have changed it hands over what is placed elsewhere now ({@link Rebalancer}), and says so to {@link
 *       io.guidepost.gnrs.placement.LivePlacement#settle} when all servers that answer have done the same.
 * </ol>
 *
 * <p>A server that was away for longer than it is kept in mind what was deleted must not bring it back. It tells by a
 * mark that it writes once a minute ({@link DowntimeGuard}), says so to the others, and until it has caught up drops what is
 * older than that and what they do not have, see {@link RecordReconciler}.
 *
 * <p>All of it is bounded in bytes per second and in questions under way. Any thread may ask for {@link #progress} and
 * {@link #counts}; the rest belongs to one thread.
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
    private final DowntimeGuard absence;
    private @Nullable AntiEntropyScan sweep;
    private @Nullable Placement placed;
    private @Nullable Peer own;
    private long nowMillis;
    private long markDueNanos;
    private boolean begun;
    private boolean caughtUp;
    private boolean awayLong;
    private long handOverDueNanos;
    private boolean counting;
    private boolean worked;
    private volatile int sweepPercent = -1;

    public AntiEntropy(Deployment deployment) {
        this.deployment = deployment;
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
        this.absence = new DowntimeGuard(deployment.store());
        this.handOverDueNanos = talk.nanos();
    }

    /** What was counted; any thread may read. */
    public Counters<PeerCount> counts() {
        return counts;
    }

    /** How far it is; any thread may ask. */
    public SyncProgress progress() {
        long nanos = talk.nanos();
        List<SyncProgress.Server> servers = new ArrayList<>();
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

    /** This server as others know it; null if it stands in no binding, and keeps nothing. */
    @Nullable Peer own() {
        return own;
    }

    long nowMillis() {
        return nowMillis;
    }

    /** Whether this server was away for longer than it is kept in mind what was deleted, and has not caught up since. */
    boolean awayLong() {
        return awayLong;
    }

    /** What was deleted before this time may be forgotten. */
    long forgottenMillis() {
        return Math.max(0, nowMillis - deployment.settings().tombstoneMillis());
    }

    /** This server seems to have been cut off: what it has is compared before it counts as whole again. */
    void catchUpAgain() {
        caughtUp = false;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // A new placement is a new object, whether or not it says the same.
    public void begin(long now) {
        nowMillis = now;
        if (!begun) {
            begun = true;
            awayLong = absence.longerThan(deployment.settings().tombstoneMillis(), now);
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
    }

    /** The sweep that is to be made now, if any. */
    private @Nullable AntiEntropyScan due() {
        if (placed == null || !deployment.digests().complete()) {
            return null;
        }
        boolean handOver = deployment.digests().elsewhere() > 0 && handOverDueNanos - talk.nanos() <= 0;
        if (!contacts.takeDiffering() && !handOver) {
            return null;
        }
        Map<InetSocketAddress, AntiEntropyScan.Target> targets = new LinkedHashMap<>();
        for (SyncSchedule each : contacts.all()) {
            if (each.partner.differs() && each.up()) {
                each.sweeping = true;
                targets.put(each.partner.address(), new AntiEntropyScan.Target(each, each.partner.takeDiffering()));
            }
        }
        return targets.isEmpty() && !handOver
                ? null
                : new AntiEntropyScan(deployment, placed, talk, fixes, handovers, targets);
    }

    /** Says how this server is, to its own workers and to others. */
    private void state() {
        boolean counted = deployment.digests().complete();
        boolean moving = !counted || deployment.digests().elsewhere() > 0;
        if (deployment.unsettled() && placed != null && !moving && contacts.greeted() && contacts.settled()) {
            deployment.placement().settle(placed);
        }
        if (!caughtUp && counted && contacts.greeted() && contacts.agreed()) {
            caughtUp = true;
            awayLong = false;
        }
        boolean catchingUp = !caughtUp || deployment.unsettled();
        int flags = (catchingUp ? PeerWire.CATCHING_UP : 0)
                | (moving ? PeerWire.MOVING : 0)
                | (awayLong ? PeerWire.AWAY_LONG : 0);
        deployment.flags(flags);
        long nanos = talk.nanos();
        if (markDueNanos - nanos <= 0 && !deployment.peers().alone()) {
            markDueNanos = nanos + SyncLimits.MARK_NANOS;
            absence.mark(nowMillis);
        }
    }

    @Override
    public void take(Exchange exchange) {
        int length = exchange.questionLength();
        boolean response = length >= PeerWire.HEADER_BYTES
                && (exchange.question().get(PeerWire.BYTE, exchange.questionOffset() + PeerWire.TYPE)
                                & PeerWire.RESPONSE_BIT)
                        != 0
                && Short.toUnsignedInt(exchange.question()
                                .get(PeerWire.SHORT, exchange.questionOffset() + PeerWire.LENGTH))
                        == length;
        if (response) {
            worked = false;
            questions.take(exchange);
        } else {
            counts.count(PeerCount.DROPPED_NO_RESPONSE);
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
        boolean more = replay.more() || fixes.more() || sweep != null && sweep.more();
        return more && talk.room() > 0 ? Math.min(rest, talk.restNanos()) : rest;
    }
}
