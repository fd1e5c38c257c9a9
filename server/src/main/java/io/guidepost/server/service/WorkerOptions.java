package io.guidepost.server.service;

import io.guidepost.packet.worker.RealTimePolicy;
import io.guidepost.packet.worker.WorkerSettings;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What the configuration says of the workers. */
public final class WorkerOptions {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final long NANOS_IN_MICRO = 1000;

    private WorkerOptions() {}

    /**
     * Returns how many workers there are to be: where no number is given half as many as processors, as the disk and the kernel
     * work too.
     */
    public static int number(Configuration configuration) {
        int asked = configuration.get(ConfigurationKeys.WORKERS_COUNT).intValue();
        return asked > 0 ? asked : Math.max(1, processors() / 2);
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Workers that share a processor could together leave less of it to other threads than each alone does. */
    static RealTimePolicy realTime(RealTimePolicy wanted, int workers, int processors) {
        return wanted == RealTimePolicy.AUTO && workers > processors ? RealTimePolicy.FALSE : wanted;
    }

    /** Returns the settings of each worker; the thread of the first is called {@code worker-0}. */
    public static List<WorkerSettings> of(Configuration configuration) {
        List<Long> asked = configuration.get(ConfigurationKeys.WORKERS_CPUS);
        List<Integer> cpus = asked.isEmpty()
                ? choose(allowed(), number(configuration))
                : asked.stream().map(Long::intValue).toList();
        WorkerSettings standard = WorkerSettings.of("");
        WorkerSettings all = standard.withWaiting(
                        configuration.get(ConfigurationKeys.WORKERS_BUSY_POLL_MICROS) * NANOS_IN_MICRO,
                        configuration.get(ConfigurationKeys.WORKERS_COALESCE_MICROS) * NANOS_IN_MICRO,
                        standard.sleepMillisMax())
                .withRealTime(realTime(configuration.get(ConfigurationKeys.WORKERS_REAL_TIME), cpus.size(), processors()));
        return IntStream.range(0, cpus.size()).mapToObj(i -> all.withName("worker-" + i).withCpu(cpus.get(i))).toList();
    }

    /** From the last down: the first is where a system mostly handles its interrupts. */
    static List<Integer> choose(List<Integer> allowed, int workers) {
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            chosen.add(allowed.size() >= 2 * workers ? allowed.get(allowed.size() - 1 - i) : -1);
        }
        return chosen;
    }

    private static List<Integer> allowed() {
        try {
            for (String line : Files.readAllLines(STATUS, StandardCharsets.US_ASCII)) {
                if (line.startsWith(ALLOWED)) {
                    return ranges(line.substring(ALLOWED.length()).strip());
                }
            }
        } catch (IOException | NumberFormatException e) {
            // A system that does not say: the workers are then not pinned.
        }
        return List.of();
    }

    /** Reads the kernel's form of a set of numbers, such as {@code 0-3,8}. */
    static List<Integer> ranges(String text) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dash = part.indexOf('-');
            int from = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int to = Integer.parseInt(part.substring(dash + 1));
            for (int i = from; i <= to; i++) {
                numbers.add(i);
            }
        }
        return numbers;
    }
}
