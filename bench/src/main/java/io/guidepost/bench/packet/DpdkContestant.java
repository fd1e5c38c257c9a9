package io.guidepost.bench.packet;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.HeapUse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code dpdk_work.c} or {@link DpdkWorkload} as a process that works on command. It starts DPDK only once. */
final class DpdkContestant implements AutoCloseable {
    private static final long END_SECONDS_MAX = 5;

    private final String name;
    private final Process process;
    private final BufferedReader from;
    private final Writer to;
    private final Path errors;
    private final ProcessMeter meter;
    private long began;
    private long cpuBefore;

    /**
     * Result of one round.
     *
     * @param frames received
     * @param passed frames forwarded
     * @param nanos length of the round
     * @param cpuNanos processor time of the whole process
     * @param check a checksum of what was read; for a sender, how many of a thousand bursts did not fit as a whole
     * @param heap garbage collections and allocation; none in C
     */
    record Result(long frames, long passed, long nanos, long cpuNanos, long check, HeapUse heap) {
        double millionsPerSecond() {
            return frames * 1e3 / nanos;
        }

        double cpuNanosPerFrame() {
            return (double) cpuNanos / frames;
        }
    }

    private DpdkContestant(String name, Process process, Path errors) {
        this.name = name;
        this.process = process;
        this.errors = errors;
        this.from = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
        this.to = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII);
        this.meter = new ProcessMeter(process.pid());
    }

    /** Starts the process and waits until it is ready. */
    static DpdkContestant start(String name, int cpu, Path folder, List<String> command) throws IOException {
        Path errors = Files.createTempFile(folder, name, ".log");
        Process process = new ProcessBuilder(ProcessPinning.command(cpu, command))
                .redirectError(errors.toFile())
                .start();
        DpdkContestant started = new DpdkContestant(name, process, errors);
        if (!"ready".equals(started.from.readLine())) {
            throw started.failed();
        }
        return started;
    }

    /** Runs it for a time. */
    Result work(long nanos) throws IOException {
        begin(nanos);
        return end();
    }

    /** Starts a run of a length. */
    void begin(long nanos) throws IOException {
        cpuBefore = meter.cpuNanos();
        began = System.nanoTime();
        to.write(TimeUnit.NANOSECONDS.toMillis(nanos) + "\n");
        to.flush();
    }

    /** Waits for the end of the run. */
    Result end() throws IOException {
        String line = from.readLine();
        long end = System.nanoTime();
        if (line == null) {
            throw failed();
        }
        String[] words = line.split(" ", -1);
        HeapUse heap = words.length > 5
                ? new HeapUse(Long.parseLong(words[4]), Long.parseLong(words[5]))
                : new HeapUse(0, 0);
        return new Result(
                Long.parseLong(words[0]),
                Long.parseLong(words[2]),
                end - began,
                meter.cpuNanos() - cpuBefore,
                Long.parseUnsignedLong(words[3]),
                heap);
    }

    private BenchFailure failed() throws IOException {
        close();
        return new BenchFailure(name + " has ended: " + Files.readString(errors).strip());
    }

    @Override
    public void close() {
        try {
            to.close();
            if (process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                return;
            }
        } catch (IOException e) {
            // The process has ended, or will.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
