package io.guidepost.bench.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time that went to others while something was measured: to other processes, to threads of the kernel, and to
 * threads of this process beside the one that measures, its compilers above all. What a server under test does in
 * threads of its own is its own, and what the kernel does in {@code ksoftirqd} is done for the packets.
 *
 * <p>It says who used a processor, not who had to wait for one: that follows from the load too, and windows chosen by it
 * would be chosen by what they are to show. For one thread, the one that measures.
 */
public final class InterferenceMeter {
    private static final String SOFTIRQ = "ksoftirqd";

    private final Path processes;
    private final String measured;
    private final Map<String, Long> before = new HashMap<>();

    /** Whether a thread, by its id, is a stranger: asked of the kernel once. */
    private final Map<String, Boolean> strange = new HashMap<>();

    /** Looks at all but a process. */
    public InterferenceMeter(long measured) {
        this(Path.of("/proc"), measured);
    }

    /** Reads files like those of {@code /proc} from any folder. */
    InterferenceMeter(Path processes, long measured) {
        this.processes = processes;
        this.measured = Long.toString(measured);
    }

    /** Begins to count. */
    public void begin() {
        before.clear();
        before.putAll(read());
    }

    /** Nanoseconds that strangers used since the beginning; {@link ProcessMeter#UNKNOWN} where the kernel does not tell. */
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

    /** Id of the calling thread; empty where the kernel does not tell. */
    private String self() {
        try {
            return String.valueOf(processes.resolve("thread-self").toRealPath().getFileName());
        } catch (IOException e) {
            return "";
        }
    }
}
