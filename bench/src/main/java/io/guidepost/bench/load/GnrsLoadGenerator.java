package io.guidepost.bench.load;

import io.guidepost.base.Addresses;
import io.guidepost.bench.process.GeneratorPriority;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A load generator for GNRS in one thread that never sleeps.
 *
 * <p>A turn takes the responses that have come, then sends what is due: in a closed loop what the window has room for,
 * in an open loop by the schedule of {@link OpenLoopSchedule}. Everything is allocated before the first turn, so that the
 * generator's own garbage collections are not charged to the server.
 *
 * <p>A latency begins when the request was meant to leave, and ends when the burst with the response was received.
 */
public final class GnrsLoadGenerator {
    /** Slots checked for time-outs in each turn: the whole table in a small part of a time-out. */
    private static final int EXPIRE_SLOTS = 64;

    /** After the window the generator waits for outstanding requests, a little longer than the time-out. */
    private static final double DRAIN = 1.1;

    private final Flow[] flows;
    private final long serverHigh;
    private final long serverLow;
    private final int serverPort;
    private final LongSupplier nanoClock;
    private final LongSupplier serverNanos;
    private final LoadProfile load;
    private final OutstandingRequests outstanding;
    private final boolean changing;
    private long choice = 0x9e3779b97f4a7c15L;
    private int nextFlow;
    private int nextPort;
    private IntConsumer unanswered = record -> {};
    private final LongConsumer lost = this::lose;
    private Runnable alongside = () -> {};

    private OpenLoopSchedule pace;
    private long issued;
    private long issueMax;
    private LoadRecorder watch = new LoadRecorder(Long.MAX_VALUE, Long.MAX_VALUE);

    /** One socket of the generator: one flow for the server's choice of a worker. */
    private static final class Flow {
        final RxQueue rx;
        final TxQueue tx;
        final Burst in;
        final Burst out;
        final GnrsRequestTemplates questions;

        Flow(Port port, boolean recursive) {
            rx = port.rx(0);
            tx = port.tx(0);
            in = rx.burst();
            out = tx.burst();
            questions = new GnrsRequestTemplates(port.localAddress(), recursive);
        }
    }

    /**
     * Creates a generator.
     *
     * @param ports sockets, bound to addresses that the server can reach; the caller closes them
     * @param server destination of requests
     * @param load to generate
     * @param nanoClock the time, as {@link System#nanoTime}
     * @param serverNanos processor time of the server, or {@link ProcessMeter#UNKNOWN}
     */
    public GnrsLoadGenerator(List<Port> ports, InetSocketAddress server, LoadProfile load, LongSupplier nanoClock,
            LongSupplier serverNanos) {
        this.flows = ports.stream()
                .map(port -> new Flow(port, load.recursive()))
                .toArray(Flow[]::new);
        this.serverHigh = Addresses.high(server.getAddress());
        this.serverLow = Addresses.low(server.getAddress());
        this.serverPort = server.getPort();
        this.load = load;
        this.nanoClock = nanoClock;
        this.serverNanos = serverNanos;
        long now = nanoClock.getAsLong();
        this.outstanding = new OutstandingRequests(load.outstanding(), (int) (now >>> 10));
        this.changing = load.insertShare() + load.updateShare() > 0;
        this.pace = pace(now);
    }

    private OpenLoopSchedule pace(long now) {
        return new OpenLoopSchedule(now, load.perSecond() > 0 ? load.perSecond() : 1, load.burstLeast());
    }

    /** Registers a callback for the record of each request that was lost, refused or answered wrongly. */
    public void onUnanswered(IntConsumer listener) {
        unanswered = listener;
    }

    /** Registers a task for every turn on this thread; it must be short, as it adds to latencies. */
    public void alongside(Runnable duty) {
        alongside = duty;
    }

    /** Runs a warm-up, then the measured window, then waits for outstanding requests. */
    public LoadResult run(long warmNanos, long windowNanos) {
        long start = begin(Long.MAX_VALUE);
        turnUntil(start + warmNanos);
        watch = new LoadRecorder(start + warmNanos, start + warmNanos + windowNanos);
        long cpuBefore = serverNanos.getAsLong();
        turnUntil(watch.endNanos);
        long cpuAfter = serverNanos.getAsLong();
        return drained(windowNanos, cpuBefore, cpuAfter);
    }

    /** Sends a number of requests and waits for all responses; the window is all of that time. */
    public LoadResult runCount(long requests) {
        long start = begin(requests);
        watch = new LoadRecorder(start, Long.MAX_VALUE);
        long cpuBefore = serverNanos.getAsLong();
        long now = start;
        while (issued < requests || outstanding.count() > 0) {
            now = turn(nanoClock.getAsLong());
        }
        return watch.tally(now - start, cpuBefore, serverNanos.getAsLong());
    }

    private long begin(long requests) {
        GeneratorPriority.take();
        long start = nanoClock.getAsLong();
        issued = 0;
        issueMax = requests;
        pace = pace(start);
        return start;
    }

    private void turnUntil(long endNanos) {
        long now = nanoClock.getAsLong();
        while (now - endNanos < 0) {
            turn(now);
            now = nanoClock.getAsLong();
        }
    }

