package io.guidepost.packet.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Set;

/**
 * What is known of drivers, and how their functions for bursts are called:
 * {@code uint16_t (void *queue, struct rte_mbuf **mbufs, uint16_t number)}. In C they are called by inline functions, out
 * of the table {@code rte_eth_fp_ops}.
 *
 * <p>A critical call costs a third of an ordinary one, and keeps the collector waiting while it lasts. So only drivers
 * that are known to make no system call and to take no lock in a burst are called so; they are named here.
 */
final class PollModeDrivers {
    private static final FunctionDescriptor SHAPE =
            FunctionDescriptor.of(JAVA_SHORT, JAVA_LONG, JAVA_LONG, JAVA_SHORT);
    private static final MethodHandle ORDINARY = Linker.nativeLinker().downcallHandle(SHAPE);
    private static final MethodHandle CRITICAL =
            Linker.nativeLinker().downcallHandle(SHAPE, Linker.Option.critical(false));

    /** Drivers of cards, whose bursts only touch memory and registers, and receive into mbufs of their queue's pool. */
    private static final Set<String> CARDS = Set.of(
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

    /** Drivers of software devices that allocate what they receive. The ring passes on what others allocated. */
    private static final Set<String> ALLOCATING =
            Set.of("net_null", "net_pcap", "net_tap", "net_af_packet", "net_af_xdp", "net_memif");

    /** Software devices that take frames of a kernel, and not what it knows of them. */
    private static final Set<String> UNTOLD = Set.of("net_af_packet", "net_af_xdp");

    private PollModeDrivers() {}

    /** Returns whether frames may come with checksums that their sender left to a device, without a word of it. */
    static boolean passesPartialChecksums(String driver) {
        return UNTOLD.contains(driver);
    }

    /** Returns whether a driver's bursts may be called critically. */
    static boolean neverWaits(String driver) {
        return CARDS.contains(driver) || driver.equals("net_null") || driver.equals("net_ring");
    }

    /** Returns whether all mbufs that a driver receives are of the pool that its queue was given. */
    static boolean allocatesFromPool(String driver) {
        return CARDS.contains(driver) || ALLOCATING.contains(driver);
    }

    /** Calls it; gives how many came, or went. */
    static int burst(boolean critical, MemorySegment function, long queue, long mbufs, int number) {
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
