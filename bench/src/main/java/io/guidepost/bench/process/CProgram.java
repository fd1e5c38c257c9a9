package io.guidepost.bench.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A baseline in C, compiled for this machine when its source is newer, and started.
 *
 * @param source name of the file, a resource of this module
 * @param included other such files that it includes
 * @param libraries for the linker, in the compiler's syntax: {@code -lxdp}
 * @param needs packages with these libraries, for people
 */
public record CProgram(String source, List<String> included, List<String> libraries, String needs) {
    private static final long COMPILE_SECONDS_MAX = 60;
    private static final long START_NANOS_MAX = 60_000_000_000L;
    private static final long LOOK_NANOS = 1_000_000;

    /** Creates a program that needs only the C library. */
    public CProgram(String source) {
        this(source, List.of());
    }

    /** Creates a program that needs only the C library, and includes other files. */
    public CProgram(String source, List<String> included) {
        this(source, included, List.of(), "libc6-dev");
    }

    /** Returns whether there is a C compiler. */
    public static boolean available() {
        return compiler() != null;
    }

    private static @Nullable Path compiler() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "cc"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /**
     * Compiles the program if needed and returns its path.
     *
     * @param folder for temporary files
     */
    public Path compiled(Path folder) {
        Path compiler = compiler();
        if (compiler == null) {
            throw BenchFailure.missing("the baseline is a C program, and there is no C compiler 'cc' on the path: install one"
                    + " (Debian and Ubuntu: apt-get install gcc " + needs + ")");
        }
        try {
            String name = source.substring(0, source.indexOf('.'));
            // Each program has a folder, so that its included files are as old as it is.
            Path target = Path.of(System.getProperty("guidepost.bench.target", folder.toString())).resolve("c-" + name);
            Path copy = target.resolve(source);
            Path program = target.resolve(name);
            Files.createDirectories(target);
            boolean changed = place(source, target);
            for (String each : included) {
                changed |= place(each, target);
            }
            if (!changed && Files.isExecutable(program)) {
                return program;
            }
            Files.deleteIfExists(program);
            Path made = Files.createTempFile(folder, name, "");
            List<String> command = new ArrayList<>(
                    List.of(compiler.toString(), "-O3", "-march=native", "-o", made.toString(), copy.toString()));
            command.addAll(libraries);
            compile(command, folder);
            // Renamed into place: another benchmark may be starting the old one.
            Files.move(made, program, StandardCopyOption.REPLACE_EXISTING);
            return program;
        } catch (IOException e) {
            throw new BenchFailure("cannot compile " + source + ": " + e.getMessage(), e);
        }
    }

    /** Writes a file for the compiler; returns whether it had another content before. */
    private static boolean place(String file, Path target) throws IOException {
        try (InputStream resource = CProgram.class.getResourceAsStream("/io/guidepost/bench/" + file)) {
            if (resource == null) {
                throw new BenchFailure(file + " is missing from the class path: build the module bench again");
            }
            byte[] text = resource.readAllBytes();
            Path copy = target.resolve(file);
            if (Files.exists(copy) && Arrays.equals(Files.readAllBytes(copy), text)) {
                return false;
            }
            Files.write(copy, text);
            return true;
        }
    }

    private void compile(List<String> command, Path folder) {
        try {
            ChildProcess.start("cc", ProcessPinning.ANYWHERE, folder, command).finish(COMPILE_SECONDS_MAX);
        } catch (BenchFailure e) {
            throw new BenchFailure(
                    source + " cannot be compiled; it needs " + needs + " (Debian and Ubuntu: apt-get install " + needs
                            + "): " + e.sentence(),
                    e);
        }
    }

    /** Waits until a program prints a line that begins with {@code ready}; returns the rest of the line. */
    public static String awaitReady(ChildProcess child) {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (child.alive() && System.nanoTime() - end < 0) {
            String output = child.output();
            String last = output.substring(output.stripTrailing().lastIndexOf('\n') + 1);
            if (last.startsWith("ready") && last.endsWith("\n")) {
                return last.substring(5).strip();
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        throw child.failed("did not become ready");
    }
}
