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
 * Functions of DPDK and the C library by name, for everything but the hot path. All are called through one handle,
 * seven longs in, one out, as {@link SystemCall} does; a function with fewer or smaller arguments ignores the other
 * registers. Results of type int are the lower half of the long.
 */
final class DpdkLibrary {
    /** The ABI version of the offsets in {@link DpdkAbi23}; the suffix of the libraries' names. */
    private static final int ABI = 23;

    /** Versions to search when that one is missing, so that the error can name the installed one. */
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
     * Loads the libraries. The ethdev library loads its dependencies by name.
     *
     * @throws IOException if it is not installed, or has another version
     */
    static DpdkLibrary load() throws IOException {
        if (!SystemCall.AVAILABLE) {
            throw new IOException("DPDK needs Linux on x86-64 or aarch64");
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

    /** Returns the address of a function or a variable; of a thread-local one that of the calling thread. */
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

    /** Returns a C string. */
    String text(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Long.MAX_VALUE).getString(0);
    }

    /** Returns DPDK's message for an error number. */
    String meaning(int error) {
        return text(call("rte_strerror", Math.abs(error)));
    }

    /** Returns the last error number of the calling thread. */
    int lastError() {
        return find("per_lcore__rte_errno").reinterpret(Integer.BYTES).get(JAVA_INT, 0);
    }
}
