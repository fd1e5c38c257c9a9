package io.guidepost.middlebox.generator;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.worker.DutyCycle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * The duty that receives the frames of {@link TrafficGenerator}s on all queues of a port, which may spread one stream.
 * Other frames are counted and ignored.
 */
public final class TrafficReceiver implements DutyCycle {
    /** Streams: as many as a port can have queues. */
    static final int STREAMS_MAX = 256;

    /**
     * Counters of one stream.
     *
     * @param stream its number
     * @param received distinct frames received
     * @param lost missing frames before the last received one
     * @param reordered frames received after a later one
     * @param duplicate repeated frames
     * @param late frames received after 65,536 later ones; they count as lost
     * @param nanosP50 median latency, within a sixteenth, as the two below
     * @param nanosP99 99th percentile of the latency
     * @param nanosMax largest latency
     */
    public record Count(
            int stream,
            long received,
            long lost,
            long reordered,
            long duplicate,
            long late,
            long nanosP50,
            long nanosP99,
            long nanosMax) {}

    private final List<RxQueue> queues = new ArrayList<>();
    private final List<Burst> bursts = new ArrayList<>();
    private final HeaderParser headers = new HeaderParser();
    private final LongSupplier clockNanos;
    private final AtomicReferenceArray<SequenceWindow> streams = new AtomicReferenceArray<>(STREAMS_MAX);
    private volatile long others;

    /** Creates a receiver on all queues of a port. */
    public TrafficReceiver(Port port) {
        this(port, System::nanoTime);
    }

    TrafficReceiver(Port port, LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
        for (int i = 0; i < port.queues(); i++) {
            queues.add(port.rx(i));
            bursts.add(port.rx(i).burst());
        }
    }

    @Override
    public int work(long nowMillis) {
        int all = 0;
        for (int q = 0; q < queues.size(); q++) {
            Burst in = bursts.get(q);
            int received = queues.get(q).receive(in);
            long nowNanos = received == 0 ? 0 : clockNanos.getAsLong();
            for (int i = 0; i < received; i++) {
                note(in, i, nowNanos);
            }
            all += received;
        }
        return all;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
    private void note(Burst in, int index, long nowNanos) {
        int payload = headers.read(in, index) && headers.protocol() == HeaderParser.UDP ? headers.payloadOffset() : -1;
        if (payload < 0 || payload + ProbePayload.BYTES > headers.networkEnd()) {
            others++;
            return;
        }
        long head = Memory.i64(in.offset(index) + payload);
        if (!ProbePayload.isHead(head) || ProbePayload.stream(head) >= STREAMS_MAX) {
            others++;
            return;
        }
        stream(ProbePayload.stream(head)).note(ProbePayload.sequence(head), nowNanos - Memory.i64(in.offset(index) + payload + 8));
    }

    private SequenceWindow stream(int number) {
        SequenceWindow known = streams.get(number);
        if (known == null) {
            known = new SequenceWindow();
            streams.set(number, known);
        }
        return known;
    }

    /** Returns the counters of each stream; for any thread. */
    public List<Count> counts() {
        List<Count> counts = new ArrayList<>();
        for (int i = 0; i < STREAMS_MAX; i++) {
            SequenceWindow known = streams.get(i);
            if (known != null) {
                counts.add(known.count(i));
            }
        }
        return counts;
    }

    /** Returns the number of other frames; for any thread. */
    public long others() {
        return others;
    }
}
