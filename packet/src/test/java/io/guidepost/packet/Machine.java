package io.guidepost.packet;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Set;

/** What this machine is, by the JDK's word: a test must not ask the code under test whether it can be tested. */
public final class Machine {
    /** Whether the back ends of Linux must work here. */
    public static final boolean LINUX =
            System.getProperty("os.name").equals("Linux") && Set.of("amd64", "aarch64").contains(System.getProperty("os.arch"));

    private Machine() {}

    /** Skips a test elsewhere. */
    public static void assumeLinux() {
        assumeTrue(LINUX, "it is for Linux on x86-64 or aarch64");
    }
}
