package io.guidepost.gnrs.quorum;

import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.PeerGateway;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client's request to write, and who waits for what becomes of it: itself, and its repetitions. One worker's. */
final class ClientWrite {
    private PeerGateway.@Nullable Written first;
    private List<PeerGateway.Written> others = List.of();

    /** What became of it; {@link GnrsCount#WRITES_QUORUM} while that is open. */
    private GnrsCount result = GnrsCount.WRITES_QUORUM;

    private int held;
    private int needed;
    private boolean told;
    private long number = DuplicateRequestCache.UNKNOWN;

    /** One that nobody waits for. */
    private ClientWrite() {}

    ClientWrite(PeerGateway.Written written) {
        first = written;
    }

    /** One that is done and was told, so that repetitions can be told the same. */
    static ClientWrite done(int held, int needed) {
        ClientWrite request = new ClientWrite();
        request.decide(GnrsCount.WRITES_DONE, held, needed);
        return request;
    }

    /** Its number among those that are remembered, see {@link DuplicateRequestCache}. */
    long number() {
        return number;
    }

    void number(long among) {
        number = among;
    }

    int held() {
        return held;
    }

    int needed() {
        return needed;
    }

    boolean told() {
        return told;
    }

    boolean done() {
        return told && result == GnrsCount.WRITES_DONE;
    }

    /** Has one more told; at once by {@link #tell()} if it is decided. */
    void join(PeerGateway.Written written) {
        if (first == null) {
            first = written;
            return;
        }
        if (others.isEmpty()) {
            others = new ArrayList<>();
        }
        others.add(written);
    }

    /** How many wait. */
    int waiting() {
        return (first == null ? 0 : 1) + others.size();
    }

    /** Says what became of it. */
    void decide(GnrsCount outcome, int heldBy, int neededOf) {
        result = outcome;
        held = heldBy;
        needed = neededOf;
        told = true;
    }

    /** Tells all who wait, and keeps nothing of them. */
    void tell() {
        PeerGateway.Written asker = first;
        List<PeerGateway.Written> repeated = others;
        first = null;
        others = List.of();
        if (asker != null) {
            asker.written(result, held, needed);
        }
        repeated.forEach(each -> each.written(result, held, needed));
    }
}
