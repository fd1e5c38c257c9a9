package io.guidepost.bench.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Resource use of a process on Linux: processor time in nanoseconds from the scheduler's account of each thread
 * ({@code /proc/PID/task/TID/schedstat}), or in hundredths of a second from {@code /proc/PID/stat} where that is not
 * kept; memory from {@code /proc/PID/status}. Unknown on other systems.
 *
 * <p>The first source lacks threads that have ended. The important threads of a server live as long as it does; what is
 * missing are compiler threads after a warm-up.
 */
public final class ProcessMeter {
    /** An unavailable figure. */
    public static final long UNKNOWN = -1;

    /** Ticks of /proc/PID/stat: 100 a second for programs, whatever the kernel uses. */
    private static final long NANOS_PER_TICK = TimeUnit.MILLISECONDS.toNanos(10);

    private static final int UTIME_FIELD = 11;
    private static final int STIME_FIELD = 12;

    private final Path process;

    /** Creates the meter of a process, which need not exist any more. */
    public ProcessMeter(long pid) {
        this(Path.of("/proc", Long.toString(pid)));
    }

    /** Creates a meter that reads the files of a process from any folder. */
    ProcessMeter(Path process) {
        this.process = process;
    }

    /** Returns the user and system time of all living threads, in nanoseconds; or {@link #UNKNOWN}. */
    public long cpuNanos() {
        long sum = 0;
        int threads = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path task : tasks) {
                long nanos = threadNanos(task);
                sum += Math.max(0, nanos);
                threads += nanos > 0 ? 1 : 0;
            }
        } catch (IOException e) {
            return UNKNOWN;
        }
        return threads > 0 ? sum : ticksNanos();
    }

    /** Returns the processor time of one thread, by its folder; or {@link #UNKNOWN}. */
    static long threadNanos(Path task) throws IOException {
        try {
            return Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ", 2)[0]);
        } catch (NoSuchFileException | NumberFormatException e) {
            return UNKNOWN; // The thread has ended meanwhile, or the kernel keeps no such account.
        }
    }

    /**
     * Returns the processor time of all threads, living and ended, in hundredths of a second, as nanoseconds; or
     * {@link #UNKNOWN}. For servers whose threads come and go.
     */
    public long ticksNanos() {
        try {
            String stat = Files.readString(process.resolve("stat"));
            // The name of the program stands in parentheses and may contain anything, spaces too.
            List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
            return (Long.parseLong(fields.get(UTIME_FIELD)) + Long.parseLong(fields.get(STIME_FIELD))) * NANOS_PER_TICK;
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            return UNKNOWN;
        }
    }

    /** Returns the resident memory in bytes; or {@link #UNKNOWN}. */
    public long residentBytes() {
        try {
            for (String line : Files.readAllLines(process.resolve("status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                }
            }
        } catch (IOException | NumberFormatException e) {
            return UNKNOWN;
        }
        return UNKNOWN;
    }
}
