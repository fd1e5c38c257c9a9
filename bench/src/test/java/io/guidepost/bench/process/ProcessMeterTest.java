package io.guidepost.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMeterTest {
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    @TempDir
    Path process;

    @Test
    void countsThreadsThatHaveEnded() throws InterruptedException {
        assumeTrue(SystemCall.AVAILABLE, "processes have such clocks on Linux");
        ProcessMeter meter = new ProcessMeter(ProcessHandle.current().pid());
        long before = meter.cpuNanos();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Thread working = Thread.ofPlatform().start(() -> {
            while (threads.getCurrentThreadCpuTime() < WORK_NANOS) {
                Thread.onSpinWait();
            }
        });
        working.join();
        assertThat(before).isPositive();
        assertThat(meter.cpuNanos() - before).isGreaterThanOrEqualTo(WORK_NANOS);
    }

    @Test
    void readsResidentMemory() throws IOException {
        Files.writeString(process.resolve("status"), "Name:\tjava\nVmRSS:\t   12345 kB\nThreads:\t3\n");
        assertThat(new ProcessMeter(0, process).residentBytes()).isEqualTo(12345L * 1024);
    }

    @Test
    void knowsNothingOfAProcessThatIsGone() throws IOException, InterruptedException {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        ProcessMeter gone = new ProcessMeter(ended.pid());
        assertThat(gone.cpuNanos()).isEqualTo(ProcessMeter.UNKNOWN);
        assertThat(gone.residentBytes()).isEqualTo(ProcessMeter.UNKNOWN);
    }
}
