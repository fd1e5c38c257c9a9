package io.guidepost.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMeterTest {
    @TempDir
    Path process;

    private void thread(int id, String schedstat) throws IOException {
        Path task = Files.createDirectories(process.resolve("task/" + id));
        Files.writeString(task.resolve("schedstat"), schedstat);
    }

    @Test
    void addsTheTimeOfAllThreads() throws IOException {
        thread(1, "1000 5 7\n");
        thread(2, "2345 0 1\n");
        assertThat(new ProcessMeter(process).cpuNanos()).isEqualTo(3345);
    }

    @Test
    void countsTicksWhereTheSchedulerKeepsNoAccount() throws IOException {
        thread(1, "0 0 0\n");
        Files.writeString(
                process.resolve("stat"), "12 (a (b) c) S 1 1 1 0 -1 4194560 1 0 0 0 150 50 0 0 20 0 1 0 1 1 1\n");
        assertThat(new ProcessMeter(process).cpuNanos()).isEqualTo(2_000_000_000L);
    }

    @Test
    void readsResidentMemory() throws IOException {
        Files.writeString(process.resolve("status"), "Name:\tjava\nVmRSS:\t   12345 kB\nThreads:\t3\n");
        assertThat(new ProcessMeter(process).residentBytes()).isEqualTo(12345L * 1024);
    }

    @Test
    void knowsNothingOfAProcessThatIsGone() {
        ProcessMeter gone = new ProcessMeter(process.resolve("gone"));
        assertThat(gone.cpuNanos()).isEqualTo(ProcessMeter.UNKNOWN);
        assertThat(gone.residentBytes()).isEqualTo(ProcessMeter.UNKNOWN);
    }
}
