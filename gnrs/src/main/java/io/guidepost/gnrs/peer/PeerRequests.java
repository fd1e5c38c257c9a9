package io.guidepost.gnrs.peer;

import io.guidepost.base.Counters;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one worker to peers: those queued for sending, and those in flight. Bounded. A response is taken only
 * from the address that the request went to, and under the request's unpredictable id.
 *
 * <p>The upper bits of an id number the worker, so that a response that the kernel gave to another worker finds its
 * way.
 */
public final class PeerRequests {
    private static final int REDRAWS_MAX = 64;

    private final int max;
    private final int worker;
    private final int workerBits;
    private final MessageSeal seal;
    private final RandomGenerator random;
    private final LongSupplier nanoClock;
    private final Counters<PeerCount> counts;
    private final @Nullable PeerRequest[] slots;
    private final ArrayDeque<PeerRequest> unsent = new ArrayDeque<>();
    private final PriorityQueue<PeerRequest> deadlines =
            new PriorityQueue<>((left, right) -> Long.signum(left.dueNanos - right.dueNanos));
    private int open;

    /**
     * Creates an empty table.
     *
     * @param max the most requests in flight
     * @param worker number of the worker, below 2 to the power of {@code workerBits}
     * @param random must be unpredictable outside of simulations
     */
    public PeerRequests(
            int max,
            int worker,
            int workerBits,
            MessageSeal seal,
            RandomGenerator random,
            LongSupplier nanoClock,
            Counters<PeerCount> counts) {
        this.max = max;
        this.worker = worker;
        this.workerBits = workerBits;
        this.seal = seal;
        this.random = random;
        this.nanoClock = nanoClock;
        this.counts = counts;
        this.slots = new PeerRequest[Integer.highestOneBit(Math.max(4, max)) << 2];
    }

    /** Returns the number of open requests. */
    public int open() {
        return open;
    }

    /** Returns how many more may be opened. */
    public int room() {
        return max - open;
    }

    /**
     * Queues a request and awaits its response.
     *
     * @return false if too many are open; no method of the request is then called
     */
    public boolean ask(PeerRequest question, long timeoutNanos) {
        return ask(question, timeoutNanos, timeoutNanos);
    }

    /** Queues a request that is called when its response is late, see {@link PeerRequest#late}. */
    public boolean ask(PeerRequest question, long lateNanos, long timeoutNanos) {
        if (open == max) {
            counts.count(PeerCount.REQUESTS_FAILED_IN_FLIGHT_MAX);
            return false;
        }
        int id = freshId();
        question.id = id;
        question.sentNanos = nanoClock.getAsLong();
        question.deadlineNanos = question.sentNanos + timeoutNanos;
        question.dueNanos = question.sentNanos + Math.min(lateNanos, timeoutNanos);
        question.open = true;
        slots[id & slots.length - 1] = question;
        open++;
        unsent.add(question);
        deadlines.add(question);
        if (deadlines.size() > 4 * max) {
            deadlines.removeIf(each -> !each.open);
        }
        return true;
    }

    private int freshId() {
        int id = 0;
        for (int i = 0; i < REDRAWS_MAX; i++) {
            int drawn = random.nextInt();
            id = workerBits == 0 ? drawn : drawn >>> workerBits | worker << Integer.SIZE - workerBits;
            if (slots[id & slots.length - 1] == null) {
                return id;
            }
        }
        // At most a quarter of the slots is taken, so this practically never happens: the next free one is as
        // unpredictable.
        while (slots[id & slots.length - 1] != null) {
            id = id & -slots.length | id + 1 & slots.length - 1;
        }
        return id;
    }

    /** Cancels a request. */
    public void close(PeerRequest question) {
        if (question.open) {
            question.open = false;
            slots[question.id & slots.length - 1] = null;
            open--;
        }
    }

    /** Returns the number of the worker that an id belongs to, where {@code workerBits} bits number the workers. */
    public static int worker(int id, int workerBits) {
        return workerBits == 0 ? 0 : id >>> Integer.SIZE - workerBits;
    }

    /** Takes a response whose header and length were checked, or drops it with a counted reason. */
    public void take(Exchange exchange) {
        MemorySegment segment = exchange.request();
        long at = exchange.requestOffset();
        int id = segment.get(PeerWire.INT, at + PeerWire.ID);
        PeerRequest question = slots[id & slots.length - 1];
        if (question == null || question.id != id) {
            counts.count(PeerCount.DROPS_UNSOLICITED_RESPONSE);
            return;
        }
        Peer peer = question.peer();
        if (!peer.isAt(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort())) {
            counts.count(PeerCount.DROPS_WRONG_SOURCE);
            return;
        }
        int length = exchange.requestLength();
        if (peer.descriptor().kind() == PeerDescriptor.Kind.GUIDEPOST) {
            length = seal.check(segment, at, length);
            if (length < 0) {
                counts.count(PeerCount.DROPS_SEAL);
                return;
            }
        }
        long now = nanoClock.getAsLong();
        long rtt = Math.max(1, now - question.sentNanos);
        close(question);
        if (question.answered(segment, at, length, rtt)) {
            peer.answered(rtt, now);
        } else {
            counts.count(PeerCount.DROPS_MALFORMED_RESPONSE);
            reopen(question);
        }
    }

    private void reopen(PeerRequest question) {
        int slot = question.id & slots.length - 1;
        if (slots[slot] == null && open < max) {
            question.open = true;
            slots[slot] = question;
            open++;
        }
    }

    /** Times out and reports late requests. */
    public void expire() {
        if (deadlines.isEmpty()) {
            return;
        }
        long now = nanoClock.getAsLong();
        for (PeerRequest first = deadlines.peek();
                first != null && (!first.open || first.dueNanos - now <= 0);
                first = deadlines.peek()) {
            deadlines.remove();
            if (first.open && first.deadlineNanos - now > 0) {
                first.dueNanos = first.deadlineNanos;
                deadlines.add(first);
                first.late();
            } else if (first.open) {
                close(first);
                counts.count(PeerCount.REQUESTS_FAILED_TIMEOUT);
                first.peer().silent();
                first.silent();
            }
        }
    }

    /** Returns the time until a request must be sent, is late or times out, in nanoseconds. */
    public long restNanos() {
        if (!unsent.isEmpty()) {
            return 0;
        }
        PeerRequest first = deadlines.peek();
        return first == null ? Long.MAX_VALUE : Math.max(0, first.dueNanos - nanoClock.getAsLong());
    }

    /** Writes the next queued request; returns false if there is none. */
    public boolean next(Exchange exchange) {
        for (PeerRequest question = unsent.poll(); question != null; question = unsent.poll()) {
            if (question.open && write(question, exchange)) {
                return true;
            }
        }
        return false;
    }

    private boolean write(PeerRequest question, Exchange exchange) {
        Peer peer = question.peer();
        boolean sealed = peer.descriptor().kind() == PeerDescriptor.Kind.GUIDEPOST;
        int room = exchange.roomLength() - (sealed ? seal.bytes() : 0);
        int length = question.write(exchange.room(), exchange.roomOffset(), room, question.id);
        if (length == 0) {
            return false;
        }
        if (sealed) {
            length = seal.put(exchange.room(), exchange.roomOffset(), length);
        }
        exchange.peer(peer.high(), peer.low(), peer.port());
        exchange.respond(length);
        question.sentNanos = nanoClock.getAsLong();
        counts.count(PeerCount.REQUESTS_SENT);
        return true;
    }
}