    private LoadResult drained(long windowNanos, long cpuBefore, long cpuAfter) {
        issueMax = issued;
        long now = nanoClock.getAsLong();
        long end = now + (long) (load.timeoutNanos() * DRAIN);
        while (outstanding.count() > 0 && now - end < 0) {
            turn(now);
            now = nanoClock.getAsLong();
        }
        outstanding.expire(now + 1, load.outstanding(), lost);
        return watch.tally(windowNanos, cpuBefore, cpuAfter);
    }

    /** Runs one turn: receives, expires, sends. Returns the time at its end as far as it knows it. */
    private long turn(long now) {
        int moved = 0;
        long time = now;
        for (Flow flow : flows) {
            int count = flow.rx.receive(flow.in);
            if (count > 0) {
                time = nanoClock.getAsLong();
                take(flow.in, count, time);
                moved += count;
            }
        }
        outstanding.expire(time - load.timeoutNanos(), EXPIRE_SLOTS, lost);
        Flow flow = flows[nextFlow];
        nextFlow = nextFlow + 1 == flows.length ? 0 : nextFlow + 1;
        moved += send(flow, time);
        alongside.run();
        watch.turn(time, moved);
        if (moved == 0) {
            GeneratorPriority.idle();
        }
        return time;
    }

    private void take(Burst in, int count, long now) {
        for (int i = 0; i < count; i++) {
            int length = in.length(i);
            int slot = isFromServer(in, i) && GnrsAnswerCheck.hasId(length)
                    ? outstanding.slot(GnrsAnswerCheck.id(in.segment(), in.offset(i)))
                    : OutstandingRequests.NONE;
            if (slot == OutstandingRequests.NONE) {
                watch.stray++;
            } else {
                answered(in.segment(), in.offset(i), length, slot, now);
            }
        }
    }

    private boolean isFromServer(Burst in, int index) {
        return in.peerLow(index) == serverLow
                && in.peerPort(index) == serverPort
                && in.peerHigh(index) == serverHigh;
    }

    private void answered(MemorySegment segment, long offset, int length, int slot, long now) {
        long what = outstanding.what(slot);
        int record = (int) what;
        GnrsAnswerCheck.Verdict verdict = what >>> 32 == 0
                ? GnrsAnswerCheck.ofLookup(segment, offset, length, record)
                : GnrsAnswerCheck.ofChange(segment, offset, length);
        watch.answered(verdict, outstanding.intendedNanos(slot), outstanding.sentNanos(slot), now);
        outstanding.close(slot);
        if (verdict != GnrsAnswerCheck.Verdict.RIGHT) {
            unanswered.accept(record);
        }
    }

    private void lose(long slot) {
        watch.lost(outstanding.sentNanos((int) slot));
        unanswered.accept((int) outstanding.what((int) slot));
    }

    private int send(Flow flow, long now) {
        if (flow.out.count() > 0 && flow.tx.send(flow.out) > 0) {
            return 0; // The socket buffer is full; the rest of the burst goes first.
        }
        int due = due(now);
        if (due == 0 || due < Math.min(load.burstLeast(), issueMax - issued)) {
            return 0;
        }
        for (int i = 0; i < due; i++) {
            add(flow, now);
        }
        flow.tx.send(flow.out);
        watch.sent(now, due);
        return due;
    }

    private int due(long now) {
        int room = Math.min(load.burst(), outstanding.room());
        long due = load.perSecond() > 0 ? pace.due(now) - issued : room;
        return (int) Math.min(Math.min(due, room), issueMax - issued);
    }

    private void add(Flow flow, long now) {
        GnrsRequestTemplates.Kind kind = kind();
        long intended = load.perSecond() > 0 ? pace.intendedNanos(issued) : now;
        issued++;
        Burst out = flow.out;
        int length;
        if (kind == GnrsRequestTemplates.Kind.LOOKUP) {
            int record = load.lookups().next();
            int id = outstanding.open(record, intended, now);
            length = flow.questions.lookup(out.segment(), out.room(), id, record);
        } else {
            int record = load.changes().next();
            int id = outstanding.open(1L << 32 | record, intended, now);
            int port = kind == GnrsRequestTemplates.Kind.INSERT ? SyntheticRecords.port(record) : 4000 + (nextPort++ & 0x3fff);
            length = flow.questions.change(kind, out.segment(), out.room(), id, record, port);
        }
        out.append(length, serverHigh, serverLow, serverPort);
    }

    private GnrsRequestTemplates.Kind kind() {
        if (!changing) {
            return GnrsRequestTemplates.Kind.LOOKUP;
        }
        choice ^= choice << 13;
        choice ^= choice >>> 7;
        choice ^= choice << 17;
        int draw = (int) ((choice >>> 32) * LoadProfile.WHOLE >>> 32);
        if (draw < load.insertShare()) {
            return GnrsRequestTemplates.Kind.INSERT;
        }
        return draw < load.insertShare() + load.updateShare() ? GnrsRequestTemplates.Kind.UPDATE : GnrsRequestTemplates.Kind.LOOKUP;
    }
}
