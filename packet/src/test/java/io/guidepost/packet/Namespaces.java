package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs scenes that need interfaces of their own, without root: each in a new program in a network namespace of its own,
 * which may make a second namespace for the other end of a veth pair.
 */
public final class Namespaces {
    private static final String DONE = "done: ";
    private static final String SKIPPED = "skipped: ";
    private static final int SECONDS_MAX = 120;

    /** Most scenes end before optimized code has paid for itself. */
    private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

    private static final String BOTH_COMPILERS = "-XX:TieredStopAtLevel=4";

    private Namespaces() {}

    /** For a test: runs a scene, skips with its reason, and fails if it does not end well. */
    public static void run(Class<?> scenes, String scene) throws IOException, InterruptedException {
        run(scenes, scene, "-rn", FIRST_COMPILER);
    }

    /** The same for scenes that count what optimized code allocates. */
    static void runOptimized(Class<?> scenes, String scene) throws IOException, InterruptedException {
        run(scenes, scene, "-rn", BOTH_COMPILERS);
    }

    /** The same for scenes that need root itself, as those with programs in the kernel. */
    public static void runAsRoot(Class<?> scenes, String scene) throws IOException, InterruptedException {
        assumeTrue("root".equals(System.getProperty("user.name")), "it takes root");
        run(scenes, scene, "-n", FIRST_COMPILER);
    }

    private static void run(Class<?> scenes, String scene, String spaces, String compilers) throws IOException, InterruptedException {
        Machine.assumeLinux();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = program(
                "unshare",
                spaces,
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-Dguidepost.packet.checked=" + FramePool.CHECKED,
                "-Xmx512m",
                "-XX:+UseSerialGC",
                compilers,
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=inline,jdk.internal.foreign.AbstractMemorySegmentImpl::asSlice*",
                "-XX:CompileCommand=inline,jdk.internal.foreign.abi.SharedUtils::checkNative",
                "-cp",
                System.getProperty("java.class.path"),
                scenes.getName(),
                scene);
        CompletableFuture.delayedExecutor(SECONDS_MAX, TimeUnit.SECONDS).execute(() -> end(process));
        try {
            String output = text(process);
            assumeTrue(!output.startsWith("unshare:"), "no network namespace could be made: " + output);
            assumeTrue(!output.contains(SKIPPED), output.strip());
            assertThat(output).contains(DONE + scene);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Ends a scene that hangs, behind the stacks of its threads. */
    private static void end(Process process) {
        if (process.isAlive()) {
            try {
                finish(program("kill", "-QUIT", Long.toString(process.pid())), new StringBuilder());
                process.waitFor(2, TimeUnit.SECONDS);
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                process.destroyForcibly();
            }
        }
    }

    /** For a scene: all went as it should. */
    public static void done(String scene) {
        System.out.println(DONE + scene);
    }

    /** For a scene: the machine lacks something. */
    public static void skipped(String reason) {
        System.out.println(SKIPPED + reason);
    }

    /** Whether there is a program of this name. */
    public static boolean has(String program) throws IOException, InterruptedException {
        return finish(program("sh", "-c", "command -v " + program), new StringBuilder()) == 0;
    }

    /** Runs a command line in this namespace; it must succeed. */
    public static String shell(String line) throws IOException, InterruptedException {
        return required(line, program("sh", "-ec", line));
    }

    private static Process program(String... command) throws IOException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "no such program here: " + e.getMessage());
            throw e;
        }
    }

    private static String required(String line, Process process) throws IOException, InterruptedException {
        StringBuilder output = new StringBuilder();
        int code = finish(process, output);
        assertThat(code).as("%s: %s", line, output).isZero();
        return output.toString();
    }

    private static int finish(Process process, StringBuilder output) throws IOException, InterruptedException {
        output.append(text(process));
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("not within " + SECONDS_MAX + " seconds: " + process.info());
        }
        return process.exitValue();
    }

    private static String text(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** A second namespace, that lasts until it is closed. */
    public static final class Peer implements AutoCloseable {
        private final Process holder;
        private final List<Process> started = new ArrayList<>();

        /** Makes it. */
        public Peer() throws IOException {
            holder = program("unshare", "-n", "sh", "-c", "echo there; exec cat");
            assertThat(holder.inputReader().readLine()).isEqualTo("there");
        }

        /** Moves an interface of this namespace there. */
        public void take(String device) throws IOException, InterruptedException {
            Namespaces.shell("ip link set " + device + " netns " + holder.pid());
        }

        /** Runs a command line there; it must succeed. */
        public String shell(String line) throws IOException, InterruptedException {
            return required(line, inside(line));
        }

        /** Starts a command line there, that ends with this object at the latest. */
        public Process start(String line) throws IOException {
            Process process = inside("exec " + line);
            started.add(process);
            return process;
        }

        private Process inside(String line) throws IOException {
            return program("nsenter", "-t", Long.toString(holder.pid()), "-n", "sh", "-ec", line);
        }

        @Override
        public void close() {
            started.forEach(Process::destroyForcibly);
            holder.destroyForcibly();
        }
    }
}
