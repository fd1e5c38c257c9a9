package io.guidepost.packet.admission;

import io.guidepost.base.DatagramClassifier;
import io.guidepost.base.PendingDatagrams;
import io.guidepost.packet.Burst;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.worker.DatagramHandler;
import org.jspecify.annotations.Nullable;

/**
 * A handler that gives another one what an {@link AdmissionPolicy} admits: at once, or in a later turn. Datagrams that are
 * deferred wait as copies; each turn gives the oldest of them to the handler, when the answers of all others have left. What
 * is dropped is counted with its reason by the queue. Belongs to one worker; allocates nothing after the first overload.
 */
final class AdmissionHandler implements DatagramHandler {
    private final AdmissionPolicy policy;
    private final DatagramHandler handler;
    private final DatagramClassifier classifier;
    private final QueueStatistics statistics;
    private final TopTalkers talkers;
    private final PendingDatagrams pending =
            new PendingDatagrams(AdmissionLimits.PENDING_MAX, AdmissionLimits.PENDING_BYTES_MAX);

    /** One row over the memory of the datagrams that wait; made with the first of them. */
    private @Nullable Burst row;

    AdmissionHandler(
            AdmissionPolicy policy,
            DatagramHandler handler,
            DatagramClassifier classifier,
            QueueStatistics statistics,
            TopTalkers talkers) {
        this.policy = policy;
        this.handler = handler;
        this.classifier = classifier;
        this.statistics = statistics;
        this.talkers = talkers;
    }

    @Override
    public void begin(long nowMillis) {
        handler.begin(nowMillis);
        policy.begin(nowMillis, !pending.isEmpty());
        talkers.begin(nowMillis);
    }

    @Override
    public void prefetch(Burst in) {
        handler.prefetch(in);
    }

    @Override
    public void packet(Burst in, int index, Burst out) {
        AdmissionPolicy.Verdict verdict = policy.judge(in, index);
        boolean admitted = verdict == AdmissionPolicy.Verdict.ADMIT
                || classifier.isExempt(in.segment(), in.offset(index), in.length(index));
        talkers.count(in, index, !admitted, policy);
        if (admitted) {
            handler.packet(in, index, out);
        } else if (verdict == AdmissionPolicy.Verdict.DEFER && defer(in, index)) {
            statistics.defer();
        } else {
            statistics.drop(policy.reason(), 1);
        }
    }

    private boolean defer(Burst in, int index) {
        if (!pending.add(in.segment(), in.offset(index), in.length(index))) {
            return false;
        }
        pending.address(
                in.peerHigh(index), in.peerLow(index), in.peerPort(index), in.localHigh(index), in.localLow(index), 0);
        return true;
    }

    @Override
    public boolean holdsBack() {
        return !pending.isEmpty() || handler.holdsBack();
    }

    @Override
    public void end(Burst out) {
        try {
            if (!pending.isEmpty()) {
                release(out);
            }
        } finally {
            handler.end(out);
        }
    }

    private void release(Burst out) {
        Burst own = row;
        if (own == null) {
            own = new Burst(pending.segment(), 1, 0);
            row = own;
        }
        for (int i = 0; i < AdmissionLimits.RELEASED_PER_TURN && !pending.isEmpty() && out.hasRoom(); i++) {
            own.datagram(
                    0,
                    pending.offset(),
                    pending.length(),
                    pending.peerHigh(),
                    pending.peerLow(),
                    pending.peerPort(),
                    pending.localHigh(),
                    pending.localLow());
            pending.remove();
            handler.packet(own, 0, out);
        }
    }

    @Override
    public long restNanos() {
        return pending.isEmpty() ? handler.restNanos() : 0;
    }
}
