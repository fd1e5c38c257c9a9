package io.guidepost.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The baseline in C, {@code responder.c}: compiled for this machine when its source is newer, and started. */
final class Responder implements Target {
    private static final String SOURCE = "responder.c";
    private static final long COMPILE_SECONDS_MAX = 60;
    private static final long START_NANOS_MAX = 60_000_000_000L;
    private static final long LOOK_NANOS = 1_000_000;

    private final Child child;
    private final InetSocketAddress address;

    private Responder(Child child, int port) {
        this.child = child;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Starts it with records that are {@link SyntheticRecords}, and waits until it is ready. */
    static Responder start(int cpu, Path folder, int records, boolean trains) {
        List<String> command = new ArrayList<>(List.of(
                compiled(folder).toString(), "--records", Integer.toString(records), "--spin", "20"));
        if (trains) {
            command.add("--gro");
        }
        Child child = Child.start("responder", cpu, folder, command);
        return new Responder(child, port(child));
    }

    /** Whether there is a C compiler to make it with. */
    static boolean available() {
        return compiler() != null;
    }

    private static int port(Child child) {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (child.alive() && System.nanoTime() - end < 0) {
            String output = child.output();
            if (output.startsWith("ready ") && output.endsWith("\n")) {
                return Integer.parseInt(output.substring(6).trim());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        throw child.failed("did not become ready");
    }

    private static @Nullable Path compiler() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "cc"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** The program, compiled if need be. */
    private static Path compiled(Path folder) {
        Path compiler = compiler();
        if (compiler == null) {
            throw new Failure("the baseline is a C program, and there is no C compiler 'cc' on the path: install one"
                    + " (Debian and Ubuntu: apt-get install gcc libc6-dev)");
        }
        try (InputStream resource = Responder.class.getResourceAsStream(SOURCE)) {
            if (resource == null) {
                throw new Failure(SOURCE + " is missing from the class path: build the module bench again");
            }
            byte[] source = resource.readAllBytes();
            Path target = Path.of(System.getProperty("guidepost.bench.target", folder.toString()));
            Path copy = target.resolve(SOURCE);
            Path program = target.resolve("responder");
            if (Files.isExecutable(program) && Arrays.equals(Files.readAllBytes(copy), source)) {
                return program;
            }
            Files.createDirectories(target);
            Path made = Files.createTempFile(folder, "responder", "");
            Files.write(copy, source);
            Child.start("cc", Pinning.ANYWHERE, folder, List.of(
                            compiler.toString(), "-O3", "-march=native", "-o", made.toString(), copy.toString()))
                    .finish(COMPILE_SECONDS_MAX);
            // Put in place at once: another benchmark may be starting the old one.
            Files.move(made, program, StandardCopyOption.REPLACE_EXISTING);
            return program;
        } catch (IOException e) {
            throw new Failure("cannot compile " + SOURCE + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String name() {
        return "C responder";
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public long cpuNanos() {
        return child.meter().cpuNanos();
    }

    @Override
    public void close() {
        child.close();
    }
}
