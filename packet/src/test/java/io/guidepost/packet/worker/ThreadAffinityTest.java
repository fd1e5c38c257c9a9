package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.linux.SystemCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ThreadAffinityTest {
    /** The nice value of the calling thread, the 19th field of its line in /proc. */
    private static int nice() throws Exception {
        String line = Files.readString(Path.of("/proc/thread-self/stat"));
        return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }

    /** The slice of the calling thread in nanoseconds, as the kernel tells it where it is built to; else 0. */
    private static long slice() throws Exception {
        Path sched = Path.of("/proc/thread-self/sched");
        List<String> lines = Files.isReadable(sched) ? Files.readAllLines(sched) : List.of();
        return lines.stream()
                .filter(line -> line.startsWith("se.slice"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    @Test
    void aWorkerHasShortSlicesWhereTheKernelKnowsThem() throws Exception {
        long usual = slice();
        assumeTrue(usual > PacketLimits.WORKER_SLICE_NANOS, "the kernel does not tell what slices threads have");
        AtomicLong seen = new AtomicLong();
        Thread probe = Thread.ofPlatform().start(() -> {
            ThreadAffinity.prefer(PacketLimits.WORKER_NICE, PacketLimits.WORKER_SLICE_NANOS);
            try {
                seen.set(slice());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        probe.join();
        assumeTrue(seen.get() != usual, "before Linux 6.12 slices are left as they are");
        assertThat(seen).hasValue(PacketLimits.WORKER_SLICE_NANOS);
        assertThat(slice()).isEqualTo(usual);
    }

    @Test
    void aWorkerIsPreferredWhereTheKernelAllowsIt() throws Exception {
        assumeTrue(SystemCall.AVAILABLE, "threads have a nice value of their own on Linux alone");
        AtomicBoolean allowed = new AtomicBoolean();
        Thread probe = Thread.ofPlatform()
                .start(() -> allowed.set(ThreadAffinity.prefer(PacketLimits.WORKER_NICE, PacketLimits.WORKER_SLICE_NANOS)));
        probe.join();
        assumeTrue(allowed.get(), "the kernel wants CAP_SYS_NICE, or a limit that allows it");
        AtomicReference<Integer> seen = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        try (Worker worker = new Worker(WorkerSettings.of("nice")).add(nowMillis -> {
            if (seen.get() == null) {
                try {
                    seen.set(nice());
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                done.countDown();
            }
            return 0;
        })) {
            worker.start();
            done.await();
        }
        assertThat(seen).hasValue(PacketLimits.WORKER_NICE);
        assertThat(nice()).isNotEqualTo(PacketLimits.WORKER_NICE);
    }
}
