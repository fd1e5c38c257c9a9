package io.guidepost.bench.process;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Resource use of a process on Linux: processor time of its clock (clock_getcpuclockid(3)), memory from
 * {@code /proc/PID/status}. Unknown on other systems.
 */
public final class ProcessMeter {
    /** An unavailable figure. */
    public static final long UNKNOWN = -1;

    /** Low bits of the number of a clock that counts what the scheduler has given a whole process; above them stands ~PID. */
    private static final int SCHEDULED = 2;

    private static final int PID_SHIFT = 3;

    private final long pid;
    private final Path process;

    /** Creates the meter of a process, which need not exist any more; 0 = none is known. */
    public ProcessMeter(long pid) {
        this(pid, Path.of("/proc", Long.toString(pid)));
    }

    /** Creates a meter that reads the files of a process from any folder. */
    ProcessMeter(long pid, Path process) {
        this.pid = pid;
        this.process = process;
    }

    /** Returns the user and system time of all threads, living and ended, in nanoseconds; or {@link #UNKNOWN}. */
    public long cpuNanos() {
        // The clock of process 0 would be that of this one.
        if (!SystemCall.AVAILABLE || pid <= 0) {
            return UNKNOWN;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
            long clock = ~pid << PID_SHIFT | SCHEDULED;
            if (SystemCall.call(SystemCall.errno(arena), SystemCall.CLOCK_GETTIME, clock, time.address(), 0) != 0) {
                return UNKNOWN; // The process has ended.
            }
            return TimeUnit.SECONDS.toNanos(time.get(ValueLayout.JAVA_LONG, 0))
                    + time.get(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG.byteSize());
        }
    }

    /** Returns the system time of all threads (field 15 of proc_pid_stat(5)), to 10 ms, in nanoseconds; or {@link #UNKNOWN}. */
    public long systemNanos() {
        try {
            String stat = Files.readString(process.resolve("stat"));
            // Field 3 stands behind the name, in parentheses, which may have spaces.
            String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return TimeUnit.MILLISECONDS.toNanos(10 * Long.parseLong(words[15 - 3]));
        } catch (IOException | NumberFormatException e) {
            return UNKNOWN;
        }
    }

    /** Returns the processor time of one thread, by its folder; or {@link #UNKNOWN}. */
    static long threadNanos(Path task) throws IOException {
        try {
            return Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ", 2)[0]);
        } catch (NoSuchFileException | NumberFormatException e) {
            return UNKNOWN; // The thread has ended meanwhile, or the kernel keeps no such account.
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
