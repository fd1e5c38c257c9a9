package io.guidepost.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a result was made on: without that, a figure is a rumour. */
final class Machine {
    private Machine() {}

    /** Processor, cores, system, JDK, date and commit in one line. */
    static String describe() {
        return String.join(", ", List.of(
                processor() + " with " + cores() + " cores",
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                "JDK " + System.getProperty("java.runtime.version"),
                LocalDate.now(ZoneOffset.UTC).toString(),
                "commit " + commit()));
    }

    private static String processor() {
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

    /** Processors of the machine, also those that this process is kept away from. */
    private static long cores() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("processor"))
                    .count();
        } catch (IOException e) {
            return Runtime.getRuntime().availableProcessors();
        }
    }

    /** The commit of the checkout that this runs in, and whether it was changed. */
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
