package io.guidepost.base;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What Jazzer calls, see {@code ./guidepost fuzz}: it hands each input to the target that the property {@code fuzz.target}
 * names, and looks what that cost. A target is a public class of some module's tests with two public static methods:
 * {@code void fuzz(byte[] input)}, which throws nothing but what is a fault of ours, and {@code List<byte[]> seeds()}, right
 * inputs to begin with. Jazzer itself is not needed to compile either.
 */
public final class Fuzzing {
    /** Processor time that no input may take. */
    static final long CPU_NANOS_MAX = 10_000_000;

    /** Bytes of heap that no packet may cost, whatever is in it; more for texts, files and what opens a connection first. */
    static final long ALLOCATED_BYTES_MAX = Long.getLong("fuzz.allocated", 64 << 10);

    /** Times that an input is tried that was dear: only the first may pay for classes, compilers and tables. */
    private static final int TRIES = 8;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final MethodHandle TARGET = method("fuzz", MethodType.methodType(void.class, byte[].class));

    private Fuzzing() {}

    private static MethodHandle method(String name, MethodType type) {
        String target = System.getProperty("fuzz.target", "");
        try {
            return MethodHandles.lookup().findStatic(Class.forName(target), name, type);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("fuzz.target is '" + target + "', which has no method " + name, e);
        }
    }

    /** Called by Jazzer with each input. */
    public static void fuzzerTestOneInput(byte[] input) throws Throwable {
        long allocated = Long.MAX_VALUE;
        long cpu = Long.MAX_VALUE;
        for (int i = 0; i < TRIES && (allocated > ALLOCATED_BYTES_MAX || cpu > CPU_NANOS_MAX); i++) {
            long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
            long cpuBefore = THREADS.getCurrentThreadCpuTime();
            TARGET.invokeExact(input);
            cpu = Math.min(cpu, THREADS.getCurrentThreadCpuTime() - cpuBefore);
            allocated = Math.min(allocated, THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore);
        }
        if (allocated > ALLOCATED_BYTES_MAX) {
            throw new AssertionError(input.length + " bytes cost " + allocated + " of heap; at most " + ALLOCATED_BYTES_MAX);
        }
        if (cpu > CPU_NANOS_MAX) {
            throw new AssertionError(input.length + " bytes took " + cpu + " ns of the processor; at most " + CPU_NANOS_MAX);
        }
    }

    /** Writes the target's seeds as files into a folder. */
    public static void main(String[] arguments) throws Throwable {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        int number = 0;
        for (Object each : (List<?>) method("seeds", MethodType.methodType(List.class)).invokeExact()) {
            write(folder.resolve("seed-" + number++), (byte[]) each);
        }
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
    }
}
