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
 * The duty that receives what {@link TrafficGenerator}s sent, on all queues of a port: what of a stream is spread over several
 * comes together here. Other frames are counted and not looked at.
 */
public final class TrafficReceiver implements DutyCycle {
    /** Streams that are told apart: as many as a port can have queues. */
    static final int STREAMS_MAX = 256;

    /**
     * What came of a stream.
     *
     * @param stream its number
     * @param received frames that came, each counted once
     * @param lost those before the last that came which did not
     * @param reordered those that came after a later one
     * @param duplicate those that came again
     * @param late those that came after 65,536 later ones; they count as lost
     * @param nanosP50 latency of half of them, within a sixteenth, as are the two below
     * @param nanosP99 of 99 in 100
     * @param nanosMax of all
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

    /** Receives on all queues of a port. */
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

    /** Returns what came of each stream that was seen; for any thread. */
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

    /** Returns the frames that no generator sent; for any thread. */
    public long others() {
        return others;
    }
}
