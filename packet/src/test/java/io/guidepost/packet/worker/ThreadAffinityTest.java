package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.PacketLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
        Privileges.assumeSlices();
        long usual = slice();
        assertThat(usual).isGreaterThan(PacketLimits.WORKER_SLICE_NANOS);
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
        assertThat(seen).hasValue(PacketLimits.WORKER_SLICE_NANOS);
        assertThat(slice()).isEqualTo(usual);
    }

    @Test
    void aWorkerIsPreferredWhereTheKernelAllowsIt() throws Exception {
        Privileges.assumeNice(PacketLimits.WORKER_NICE);
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

    @Test
    void aWorkerRunsOnItsProcessorAlone() throws Exception {
        List<String> others = allowed();
        for (int cpu : cpus(others.getFirst())) {
            AtomicReference<List<String>> seen = new AtomicReference<>();
            CountDownLatch done = new CountDownLatch(1);
            try (Worker worker = new Worker(WorkerSettings.of("pinned").withCpu(cpu)).add(nowMillis -> {
                if (done.getCount() > 0) {
                    seen.set(allowed());
                    done.countDown();
                }
                return 0;
            })) {
                worker.start();
                done.await();
            }
            assertThat(seen.get()).containsExactly(Integer.toString(cpu));
        }
        assertThat(allowed()).isEqualTo(others);
    }

    /** The processors that the kernel lets the calling thread run on, as it lists them. */
    private static List<String> allowed() {
        try {
            return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                    .filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first and the last processor of a list such as 0-3,8. */
    private static List<Integer> cpus(String list) {
        String[] numbers = list.split("[-,]", -1);
        return List.of(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[numbers.length - 1]));
    }
}
