package io.guidepost.packet.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The functions of DPDK and of the C library by name, for all that is not the hot path: opening, closing, asking. They
 * are all called through one handle, seven longs in, one out, as {@link SystemCall} does it; a
 * function that has fewer or smaller arguments does not look at the rest of the registers. Results of the type int are
 * the lower half of the long.
 */
final class DpdkLibrary {
    /** The version of the binary interface that the offsets in {@link DpdkAbi23} are of; it ends the libraries' names. */
    private static final int ABI = 23;

    /** Versions to look for when that one is missing, so that the refusal can name what is there. */
    private static final int ABI_FIRST = 20;

    private static final int ABI_LAST = 30;

    private static final MethodHandle CALL = Linker.nativeLinker()
            .downcallHandle(FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private final SymbolLookup symbols;

    private DpdkLibrary(SymbolLookup symbols) {
        this.symbols = symbols;
    }

    /**
     * Loads it. The library of devices brings those with it that it needs, and knows their names.
     *
     * @throws IOException if it is not installed, or is of another version
     */
    static DpdkLibrary load() throws IOException {
        if (!SystemCall.AVAILABLE) {
            throw new IOException("DPDK: only Linux on x86-64 and aarch64 has it here");
        }
        SymbolLookup device = lookup(ABI);
        if (device == null) {
            throw new IOException(missing());
        }
        DpdkLibrary library = new DpdkLibrary(device.or(Linker.nativeLinker().defaultLookup()));
        String version = library.text(library.call("rte_version"));
        if (!version.startsWith("DPDK " + DpdkAbi23.RELEASE_YEAR + "." + DpdkAbi23.RELEASE_MONTH)) {
            throw new IOException("DPDK: " + version + " is installed with ABI " + ABI + "; known here are the releases "
                    + DpdkAbi23.RELEASE_YEAR + "." + DpdkAbi23.RELEASE_MONTH);
        }
        return library;
    }

    private static @Nullable SymbolLookup lookup(int abi) {
        try {
            return SymbolLookup.libraryLookup("librte_ethdev.so." + abi, Arena.global());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String missing() {
        for (int other = ABI_FIRST; other <= ABI_LAST; other++) {
            if (lookup(other) != null) {
                return "DPDK: its libraries here have ABI " + other + "; known here is ABI " + ABI
                        + " (DPDK 22.11): install that one beside it";
            }
        }
        return "DPDK: no librte_ethdev.so." + ABI + " (DPDK 22.11) on this machine: apt install dpdk, or put the folder"
                + " that has it into LD_LIBRARY_PATH";
    }

    /** Returns where a function or a variable is; that of the calling thread if each thread has its own. */
    MemorySegment find(String name) {
        return symbols.find(name)
                .orElseThrow(() -> new IllegalStateException("the library of DPDK has no " + name));
    }

    /** Calls a function by name. */
    long call(String name) {
        return call(find(name), 0, 0, 0, 0, 0, 0, 0);
    }

    /** Calls a function by name. */
    long call(String name, long a) {
        return call(find(name), a, 0, 0, 0, 0, 0, 0);
    }

    /** Calls a function by name. */
    long call(String name, long a, long b) {
        return call(find(name), a, b, 0, 0, 0, 0, 0);
    }

    /** Calls a function by name. */
    long call(String name, long a, long b, long c) {
        return call(find(name), a, b, c, 0, 0, 0, 0);
    }

    /** Calls a function by name. */
    long call(String name, long a, long b, long c, long d, long e, long f, long g) {
        return call(find(name), a, b, c, d, e, f, g);
    }

    /** Calls a function by its address. */
    static long call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g) {
        try {
            return (long) CALL.invokeExact(function, a, b, c, d, e, f, g);
        } catch (Throwable t) {
            throw new AssertionError("a downcall does not throw", t);
        }
    }

    /** Returns a text of C. */
    String text(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    /** Returns what an error number means, as DPDK says it. */
    String meaning(int error) {
        return text(call("rte_strerror", Math.abs(error)));
    }

    /** Returns the number of the last error of the calling thread. */
    int lastError() {
        return find("per_lcore__rte_errno").reinterpret(Integer.BYTES).get(JAVA_INT, 0);
    }
}
