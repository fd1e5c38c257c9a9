package io.guidepost.packet.worker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the kernel lets this process do, asked with programs that are not ours: a test must not believe the code under test. */
final class Privileges {
    private Privileges() {}

    /** Skips a test where the kernel refuses SCHED_FIFO to other programs too. */
    static void assumeRealTime() {
        assumeTrue("policy FIFO".equals(said("chrt -f 1 true && echo policy FIFO")), "the kernel wants CAP_SYS_NICE, or an rtprio limit");
    }

    /** Skips a test where the kernel refuses smaller nice values to other programs too. */
    static void assumeNice(int nice) {
        String line = "nice -n $((" + nice + " - $(nice))) nice";
        assumeTrue(Integer.toString(nice).equals(said(line)), "the kernel wants CAP_SYS_NICE, or a nice limit");
    }

    /** Skips a test where threads have no slices of their own (before Linux 6.12), or none that the kernel shows. */
    static void assumeSlices() {
        assumeTrue(Files.isReadable(Path.of("/proc/thread-self/sched")), "the kernel does not tell what slices threads have");
        String[] release = said("uname -r").split("[.-]", -1);
        int version = Integer.parseInt(release[0]) * 1000 + Integer.parseInt(release[1]);
        assumeTrue(version >= 6012, "before Linux 6.12 slices are left as they are");
    }

    private static String said(String line) {
        try {
            Process process = new ProcessBuilder("sh", "-c", line).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
