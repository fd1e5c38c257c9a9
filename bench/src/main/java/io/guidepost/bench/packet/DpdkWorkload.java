package io.guidepost.bench.packet;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Memory;
import io.guidepost.bench.scene.HeapUse;
import io.guidepost.middlebox.firewall.ClassifierKind;
import io.guidepost.middlebox.firewall.Firewall;
import io.guidepost.middlebox.firewall.RuleAction;
import io.guidepost.middlebox.firewall.RuleDirection;
import io.guidepost.middlebox.firewall.RuleSet;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.frame.Frame;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.UncheckedFrame;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.packet.worker.FrameForwarder;
import io.guidepost.packet.worker.FrameHandler;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The framework on a DPDK device, as a program with the arguments and the input of {@code dpdk_work.c}: a worker for
 * each queue that captures, forwards or filters. Each output line ends with what the heap did, which C has none of:
 * garbage collections, and bytes allocated.
 */
final class DpdkWorkload {
    /** Bursts between two reads of the clock, as in C. */
    private static final int TURN = 64;

    /** Frames that circulate in a ring, as in C. */
    private static final int RING_FRAMES = 512;

    private static final long LOOK_NANOS = 100_000;

    private DpdkWorkload() {}

    /** Executes the commands of its standard input. */
    public static void main(String[] arguments) throws IOException, InterruptedException, FaultyFile {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i], arguments[i + 1]);
        }
        int queues = Integer.parseInt(options.getOrDefault("--queues", "1"));
        List<Gated> duties = new ArrayList<>();
        List<Worker> workers = new ArrayList<>();
        try (Port port = FramePortOpener.open("dpdk:" + options.get("--device") + ",queues=" + queues)) {
            fill(port, options);
            for (int i = 0; i < queues; i++) {
                Gated duty = new Gated(duty(port.rx(i), port.tx(i), options));
                int cpu = queues > 1 ? i : -1;
                // It sleeps between two rounds, and never within one.
                workers.add(new Worker(WorkerSettings.of("work-" + i).withCpu(cpu)).add(duty).start());
                duties.add(duty);
            }
            System.out.println("ready");
            listen(port, duties, workers);
            workers.forEach(Worker::close);
        }
    }

    private static void listen(Port port, List<Gated> duties, List<Worker> workers) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            HeapUse heap = HeapUse.ofThisProcess();
            long[] before = totals(port);
            duties.forEach(duty -> duty.running = true);
            workers.forEach(Worker::wake);
            pause(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line.strip())));
            duties.forEach(duty -> duty.running = false);
            while (duties.stream().anyMatch(duty -> duty.busy)) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            long[] after = totals(port);
            HeapUse used = HeapUse.ofThisProcess().since(heap);
            long check = duties.stream().mapToLong(duty -> duty.work.check).sum();
            System.out.println(after[0] - before[0] + " " + (after[1] - before[1]) + " " + (after[2] - before[2]) + " "
                    + Long.toUnsignedString(check) + " " + used.collections() + " " + used.allocatedBytes());
        }
    }

    private static void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static long[] totals(Port port) {
        long[] sums = new long[3];
        for (int i = 0; i < port.queues(); i++) {
            sums[0] += port.rx(i).statistics().packets();
            sums[1] += port.rx(i).statistics().bytes();
            sums[2] += port.tx(i).statistics().packets();
        }
        return sums;
    }

    /** Writes the frames into all buffers of the packet memory, or into the ring. */
    private static void fill(Port port, Map<String, String> options) throws IOException {
        String file = options.get("--frames");
        if (file == null) {
            return;
        }
        byte[] templates = Files.readAllBytes(Path.of(file));
        int number = templates.length / DpdkTraffic.TEMPLATE_BYTES;
        int ringBytes = Integer.parseInt(options.getOrDefault("--ring-bytes", "0"));
        if (ringBytes > 0) {
            for (int i = 0; i < port.queues(); i++) {
                for (int first = 0; first < RING_FRAMES; first += 64) {
                    Burst burst = filled(port.tx(i), templates, first, number, ringBytes);
                    port.tx(i).send(burst);
                }
            }
            return;
        }
        List<Burst> all = new ArrayList<>();
        for (int first = 0; all.isEmpty() || all.getLast().isFull(); first += 64) {
            all.add(filled(port.tx(0), templates, first, number, DpdkTraffic.TEMPLATE_BYTES));
        }
        all.forEach(Burst::clear);
    }

    private static Burst filled(TxQueue tx, byte[] templates, int first, int number, int bytes) {
        Burst burst = tx.burst();
        for (int i = first; burst.hasRoom(); i++) {
            int at = i % number * DpdkTraffic.TEMPLATE_BYTES;
            Memory.copy(templates, at, burst.room(), DpdkTraffic.TEMPLATE_BYTES);
            burst.append(bytes);
        }
        return burst;
    }

    private static BurstWork duty(RxQueue rx, TxQueue tx, Map<String, String> options) throws IOException, FaultyFile {
        return switch (options.getOrDefault("--work", "capture")) {
            case "touch" -> new Touch(rx);
            case "view" -> new View(rx, new BoundedReader());
            case "unchecked" -> new View(rx, new UncheckedReader());
            case "forward" -> new Forward(rx, tx);
            case "list" -> new Filter(rx, tx, options, ClassifierKind.LIST);
            case "tree" -> new Filter(rx, tx, options, ClassifierKind.AUTO);
            default -> new Capture(rx);
        };
    }

    /** The work on each burst. */
    private abstract static class BurstWork {
        long check;

        abstract void burst();
    }

    private static final class Capture extends BurstWork {
        private final RxQueue rx;
        private final Burst in;

        Capture(RxQueue rx) {
            this.rx = rx;
            this.in = rx.burst();
        }

        @Override
        void burst() {
            rx.receive(in);
        }
    }

    private static final class Touch extends BurstWork {
        private final RxQueue rx;
        private final Burst in;

        Touch(RxQueue rx) {
            this.rx = rx;
            this.in = rx.burst();
        }

        @Override
        void burst() {
            int count = rx.receive(in);
            long sum = 0;
            for (int i = 0; i < count; i++) {
                sum += sum(in.offset(i), in.length(i));
            }
            check += sum;
        }

        /** Adds up the first word of each cache line. */
        private static long sum(long address, int length) {
            long sum = 0;
            int lines = length + 56 >> 6;
            for (int i = 0; i < lines; i++) {
                sum += Memory.i64Le(address, i << 6);
            }
            return sum;
        }
    }

    private static final class Forward extends BurstWork {
        private final RxQueue rx;
        private final TxQueue tx;
        private final Burst in;
        private final Burst out;

        Forward(RxQueue rx, TxQueue tx) {
            this.rx = rx;
            this.tx = tx;
            this.in = rx.burst();
            this.out = tx.burst();
        }

        @Override
        void burst() {
            int count = rx.receive(in);
            for (int i = 0; i < count; i++) {
                out.take(in, i);
            }
            tx.send(out);
        }
    }

    /** A handler of a middlebox that reads fields of each frame. */
    private static final class View extends BurstWork {
        private final DutyCycle cycle;
        private final FieldReader reader;

        View(RxQueue rx, FieldReader reader) {
            this.cycle = new FrameForwarder(rx, reader);
            this.reader = reader;
        }

        @Override
        void burst() {
            cycle.work(0);
            check = reader.sum;
        }
    }

    /** Adds up addresses, hop limits, ports and flags. One process has one of the two that differ in how they read. */
    private abstract static class FieldReader implements FrameHandler {
        final HeaderParser headers = new HeaderParser();
        long sum;
    }

    private static final class BoundedReader extends FieldReader {
        @Override
        public int frame(Burst in, int index) {
            if (!headers.read(in, index)) {
                return REFUSE;
            }
            Frame frame = headers.frame();
            int network = headers.networkOffset();
            int transport = headers.transportOffset();
            sum += frame.i32(network + 12) + frame.i32(network + 16) + frame.u8(network + 8) + frame.u16(transport)
                    + frame.u16(transport + 2) + (headers.protocol() == HeaderParser.TCP ? frame.u8(transport + 13) : 0);
            return DISCARD;
        }
    }

    private static final class UncheckedReader extends FieldReader {
        @Override
        public int frame(Burst in, int index) {
            if (!headers.read(in, index)) {
                return REFUSE;
            }
            UncheckedFrame frame = headers.unchecked();
            int network = headers.networkOffset();
            int transport = headers.transportOffset();
            sum += frame.i32(network + 12) + frame.i32(network + 16) + frame.u8(network + 8) + frame.u16(transport)
                    + frame.u16(transport + 2) + (headers.protocol() == HeaderParser.TCP ? frame.u8(transport + 13) : 0);
            return DISCARD;
        }
    }

    private static final class Filter extends BurstWork {
        private final DutyCycle way;

        Filter(RxQueue rx, TxQueue tx, Map<String, String> options, ClassifierKind classifier) throws IOException, FaultyFile {
            Path file = Path.of(options.getOrDefault("--rules", ""));
            RuleSet rules = RuleSet.read(file, RuleAction.ALLOW);
            this.way = new Firewall(rules, classifier, Firewall.Others.ARP_ALONE, 1).way(rx, tx, RuleDirection.IN);
        }

        @Override
        void burst() {
            way.work(0);
        }
    }

    /** Works on command. */
    private static final class Gated implements DutyCycle {
        final BurstWork work;
        volatile boolean running;
        volatile boolean busy;

        Gated(BurstWork work) {
            this.work = work;
        }

        @Override
        public int work(long nowMillis) {
            if (!running) {
                busy = false;
                return 0;
            }
            busy = true;
            for (int i = 0; i < TURN; i++) {
                work.burst();
            }
            return TURN;
        }
    }
}
