package io.guidepost.bench.names;

import io.guidepost.bench.load.GnrsAnswerCheck.Verdict;
import io.guidepost.bench.load.StreamClient;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** etcd with one member, as it comes: a write is answered when its log is synced. */
final class EtcdUnderTest implements NamesTarget {
    private static final Path PROGRAM = Path.of("/usr/bin/etcd");
    private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NANOS = 1_000_000;

    /** Puts of one transaction, etcd's own bound. */
    private static final int PUTS_MAX = 128;

    private static final int LOADERS = 16;

    private final ChildProcess child;
    private final InetSocketAddress address;
    private final AtomicLong changes = new AtomicLong();

    private EtcdUnderTest(ChildProcess child, InetSocketAddress address) {
        this.child = child;
        this.address = address;
    }

    static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    /** Starts it, and waits until it answers. */
    static EtcdUnderTest start(BenchStage stage, int cpu) {
        stage.progress().say("starting etcd");
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), ServerUnderTest.freeTcpPort());
        String clients = "http://127.0.0.1:" + address.getPort();
        String peers = "http://127.0.0.1:" + ServerUnderTest.freeTcpPort();
        ChildProcess child = ChildProcess.start("etcd", cpu, stage.folder(), List.of(
                PROGRAM.toString(), "--data-dir", stage.folder().resolve("etcd").toString(),
                "--listen-client-urls", clients, "--advertise-client-urls", clients,
                "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", "default=" + peers,
                "--quota-backend-bytes", Long.toString(4L << 30), "--log-level", "error"));
        EtcdUnderTest etcd = stage.keep(new EtcdUnderTest(child, address));
        etcd.await();
        return etcd;
    }

    private void await() {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (System.nanoTime() - end < 0 && child.alive()) {
            try (GrpcConnection connection = new GrpcConnection(address)) {
                connection.call(EtcdMessages.PUT, EtcdMessages.put("started", "yes"));
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        throw child.alive() ? new BenchFailure("etcd did not answer in time") : child.failed("ended before it answered");
    }

    /** Puts names in transactions, by several clients at a time, which share syncs. */
    @Override
    public void load(int from, int to) throws IOException {
        AtomicInteger next = new AtomicInteger(from);
        List<Thread> threads = IntStream.range(0, LOADERS)
                .mapToObj(_ -> Thread.ofPlatform().start(() -> load(next, to)))
                .toList();
        try {
            for (Thread each : threads) {
                each.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted", e);
        }
        if (next.get() < to) {
            throw new BenchFailure("etcd did not take " + (to - from) + " names");
        }
    }

    private void load(AtomicInteger next, int to) {
        try (GrpcConnection connection = new GrpcConnection(address)) {
            for (int from = next.getAndAdd(PUTS_MAX); from < to; from = next.getAndAdd(PUTS_MAX)) {
                List<byte[]> puts = IntStream.range(from, Math.min(to, from + PUTS_MAX))
                        .mapToObj(each -> EtcdMessages.put(NumberedNames.name(each), NumberedNames.place(each, 0)))
                        .toList();
                connection.call(EtcdMessages.TXN, EtcdMessages.transaction(puts));
            }
        } catch (IOException e) {
            next.set(Integer.MIN_VALUE / 2);
        }
    }

    @Override
    public StreamClient reader(int names) {
        return new ConnectionClient<>(() -> new GrpcConnection(address)) {
            @Override
            public Verdict ask(long unused) throws IOException {
                int number = ThreadLocalRandom.current().nextInt(names);
                String answer = new String(
                        connection.call(EtcdMessages.RANGE, EtcdMessages.range(NumberedNames.name(number))), StandardCharsets.ISO_8859_1);
                return NumberedNames.isPlaceIn(answer, number) ? Verdict.RIGHT : Verdict.WRONG;
            }
        };
    }

    @Override
    public StreamClient writer(int names) {
        return new ConnectionClient<>(() -> new GrpcConnection(address)) {
            @Override
            public Verdict ask(long unused) throws IOException {
                long change = changes.incrementAndGet();
                long number = change % names;
                connection.call(EtcdMessages.PUT, EtcdMessages.put(NumberedNames.name(number), NumberedNames.place(number, change)));
                return Verdict.RIGHT;
            }
        };
    }

    @Override
    public byte[] watchRequest(String prefix) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Http2Frames.preface(out);
        Http2Frames.frame(out, Http2Frames.SETTINGS, Http2Frames.ACKNOWLEDGED, 0, new byte[0]);
        Http2Frames.request(out, 1, EtcdMessages.WATCH, EtcdMessages.watch(prefix), false);
        return out.toByteArray();
    }

    @Override
    public EventDecoder decoder() {
        return new EtcdEventDecoder();
    }

    @Override
    public String name() {
        return "etcd";
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public long cpuNanos() {
        return child.meter().cpuNanos();
    }

    @Override
    public long residentBytes() {
        return child.meter().residentBytes();
    }

    @Override
    public void close() {
        child.close();
    }
}
