package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AffinityTest {
    /** The nice value of the calling thread, the 19th field of its line in /proc. */
    private static int nice() throws Exception {
        String line = Files.readString(Path.of("/proc/thread-self/stat"));
        return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }

    @Test
    void aWorkerIsPreferredWhereTheKernelAllowsIt() throws Exception {
        assumeTrue(SystemCall.AVAILABLE, "threads have a nice value of their own on Linux alone");
        AtomicBoolean allowed = new AtomicBoolean();
        Thread probe = Thread.ofPlatform().start(() -> allowed.set(Affinity.prefer(Limits.WORKER_NICE)));
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
        assertThat(seen).hasValue(Limits.WORKER_NICE);
        assertThat(nice()).isNotEqualTo(Limits.WORKER_NICE);
    }
}
