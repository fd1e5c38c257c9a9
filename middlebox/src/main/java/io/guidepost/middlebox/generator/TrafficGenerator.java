package io.guidepost.middlebox.generator;

import io.guidepost.base.TokenBucket;
import io.guidepost.packet.Burst;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The duty that sends {@link TrafficProfile} on one queue. Frames wait under backpressure: none is dropped here, so
 * gaps in a stream's sequence numbers are losses on the path.
 */
public final class TrafficGenerator implements DutyCycle {
    /** Bits of a byte. */
    private static final int BITS = 8;

    /** Time that is made up for after a pause: longer than a worker's nap, shorter than what receive queues hold. */
    private static final double DEPTH_SECONDS = 0.002;

    private final TxQueue tx;
    private final Burst out;
    private final TrafficFlows flows;
    private final FrameTemplate[] templates;
    private final int stream;
    private final long count;
    private final Rate rate;
    private final TokenBucket pace;
    private final LongSupplier clockNanos;
    private long next;
    private int size;

    /**
     * A sending rate.
     *
     * @param perSecond frames or bits; {@link Double#POSITIVE_INFINITY} for as fast as the port takes
     * @param bits whether it counts bits of frames on the wire, check sequence included, or frames
     */
    public record Rate(double perSecond, boolean bits) {
        /** As fast as the port takes. */
        public static final Rate UNLIMITED = new Rate(Double.POSITIVE_INFINITY, false);

        double units(int frameBytes) {
            return bits ? (frameBytes + TrafficProfile.CHECK_BYTES) * (double) BITS : 1;
        }

        /** Returns the share of one of several streams. */
        public Rate share(int streams) {
            return new Rate(perSecond / streams, bits);
        }
    }

    /**
     * Creates a generator.
     *
     * @param stream number of its stream, 0 to 255: one for each queue
     * @param count frames to send, {@link Long#MAX_VALUE} without end
     * @throws IllegalArgumentException if a frame would not fit the memory of the queue
     */
    public TrafficGenerator(TxQueue tx, TrafficProfile traffic, int stream, long count, Rate rate) {
        this(tx, traffic, stream, count, rate, System::nanoTime);
    }

    /** Creates a generator of recorded frames, which carry no probes. */
    public TrafficGenerator(TxQueue tx, RecordedFrames recording, long count, Rate rate) {
        this(tx, TrafficFlows.ONE, recording.templates(), 0, count, rate, System::nanoTime);
    }

    TrafficGenerator(TxQueue tx, TrafficProfile traffic, int stream, long count, Rate rate, LongSupplier clockNanos) {
        this(tx, TrafficFlows.of(traffic), templates(traffic), stream, count, rate, clockNanos);
    }

    private TrafficGenerator(
            TxQueue tx,
            TrafficFlows flows,
            List<FrameTemplate> templates,
            int stream,
            long count,
            Rate rate,
            LongSupplier clockNanos) {
        this.tx = tx;
        this.out = tx.burst();
        this.flows = flows;
        this.stream = stream;
        this.count = count;
        this.rate = rate;
        this.clockNanos = clockNanos;
        this.templates = templates.toArray(FrameTemplate[]::new);
        double largest = 0;
        for (FrameTemplate each : templates) {
            largest = Math.max(largest, rate.units(each.bytes()));
            if (each.bytes() > out.roomBytes()) {
                throw new IllegalArgumentException("a frame of " + (each.bytes() + TrafficProfile.CHECK_BYTES)
                        + " bytes does not fit packet memory with " + out.roomBytes()
                        + " bytes for each; use larger frames of memory");
            }
        }
        pace = new TokenBucket(rate.perSecond(), Math.max(largest, rate.perSecond() * DEPTH_SECONDS), 1);
    }

    private static List<FrameTemplate> templates(TrafficProfile traffic) {
        return traffic.sizes().stream().map(size -> new FrameTemplate(traffic, size)).toList();
    }

    /** Returns the number of frames made, pending ones included. */
    public long made() {
        return next;
    }

    /** Returns whether all frames have been sent. */
    public boolean isDone() {
        return next >= count && out.count() == 0;
    }

    @Override
    public int work(long nowMillis) {
        long nowNanos = clockNanos.getAsLong();
        pace.refill(nowNanos);
        while (next < count && out.hasRoom() && pace.tryTake(rate.units(templates[size].bytes()))) {
            make(templates[size], nowNanos);
            size = size + 1 == templates.length ? 0 : size + 1;
        }
        int before = out.count();
        if (before > 0) {
            tx.send(out);
        }
        return before;
    }

    private void make(FrameTemplate template, long nowNanos) {
        // The flow's number in mixed radix: every combination comes once before the first repeats.
        long number = next++;
        int source = flows.source() + (int) (number % flows.sources());
        number /= flows.sources();
        int destination = flows.destination() + (int) (number % flows.destinations());
        number /= flows.destinations();
        int sourcePort = flows.sourcePort() + (int) (number % flows.sourcePorts());
        number /= flows.sourcePorts();
        int destinationPort = flows.destinationPort() + (int) (number % flows.destinationPorts());
        long head = ProbePayload.head(stream, (int) (next - 1));
        template.write(out.room(), source, destination, sourcePort << 16 | destinationPort, head, nowNanos);
        out.append(template.bytes());
    }

    @Override
    public long restNanos() {
        return next >= count ? Long.MAX_VALUE : pace.nanosUntil(rate.units(templates[size].bytes()));
    }
}
