package io.guidepost.gnrs.quorum;

import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.PeerGateway;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's write request, and the receivers of its outcome: the client, and its retransmissions. Belongs to one
 * worker.
 */
final class ClientWrite {
    private PeerGateway.@Nullable Written first;
    private List<PeerGateway.Written> others = List.of();

    /** Its outcome; {@link GnrsCount#WRITES_QUORUM_FAILED} while that is open. */
    private GnrsCount result = GnrsCount.WRITES_QUORUM_FAILED;

    private int held;
    private int needed;
    private boolean told;
    private long number = DuplicateRequestCache.UNKNOWN;

    private ClientWrite() {}

    ClientWrite(PeerGateway.Written written) {
        first = written;
    }

    /** Creates a request that succeeded, so that retransmissions get the same response. */
    static ClientWrite done(int held, int needed) {
        ClientWrite request = new ClientWrite();
        request.decide(GnrsCount.WRITES_DONE, held, needed);
        return request;
    }

    /** Returns its number in {@link DuplicateRequestCache}. */
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

    /** Adds a receiver; {@link #tell()} serves it at once if the outcome is known. */
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

    int waiting() {
        return (first == null ? 0 : 1) + others.size();
    }

    void decide(GnrsCount outcome, int heldBy, int neededOf) {
        result = outcome;
        held = heldBy;
        needed = neededOf;
        told = true;
    }

    /** Delivers the outcome to all receivers, and drops them. */
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
