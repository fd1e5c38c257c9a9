package io.guidepost.bench.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time of others during a measurement: other processes, kernel threads, and threads of this process beside
 * the measuring one, above all its compilers. Threads of the server under test are not counted, nor is
 * {@code ksoftirqd}, which works for the packets.
 *
 * <p>It tells who used a processor, not who had to wait for one: that follows from the load too, and windows chosen by
 * it would be chosen by the result. For one thread, the measuring one.
 */
public final class InterferenceMeter {
    private static final String SOFTIRQ = "ksoftirqd";

    private final Path processes;
    private final String measured;
    private final Map<String, Long> before = new HashMap<>();

    /** Whether a thread, by its id, is counted; read from the kernel once. */
    private final Map<String, Boolean> strange = new HashMap<>();

    /** Creates a meter of all processes but one. */
    public InterferenceMeter(long measured) {
        this(Path.of("/proc"), measured);
    }

    /** Creates a meter that reads the files of {@code /proc} from any folder. */
    InterferenceMeter(Path processes, long measured) {
        this.processes = processes;
        this.measured = Long.toString(measured);
    }

    /** Starts to count. */
    public void begin() {
        before.clear();
        before.putAll(read());
    }

    /** Returns the nanoseconds since the start; {@link ProcessMeter#UNKNOWN} if the kernel keeps no account. */
    public long nanos() {
        long sum = 0;
        boolean told = false;
        for (Map.Entry<String, Long> each : read().entrySet()) {
            sum += each.getValue() - before.getOrDefault(each.getKey(), 0L);
            told |= each.getValue() > 0;
        }
        return told ? sum : ProcessMeter.UNKNOWN;
    }

    private Map<String, Long> read() {
        Map<String, Long> nanos = new HashMap<>();
        String self = self();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[0-9]*")) {
            for (Path process : all) {
                if (!process.endsWith(measured)) {
                    threads(process.resolve("task"), self, nanos);
                }
            }
        } catch (IOException e) {
            return Map.of();
        }
        return nanos;
    }

    private void threads(Path tasks, String self, Map<String, Long> nanos) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
            for (Path thread : threads) {
                String id = String.valueOf(thread.getFileName());
                if (!id.equals(self) && isStrange(id, thread)) {
                    long used = ProcessMeter.threadNanos(thread);
                    if (used != ProcessMeter.UNKNOWN) {
                        nanos.put(id, used);
                    }
                }
            }
        } catch (IOException e) {
            return; // The process has ended meanwhile.
        }
    }

    private boolean isStrange(String id, Path thread) throws IOException {
        Boolean known = strange.get(id);
        if (known == null) {
            known = !Files.readString(thread.resolve("comm")).startsWith(SOFTIRQ);
            strange.put(id, known);
        }
        return known;
    }

    /** Returns the id of the calling thread; empty if the kernel does not tell. */
    private String self() {
        try {
            return String.valueOf(processes.resolve("thread-self").toRealPath().getFileName());
        } catch (IOException e) {
            return "";
        }
    }
}
