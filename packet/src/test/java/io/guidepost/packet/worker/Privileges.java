package io.guidepost.packet.worker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

    /** Skips a test where a limit permits SCHED_FIFO without any right. */
    static void assumeNoRealTimeLimit() {
        assumeTrue("0".equals(said("ulimit -r")), "an rtprio limit permits it");
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

    /** Takes CAP_SYS_NICE from the calling thread, and so from all that it starts (capset(2)). */
    static void dropNice() {
        boolean x86 = System.getProperty("os.arch").equals("amd64");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = SystemCall.errno(arena);
            MemorySegment header = arena.allocate(8, 8);
            // Two times the effective, the permitted and the inheritable ones: of 64 capabilities.
            MemorySegment sets = arena.allocate(24, 8);
            header.set(ValueLayout.JAVA_INT, 0, 0x20080522);
            SystemCall.call(errno, x86 ? 125 : 90, header.address(), sets.address(), 0);
            for (int set = 0; set < 2; set++) {
                sets.setAtIndex(ValueLayout.JAVA_INT, set, sets.getAtIndex(ValueLayout.JAVA_INT, set) & ~(1 << 23));
            }
            if (SystemCall.call(errno, x86 ? 126 : 91, header.address(), sets.address(), 0) != 0) {
                throw new AssertionError("a thread may always give up a right");
            }
        }
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
