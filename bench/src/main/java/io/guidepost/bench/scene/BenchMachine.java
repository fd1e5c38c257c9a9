package io.guidepost.bench.scene;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The machine of a result: without it, a figure is a rumour.
 *
 * @param processor model of its processors
 * @param processors number of them, also those that this process is not pinned to
 * @param kernel name and version
 * @param jdk version
 */
record BenchMachine(String processor, int processors, String kernel, String jdk) {
    /** Load average above which a measurement competes with other programs. */
    private static final double QUIET_LOAD = 0.7;

    /** Returns this machine. */
    static BenchMachine here() {
        return new BenchMachine(
                model(),
                cores(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.runtime.version"));
    }

    /** Returns processor, cores, system, JDK, date and commit in one line. */
    static String describe() {
        BenchMachine here = here();
        return String.join(", ", List.of(
                here.processor + " with " + here.processors + " cores",
                here.kernel,
                "JDK " + here.jdk,
                today(),
                "commit " + commit()));
    }

    /** Returns the date of a result that is made now. */
    static String today() {
        return LocalDate.now(ZoneOffset.UTC).toString();
    }

    /**
     * Returns a warning if other programs use the machine; empty if it is idle. To be called before anything is
     * started.
     */
    public static Optional<String> noise() {
        try {
            double load = Double.parseDouble(
                    Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0]);
            return load < QUIET_LOAD
                    ? Optional.empty()
                    : Optional.of("The machine was not idle: its load was " + MedianSpread.number(load)
                            + " before the start. This affects rates and latencies, ratios less.");
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static String model() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).trim())
                    .findFirst()
                    .orElse(System.getProperty("os.arch"));
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    /** Returns the number of processors of the machine, including those that this process is not pinned to. */
    private static int cores() {
        try {
            return (int) Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("processor"))
                    .count();
        } catch (IOException e) {
            return Runtime.getRuntime().availableProcessors();
        }
    }

    /** Returns the commit of the checkout, and whether it has changes. */
    static String commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=10")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            return git.waitFor(5, TimeUnit.SECONDS) && git.exitValue() == 0 ? text : "unknown";
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
