package io.guidepost.bench.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterferenceMeterTest {
    private static final int MEASURED = 10;
    private static final int OWN = 20;
    private static final int MEASURING = 21;
    private static final int OTHER = 30;

    @TempDir
    Path processes;

    private void thread(int process, int id, String name, long nanos) throws IOException {
        Path task = Files.createDirectories(processes.resolve(process + "/task/" + id));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), nanos + " 0 1\n");
    }

    @BeforeEach
    void threads() throws IOException {
        thread(MEASURED, MEASURED, "server", 1000);
        thread(OWN, MEASURING, "main", 1000);
        thread(OWN, 22, "C2 CompilerThre", 1000);
        thread(OTHER, OTHER, "agent", 1000);
        thread(40, 40, "ksoftirqd/1", 1000);
        Files.createSymbolicLink(
                processes.resolve("thread-self"), processes.resolve(OWN + "/task/" + MEASURING));
    }

    @Test
    void addsWhatOthersUsedSinceTheBeginning() throws IOException {
        InterferenceMeter strangers = new InterferenceMeter(processes, MEASURED);
        strangers.begin();
        assertThat(strangers.nanos()).isZero();
        thread(OTHER, OTHER, "agent", 1300);
        thread(OTHER, 31, "new", 50);
        thread(OWN, 22, "C2 CompilerThre", 1007);
        assertThat(strangers.nanos()).isEqualTo(357);
        strangers.begin();
        assertThat(strangers.nanos()).isZero();
    }

    @Test
    void whatIsDoneForTheMeasurementIsNotStrange() throws IOException {
        InterferenceMeter strangers = new InterferenceMeter(processes, MEASURED);
        strangers.begin();
        thread(MEASURED, MEASURED, "server", 9000);
        thread(OWN, MEASURING, "main", 9000);
        thread(40, 40, "ksoftirqd/1", 9000);
        assertThat(strangers.nanos()).isZero();
    }

    @Test
    void aProcessThatEndsTakesNothingAway() throws IOException {
        InterferenceMeter strangers = new InterferenceMeter(processes, MEASURED);
        strangers.begin();
        Path task = processes.resolve(OTHER + "/task/" + OTHER);
        Files.delete(task.resolve("comm"));
        Files.delete(task.resolve("schedstat"));
        Files.delete(task);
        assertThat(strangers.nanos()).isZero();
    }

    @Test
    void norDoesAThreadThatEndsWhileItIsReadOf() throws IOException {
        thread(OTHER, 31, "brief", 5000);
        InterferenceMeter strangers = new InterferenceMeter(processes, MEASURED);
        strangers.begin();
        thread(OTHER, OTHER, "agent", 1300);
        Files.delete(processes.resolve(OTHER + "/task/31/schedstat"));
        assertThat(strangers.nanos()).isEqualTo(300);
    }

    @Test
    void nothingIsKnownWhereTheKernelDoesNotTell() {
        InterferenceMeter strangers = new InterferenceMeter(processes.resolve("elsewhere"), MEASURED);
        strangers.begin();
        assertThat(strangers.nanos()).isEqualTo(ProcessMeter.UNKNOWN);
    }
}
