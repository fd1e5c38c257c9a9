package io.guidepost.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Baselines in C: compiled for this machine when their source is another than last time. */
final class CProgram {
    private static final long COMPILE_SECONDS_MAX = 120;

    private CProgram() {}

    /** Whether there is a C compiler to make them with. */
    static boolean compilerIsThere() {
        return program("cc") != null;
    }

    /** What pkg-config says of a library: flags of the compiler and of the linker; empty if it does not know it. */
    static List<String> flags(String library) {
        if (program("pkg-config") == null) {
            return List.of();
        }
        try {
            Process asked = new ProcessBuilder("pkg-config", "--cflags", "--libs", library)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * The program, compiled if need be.
     *
     * @param name of the source without its ending
     * @param folder for what is made on the way
     * @param flags of the compiler besides -O3 -march=native; libraries stand behind the source
     */
    static Path compiled(String name, Path folder, List<String> flags) {
        Path compiler = program("cc");
        if (compiler == null) {
            throw new Failure("the baseline is a C program, and there is no C compiler 'cc' on the path: install one"
                    + " (Debian and Ubuntu: apt-get install gcc libc6-dev)");
        }
        String file = name + ".c";
        try (InputStream resource = CProgram.class.getResourceAsStream(file)) {
            if (resource == null) {
                throw new Failure(file + " is missing from the class path: build the module bench again");
            }
            byte[] source = resource.readAllBytes();
            Path target = Path.of(System.getProperty("guidepost.bench.target", folder.toString()));
            Path copy = target.resolve(file);
            Path program = target.resolve(name);
            if (Files.isExecutable(program) && Arrays.equals(Files.readAllBytes(copy), source)) {
                return program;
            }
            Files.createDirectories(target);
            Path made = Files.createTempFile(folder, name, "");
            Files.write(copy, source);
            List<String> command = new ArrayList<>(
                    List.of(compiler.toString(), "-O3", "-march=native", "-o", made.toString(), copy.toString()));
            command.addAll(flags);
            Child.start("cc", Pinning.ANYWHERE, folder, command).finish(COMPILE_SECONDS_MAX);
            // Put in place at once: another benchmark may be starting the old one.
            Files.move(made, program, StandardCopyOption.REPLACE_EXISTING);
            return program;
        } catch (IOException e) {
            throw new Failure("cannot compile " + file + ": " + e.getMessage(), e);
        }
    }

    private static @Nullable Path program(String name) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }
}
