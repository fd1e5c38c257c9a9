package io.guidepost.lab.soak;

import io.guidepost.server.cli.support.ChildProcesses;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The time of day of one process, which this one steps: a library in C before that of the system, so that the clock of the machine,
 * which others read too, stays as it is.
 */
public final class SteppedClock {
    private static final String SOURCE = "stepped-clock.c";

    private final Path offset;
    private final Path library;
    private long seconds;

    private SteppedClock(Path offset, Path library) {
        this.offset = offset;
        this.library = library;
    }

    /**
     * Compiles the library, of a clock that is right at first.
     *
     * @throws IOException in one line, if there is no C compiler, or the system loads no such libraries
     */
    public static SteppedClock make(Path folder) throws IOException {
        Path source = folder.resolve(SOURCE);
        try (InputStream resource = SteppedClock.class.getResourceAsStream(SOURCE)) {
            if (resource == null) {
                throw new IOException(SOURCE + " is missing from the class path: build the module lab again");
            }
            Files.copy(resource, source);
        }
        SteppedClock clock = new SteppedClock(folder.resolve("clock-offset"), folder.resolve("stepped-clock.so"));
        clock.step(0);
        ChildProcesses.run("cc", "-O2", "-shared", "-fPIC", "-o", clock.library.toString(), source.toString(), "-ldl");
        return clock;
    }

    /** Returns the environment of a process that reads it. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "SOAK_CLOCK", offset.toString());
    }

    /** Steps it, forward or back; at once, for the process that runs and those after it. */
    public void step(long bySeconds) throws IOException {
        seconds += bySeconds;
        // Not written anew: the process has the file mapped, and must not find it empty.
        try (RandomAccessFile file = new RandomAccessFile(offset.toFile(), "rw")) {
            file.write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(seconds).array());
        }
    }

    /** Returns by how many seconds it is off. */
    public long seconds() {
        return seconds;
    }
}
