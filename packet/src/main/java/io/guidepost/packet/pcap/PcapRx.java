package io.guidepost.packet.pcap;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.frame.HeaderParser;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import org.jspecify.annotations.Nullable;

/** A queue that reads its share of a file. */
final class PcapRx extends FrameQueue implements RxQueue {
    private static final Logger LOG = System.getLogger(PcapRx.class.getName());

    private final HeaderParser headers = new HeaderParser();
    private final @Nullable CaptureReader reader;
    private final boolean recorded;
    private final int queue;
    private final int queues;
    private int loopsLeft;
    private long packetsInLoop;

    /** Whether the reader's current packet has not been received yet. */
    private boolean pending;

    private boolean started;

    /** Offset from a packet's time to the {@link System#nanoTime} at which it is due. */
    private long shiftNanos;

    private volatile boolean exhausted;
    private volatile String failure = "";

    PcapRx(
            PacketMemory memory, int burstMax, @Nullable CaptureReader reader, PcapPort.Replay replay, int queue, int queues) {
        super(memory, burstMax, new QueueStatistics());
        this.reader = reader;
        this.recorded = replay.recorded();
        this.loopsLeft = replay.loops() == 0 ? Integer.MAX_VALUE : replay.loops();
        this.queue = queue;
        this.queues = queues;
        this.exhausted = reader == null;
    }

    @Override
    public int receive(Burst burst) {
        burst.clear();
        statistics.call();
        CaptureReader from = reader;
        if (exhausted || from == null) {
            return 0;
        }
        long bytes = 0;
        while (burst.count() < burst.capacity() && advance(from) && (!recorded || isDue(from))) {
            int length = from.length();
            if (length > memory.roomBytes()) {
                statistics.drop(Drop.TRUNCATED, 1);
            } else if (copy(from, length, burst)) {
                bytes += length;
            } else {
                // Nothing is lost: the packet waits for memory.
                break;
            }
            pending = false;
        }
        int count = burst.count();
        if (count > 0) {
            statistics.burst(count, bytes);
        }
        return count;
    }

    private boolean copy(CaptureReader from, int length, Burst burst) {
        long handle = memory.take();
        if (handle == PacketMemory.NONE) {
            return false;
        }
        long to = memory.address(handle);
        Memory.copy(from.address(), to, length);
        burst.received(handle, to, length);
        burst.timeNanos(burst.count() - 1, from.timeNanos());
        return true;
    }

    /** Advances to the next packet of this queue, unless one is pending; false if there is none. */
    private boolean advance(CaptureReader from) {
        while (!pending) {
            if (from.next()) {
                start(from);
                pending = queues == 1 || isOwn(from);
            } else if (!again(from)) {
                return false;
            }
        }
        packetsInLoop++;
        return true;
    }

    /** Schedules the file's first packet at once, even if it belongs to another queue. */
    private void start(CaptureReader from) {
        if (recorded && !started) {
            started = true;
            shiftNanos = System.nanoTime() - from.timeNanos();
        }
    }

    private boolean isOwn(CaptureReader from) {
        headers.read(from.address(), from.length());
        return (headers.flowHash() & 0xffff_ffffL) * queues >>> 32 == queue;
    }

    private boolean again(CaptureReader from) {
        if (!from.failure().isEmpty()) {
            failure = from.failure();
            statistics.drop(Drop.MALFORMED, 1);
            LOG.log(Level.ERROR, "{0}; what comes before was read", failure);
        } else if (packetsInLoop > 0 && (loopsLeft == Integer.MAX_VALUE || --loopsLeft > 0)) {
            from.rewind();
            started = false;
            packetsInLoop = 0;
            return true;
        }
        exhausted = true;
        return false;
    }

    private boolean isDue(CaptureReader from) {
        return System.nanoTime() - (from.timeNanos() + shiftNanos) >= 0;
    }

    @Override
    public boolean isExhausted() {
        return exhausted;
    }

    String failure() {
        return failure;
    }

    void close() {
        exhausted = true;
    }

    /** Returns no notification: a file is always readable, and replay at recorded speed is polled. */
    @Override
    public Readiness readiness() {
        return reader == null ? new Readiness.Notice(call -> {}) : new Readiness.Unknown();
    }
}
