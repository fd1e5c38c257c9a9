package io.guidepost.packet.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Set;

/**
 * Calls a driver's function for bursts: {@code uint16_t (void *queue, struct rte_mbuf **mbufs, uint16_t number)}. In C
 * they are called by inline functions, out of the table {@code rte_eth_fp_ops}.
 *
 * <p>A critical call costs a third of an ordinary one, and keeps the collector waiting while it lasts. So only drivers
 * that are known to make no system call and to take no lock in a burst are called so; they are named here.
 */
final class BurstCall {
    private static final FunctionDescriptor SHAPE =
            FunctionDescriptor.of(JAVA_SHORT, JAVA_LONG, JAVA_LONG, JAVA_SHORT);
    private static final MethodHandle ORDINARY = Linker.nativeLinker().downcallHandle(SHAPE);
    private static final MethodHandle CRITICAL =
            Linker.nativeLinker().downcallHandle(SHAPE, Linker.Option.critical(false));

    /** Drivers that only touch memory, or the registers of a card. */
    private static final Set<String> NEVER_WAITING = Set.of(
            "net_null",
            "net_ring",
            "net_e1000_em",
            "net_e1000_igb",
            "net_igc",
            "net_ixgbe",
            "net_ixgbe_vf",
            "net_i40e",
            "net_iavf",
            "net_ice",
            "net_ena",
            "net_vmxnet3",
            "mlx5_pci");

    private BurstCall() {}

    /** Whether a driver's bursts may be called critically. */
    static boolean neverWaits(String driver) {
        return NEVER_WAITING.contains(driver);
    }

    /** Calls it; gives how many came, or went. */
    static int call(boolean critical, MemorySegment function, long queue, long mbufs, int number) {
        try {
            short moved = critical
                    ? (short) CRITICAL.invokeExact(function, queue, mbufs, (short) number)
                    : (short) ORDINARY.invokeExact(function, queue, mbufs, (short) number);
            return moved & 0xffff;
        } catch (Throwable t) {
            throw new AssertionError("a downcall does not throw", t);
        }
    }
}
