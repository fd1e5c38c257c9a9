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
 * The questions of one worker to other servers: those that wait to be sent, and those that wait for answers. Bounded. An
 * answer is taken only from where its question went, and under the id that the question had, which nobody can guess.
 *
 * <p>An id says in its upper bits which worker asks, so that an answer that the kernel gave to another worker finds its
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
     * No questions yet.
     *
     * @param max how many may be open at a time
     * @param worker number of the worker, below 2 to the power of {@code workerBits}
     * @param random must not be guessable outside of simulations
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

    /** How many are open. */
    public int open() {
        return open;
    }

    /** How many more may be asked. */
    public int room() {
        return max - open;
    }

    /**
     * Has a question sent, and its answer waited for.
     *
     * @return false if too many are open; nothing of the question is then called
     */
    public boolean ask(PeerRequest question, long timeoutNanos) {
        return ask(question, timeoutNanos, timeoutNanos);
    }

    /** The same for a question that hears when its answer is late, see {@link PeerRequest#late}. */
    public boolean ask(PeerRequest question, long lateNanos, long timeoutNanos) {
        if (open == max) {
            counts.count(PeerCount.QUESTIONS_MAX);
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
        // At most a quarter of the slots is taken, so this is as good as impossible: the next free one is as unknown.
        while (slots[id & slots.length - 1] != null) {
            id = id & -slots.length | id + 1 & slots.length - 1;
        }
        return id;
    }

    /** Waits for an answer no longer. */
    public void close(PeerRequest question) {
        if (question.open) {
            question.open = false;
            slots[question.id & slots.length - 1] = null;
            open--;
        }
    }

    /** The worker that asked under an id, among so many that they need {@code workerBits} bits. */
    public static int worker(int id, int workerBits) {
        return workerBits == 0 ? 0 : id >>> Integer.SIZE - workerBits;
    }

    /** Takes a response, whose header and length were checked, or drops it with the reason counted. */
    public void take(Exchange exchange) {
        MemorySegment segment = exchange.question();
        long at = exchange.questionOffset();
        int id = segment.get(PeerWire.INT, at + PeerWire.ID);
        PeerRequest question = slots[id & slots.length - 1];
        if (question == null || question.id != id) {
            counts.count(PeerCount.DROPPED_UNASKED);
            return;
        }
        Peer peer = question.peer();
        if (!peer.isAt(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort())) {
            counts.count(PeerCount.DROPPED_NOT_FROM_THERE);
            return;
        }
        int length = exchange.questionLength();
        if (peer.descriptor().kind() == PeerDescriptor.Kind.GUIDEPOST) {
            length = seal.check(segment, at, length);
            if (length < 0) {
                counts.count(PeerCount.DROPPED_SEAL);
                return;
            }
        }
        long now = nanoClock.getAsLong();
        long rtt = Math.max(1, now - question.sentNanos);
        close(question);
        if (question.answered(segment, at, length, rtt)) {
            peer.answered(rtt, now);
        } else {
            counts.count(PeerCount.DROPPED_MALFORMED_ANSWER);
            reopen(question);
        }
    }

    /** Lets a question wait on whose answer was none. */
    private void reopen(PeerRequest question) {
        int slot = question.id & slots.length - 1;
        if (slots[slot] == null && open < max) {
            question.open = true;
            slots[slot] = question;
            open++;
        }
    }

    /** Gives up what has waited too long, and says what is late. */
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
                counts.count(PeerCount.SILENCES);
                first.peer().silent();
                first.silent();
            }
        }
    }

    /** How long until something must be done: one is to be sent, is late or must be given up; in nanoseconds. */
    public long restNanos() {
        if (!unsent.isEmpty()) {
            return 0;
        }
        PeerRequest first = deadlines.peek();
        return first == null ? Long.MAX_VALUE : Math.max(0, first.dueNanos - nanoClock.getAsLong());
    }

    /** Writes the next question that waits to be sent; false if there is none. */
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
        exchange.answer(length);
        question.sentNanos = nanoClock.getAsLong();
        counts.count(PeerCount.QUESTIONS);
        return true;
    }
}
