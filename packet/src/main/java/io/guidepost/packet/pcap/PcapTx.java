package io.guidepost.packet.pcap;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.frame.InternetChecksum;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A queue that writes to a file. Why is there a lock? Another thread may close the port, which flushes this buffer. The
 * lock is taken once a burst and uncontended until then.
 */
final class PcapTx extends FrameQueue implements TxQueue {
    private static final Logger LOG = System.getLogger(PcapTx.class.getName());

    /** Longest time of packets in the buffer under load, for programs that follow the file. */
    private static final long FLUSH_NANOS = 100_000_000;

    private final WallClock clock = new WallClock();
    private final @Nullable CaptureWriter writer;
    private long flushedAt;
    private boolean closed;
    private volatile String failure = "";

    PcapTx(PacketMemory memory, int burstMax, @Nullable CaptureWriter writer) {
        super(memory, burstMax, new QueueStatistics());
        this.writer = writer;
    }

    @Override
    public synchronized int send(Burst burst) {
        int count = burst.count();
        if (count == 0) {
            return 0;
        }
        statistics.call();
        if (closed) {
            statistics.drop(Drop.CLOSED, count);
        } else if (writer == null) {
            statistics.drop(Drop.UNREACHABLE, count);
        } else if (!failure.isEmpty()) {
            statistics.drop(Drop.OTHER, count);
        } else {
            write(burst, writer);
        }
        burst.clear();
        return 0;
    }

    private void write(Burst burst, CaptureWriter into) {
        long now = clock.nanos();
        long bytes = 0;
        // Readers of the file know nothing of checksum offload.
        InternetChecksum.completeAll(burst);
        try {
            for (int i = 0; i < burst.count(); i++) {
                long time = burst.timeNanos(i);
                into.write(burst.offset(i), burst.length(i), time == 0 ? now : time);
                bytes += burst.length(i);
            }
            if (now - flushedAt > FLUSH_NANOS) {
                flushedAt = now;
                into.flush();
            }
            statistics.burst(burst.count(), bytes);
        } catch (IOException e) {
            statistics.drop(Drop.OTHER, burst.count());
            fail(e);
        }
    }

    String failure() {
        return failure;
    }

    void fail(IOException why) {
        failure = String.valueOf(why.getMessage());
        LOG.log(Level.ERROR, "{0}; packets that are sent there are dropped from now on", failure);
    }

    synchronized void close() {
        if (writer != null && !closed && failure.isEmpty()) {
            try {
                writer.flush();
            } catch (IOException e) {
                fail(e);
            }
        }
        closed = true;
    }

    /**
     * The wall clock in nanoseconds: read from the system once a second, and advanced by the cheaper monotonic clock
     * between.
     */
    private static final class WallClock {
        private static final long AGAIN_NANOS = 1_000_000_000;

        private long askedAt;
        private long shift;

        WallClock() {
            ask(System.nanoTime());
        }

        /** Returns the nanoseconds since 1970. */
        long nanos() {
            long now = System.nanoTime();
            if (now - askedAt > AGAIN_NANOS) {
                ask(now);
            }
            return now + shift;
        }

        private void ask(long now) {
            Instant wall = Instant.now();
            askedAt = now;
            shift = wall.getEpochSecond() * 1_000_000_000 + wall.getNano() - now;
        }
    }
}
