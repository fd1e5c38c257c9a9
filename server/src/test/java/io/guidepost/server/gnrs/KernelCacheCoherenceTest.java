package io.guidepost.server.gnrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.Address;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.server.RunningServer;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** No answer out of the kernel is older than a write that was acknowledged, or than what was seen before; a writer's death ends them. */
class KernelCacheCoherenceTest {
    private static final Address CLIENT = Address.ofIpv4(192 << 24 | 2 << 8 | 9);
    private static final int NAMES = 3;
    private static final int WRITES = Integer.getInteger("guidepost.kernel.writes", 60_000);

    private final AtomicLongArray acknowledged = new AtomicLongArray(NAMES);
    private final AtomicLongArray seen = new AtomicLongArray(NAMES);
    private final AtomicLongArray answers = new AtomicLongArray(NAMES);
    private volatile boolean ended;

    private static Guid guid(int name) {
        return new Guid(name, 5, 5);
    }

    /** The version stands in the address of the place. */
    private static List<Binding> places(long version) {
        byte[] address = ByteBuffer.allocate(6).putInt((int) version).putShort((short) 1).array();
        return List.of(Binding.of(new Locator(0, address)));
    }

    @Test
    void noAnswerIsOlderThanAnAcknowledgedWriteOrOneSeenBefore() throws Exception {
        // Two lines: the names take each other's.
        try (KernelCacheStand stand = new KernelCacheStand(GnrsSettings.defaults(), Optional.empty(), false, Integer.MAX_VALUE, 1);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            Callable<Void> asking = () -> ask(stand);
            Callable<Void> working = () -> work(stand);
            List<Future<Void>> all = List.of(
                    threads.submit(asking), threads.submit(asking), threads.submit(working), threads.submit(working));
            try {
                for (int version = 1; version <= WRITES && all.stream().noneMatch(Future::isDone); version++) {
                    int name = version % NAMES;
                    stand.store.put(new Record(Name.of(guid(name)), 0, places(version), List.of()), latest(stand, name));
                    acknowledged.set(name, version);
                }
            } finally {
                ended = true;
            }
            for (Future<Void> each : all) {
                each.get();
            }
            for (int name = 0; name < NAMES; name++) {
                assertThat(answers.get(name)).as("answers out of the kernel").isPositive();
            }
            assertThat(stand.cache.cleared()).isPositive();
        }
    }

    private static long latest(KernelCacheStand stand, int name) throws IOException {
        return stand.store.get(Name.of(guid(name))).map(Record::version).orElse(Record.ABSENT);
    }

    /** A client: what it is answered out of the kernel. */
    private Void ask(KernelCacheStand stand) {
        byte[][] frames = new byte[NAMES][];
        for (int name = 0; name < NAMES; name++) {
            frames[name] = KernelCacheQuestion.of(CLIENT, KernelCacheStand.IPV4, 4000, guid(name)).frame();
        }
        for (int i = 0; !ended; i++) {
            int name = i % NAMES;
            long before = Math.max(acknowledged.get(name), seen.get(name));
            KernelCacheStand.Ran ran = stand.run(frames[name]);
            if (ran.verdict() == KernelCacheStand.SENT) {
                long version = ByteBuffer.wrap(ran.frame()).getInt(42 + 16 + 6 + 4 + 4 + 4);
                saw(name, before, version);
                answers.incrementAndGet(name);
            }
        }
        return null;
    }

    /** A worker: what it finds in the index, and has written to the lines. */
    private Void work(KernelCacheStand stand) {
        RecordReader reader = stand.store.reader();
        MemorySegment[] names = new MemorySegment[NAMES];
        for (int name = 0; name < NAMES; name++) {
            names[name] = MemorySegment.ofArray(guid(name).toBytes());
        }
        byte guids = Name.Namespace.GUID.code();
        for (int i = 0; !ended; i++) {
            int name = i % NAMES;
            reader.enter();
            long before = Math.max(acknowledged.get(name), seen.get(name));
            if (reader.find(guids, names[name], 0, Guid.BYTES) == RecordReader.Found.YES) {
                long first = RecordImage.places(reader.segment(), reader.offset()) + 8;
                saw(name, before, Integer.reverseBytes(reader.segment().get(ValueLayout.JAVA_INT_UNALIGNED, first)));
            }
            stand.cache.fill(names[name], 0, reader, KernelCacheStand.NOW);
            reader.exit();
        }
        return null;
    }

    private void saw(int name, long before, long version) {
        assertThat(version).as("version of %d", name).isGreaterThanOrEqualTo(before);
        seen.accumulateAndGet(name, version, Math::max);
    }

    /** The process that keeps the lines is killed, while another one keeps its program. */
    @Test
    void aProgramThatOutlivesItsServerAnswersNothingSoonAfter() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "bpf takes root");
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KernelCacheKeeper.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String line = server.inputReader().readLine();
            assumeTrue(line != null, "the other process has not begun");
            int program = KernelCacheKeeper.programOf(server.pid(), Integer.parseInt(line));
            byte[] frame = KernelCacheQuestion.of(CLIENT, KernelCacheStand.IPV4, 4000, KernelCacheKeeper.NAME).frame();
            long end = System.nanoTime() + 2 * KernelCache.LEASE_NANOS;
            for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
                assertThat(KernelCacheStand.run(program, frame).verdict()).as("while it runs").isEqualTo(KernelCacheStand.SENT);
            }
            server.destroyForcibly().waitFor();
            assertThat(RunningServer.eventually(() -> KernelCacheStand.run(program, frame).verdict() == KernelCacheStand.PASS)).isTrue();
        } finally {
            server.destroyForcibly();
        }
    }
}
