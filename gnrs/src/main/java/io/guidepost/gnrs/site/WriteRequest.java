package io.guidepost.gnrs.site;

import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.Relays;
import java.util.ArrayList;
import java.util.List;

/** A client's request to write, and who waits for what becomes of it: itself, and its repetitions. One worker's. */
final class WriteRequest {
    private final List<Relays.Written> waiting = new ArrayList<>(1);

    /** What became of it; {@link GnrsCount#WRITES_QUORUM} while that is open. */
    private GnrsCount result = GnrsCount.WRITES_QUORUM;

    private int held;
    private int needed;
    private boolean told;

    WriteRequest(Relays.Written written) {
        waiting.add(written);
    }

    boolean told() {
        return told;
    }

    boolean done() {
        return told && result == GnrsCount.WRITES_DONE;
    }

    /** Has one more told; at once by {@link #tell()} if it is decided. */
    void join(Relays.Written written) {
        waiting.add(written);
    }

    /** How many wait. */
    int waiting() {
        return waiting.size();
    }

    /** Says what became of it. */
    void decide(GnrsCount outcome, int heldBy, int neededOf) {
        result = outcome;
        held = heldBy;
        needed = neededOf;
        told = true;
    }

    /** Tells all who wait. */
    void tell() {
        waiting.forEach(each -> each.written(result, held, needed));
        waiting.clear();
    }
}
