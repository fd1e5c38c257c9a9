package io.guidepost.packet.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Set;

/**
 * Properties of poll mode drivers, and the call of their burst functions: {@code uint16_t (void *queue, struct rte_mbuf
 * **mbufs, uint16_t number)}. In C these are inlined calls through the table {@code rte_eth_fp_ops}.
 *
 * <p>A critical call costs a third of an ordinary one, but blocks the garbage collector. So only drivers known to make
 * no system call and take no lock in a burst are called so; they are listed here.
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

    /** Drivers of software devices that allocate received frames. The ring passes on what others allocated. */
    private static final Set<String> ALLOCATING =
            Set.of("net_null", "net_pcap", "net_tap", "net_af_packet", "net_af_xdp", "net_memif");

    /** Software devices that pass frames of a kernel without their checksum state. */
    private static final Set<String> UNTOLD = Set.of("net_af_packet", "net_af_xdp");

    private PollModeDrivers() {}

    /** Returns whether a driver makes the interface of the kernel that its device has. */
    static boolean makesInterface(String driver) {
        return driver.equals("net_tap");
    }

    /** Returns whether a driver shares memory with another process, without which its link is down. */
    static boolean hasPeer(String driver) {
        return driver.equals("net_memif");
    }

    /** Returns whether frames may arrive with partial checksums without notice. */
    static boolean passesPartialChecksums(String driver) {
        return UNTOLD.contains(driver);
    }

    /** Returns whether a driver's bursts may be called as critical. */
    static boolean neverWaits(String driver) {
        return CARDS.contains(driver) || driver.equals("net_null") || driver.equals("net_ring");
    }

    /** Returns whether all received mbufs come from the queue's pool. */
    static boolean allocatesFromPool(String driver) {
        return CARDS.contains(driver) || ALLOCATING.contains(driver);
    }

    /** Calls a burst function; returns the number of frames received or sent. */
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
