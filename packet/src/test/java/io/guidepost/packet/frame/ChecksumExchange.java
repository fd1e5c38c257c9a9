package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.Port;
import io.guidepost.packet.TransportChecksum;
import java.util.HexFormat;
import java.util.function.Predicate;

/** Sends random frames from port to port with the checksum left to the way between, and looks whether it is right. */
public final class ChecksumExchange {
    /** The kernel drops a frame with less than two bytes behind its tags. */
    private static final int FRAME_BYTES_MIN = 24;

    private static final int FRAME_BYTES_MAX = 1_514;

    /** Of those that were left: in which state they came. */
    public int partial;

    /** See {@link #partial}. */
    public int right;

    /** See {@link #partial}. */
    public int unknown;

    private final Port from;
    private final Port to;
    private final Burst out;
    private final Burst in;
    private final Burst idle;
    private final HeaderParser headers = new HeaderParser();
    private final FrameMaker maker;
    private final long seed;
    private long sent;

    private ChecksumExchange(Port from, Port to, long seed) {
        this.from = from;
        this.to = to;
        this.out = from.tx(0).burst();
        this.in = to.rx(0).burst();
        this.idle = from.rx(0).burst();
        this.seed = seed;
        this.maker = new FrameMaker(seed);
    }

    /** Sends so many one by one, all of which must come. */
    public static ChecksumExchange run(Port from, Port to, int frames) {
        return run(from, to, frames, frame -> true);
    }

    /** The same with frames that the way between can carry. */
    public static ChecksumExchange run(Port from, Port to, int frames, Predicate<HeaderParser> carried) {
        ChecksumExchange exchange = new ChecksumExchange(from, to, System.nanoTime());
        while (exchange.sent < frames) {
            exchange.one(exchange.maker.make(), carried);
        }
        exchange.idle.clear();
        assertThat(exchange.partial + exchange.right + exchange.unknown).as("left").isGreaterThan(frames / 4);
        return exchange;
    }

    private void one(byte[] frame, Predicate<HeaderParser> carried) {
        Memory.copy(frame, 0, out.room(), frame.length);
        out.append(frame.length);
        headers.read(out, 0);
        if (frame.length < FRAME_BYTES_MIN || frame.length > FRAME_BYTES_MAX || !carried.test(headers)) {
            out.clear();
            return;
        }
        InternetChecksum.leave(out, 0, headers);
        int state = out.checksum(0);
        assertThat(from.tx(0).send(out)).isZero();
        Eventually.await(
                "frame " + sent++ + " of seed " + seed + " at " + to.name() + ": " + HexFormat.of().formatHex(frame),
                () -> {
                    // As a worker does in each turn: what the kernel had left in a ring goes then.
                    from.rx(0).receive(idle);
                    return to.rx(0).receive(in) > 0;
                });
        assertThat(in.count()).isEqualTo(1);
        if (TransportChecksum.isPartial(state)) {
            count(in.checksum(0));
        }
        InternetChecksum.complete(in, 0);
        byte[] came = new byte[in.length(0)];
        Memory.copy(in.offset(0), came, 0, came.length);
        int field = TransportChecksum.start(state) + TransportChecksum.field(state);
        if (TransportChecksum.isPartial(state) && came[field] == -1 && came[field + 1] == -1 && frame[field] == 0) {
            // Either zero will do for TCP.
            came[field] = 0;
            came[field + 1] = 0;
        }
        assertThat(HexFormat.of().formatHex(came)).as("seed %d", seed).isEqualTo(HexFormat.of().formatHex(frame));
    }

    private void count(int state) {
        if (TransportChecksum.isPartial(state)) {
            partial++;
        } else if (state == TransportChecksum.RIGHT) {
            right++;
        } else {
            unknown++;
        }
    }
}
