package io.guidepost.middlebox.generator;

import io.guidepost.base.Histogram;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Loss, reordering and duplication of one stream. A window over recent sequence numbers tells reordered frames from
 * duplicates; frames older than the window count as late and stay lost. One thread records; any reads.
 */
final class SequenceWindow {
    /** Window size: 6 ms at 10 million frames in a second, more than queues on the path hold. */
    static final int WINDOW = 1 << 16;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int RECEIVED = 0;
    private static final int EXPECTED = 1;
    private static final int REORDERED = 2;
    private static final int DUPLICATE = 3;
    private static final int LATE = 4;

    private final long[] seen = new long[WINDOW / Long.SIZE];
    private final long[] cells = new long[5];
    private final Histogram latencies = Histogram.fine();

    /** Records a frame. */
    void note(int sequence, long latencyNanos) {
        // The signed 32-bit difference handles wrap-around.
        long next = cells[EXPECTED];
        int ahead = sequence - (int) next;
        if (ahead >= 0) {
            forget(next, ahead);
            set(EXPECTED, next + ahead + 1);
        } else if (-ahead > WINDOW) {
            set(LATE, cells[LATE] + 1);
            return;
        } else if (isSeen(sequence)) {
            set(DUPLICATE, cells[DUPLICATE] + 1);
            return;
        } else {
            set(REORDERED, cells[REORDERED] + 1);
        }
        seen[place(sequence)] |= 1L << sequence;
        set(RECEIVED, cells[RECEIVED] + 1);
        latencies.record(latencyNanos);
    }

    /** Clears the window up to the newest number. */
    private void forget(long next, int number) {
        if (number >= WINDOW) {
            Arrays.fill(seen, 0);
            return;
        }
        for (int i = 0; i <= number; i++) {
            int sequence = (int) next + i;
            seen[place(sequence)] &= ~(1L << sequence);
        }
    }

    private boolean isSeen(int sequence) {
        return (seen[place(sequence)] >>> sequence & 1) != 0;
    }

    private static int place(int sequence) {
        return (sequence & WINDOW - 1) >>> 6;
    }

    private void set(int cell, long value) {
        CELL.setOpaque(cells, cell, value);
    }

    private long get(int cell) {
        return (long) CELL.getOpaque(cells, cell);
    }

    /** Returns the current counters. */
    TrafficReceiver.Count count(int stream) {
        long received = get(RECEIVED);
        return new TrafficReceiver.Count(
                stream,
                received,
                Math.max(0, get(EXPECTED) - received),
                get(REORDERED),
                get(DUPLICATE),
                get(LATE),
                latencies.percentile(0.5),
                latencies.percentile(0.99),
                latencies.percentile(1));
    }
}
