package io.guidepost.packet.dpdk;

import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens devices of DPDK 22.11 as ports of frames: {@code net_null0}, {@code net_ring0}, {@code net_tap0},
 * {@code net_af_packet0}, {@code net_af_xdp0}, {@code net_pcap0}, {@code net_memif0}, or a network card by its place on
 * the PCI bus, {@code 0000:00:05.0}.
 *
 * <p>Options of a port:
 *
 * <ul>
 *   <li>those that begin with {@code eal-}: how DPDK starts, see {@link EalSettings}; the first port decides for all;
 *   <li>{@code mtu}: bytes of a packet behind the Ethernet header, told to the device; by default what it has, or with
 *       frames of more than 2,048 bytes as much as fits
 *   <li>{@code rx-descriptors} and {@code tx-descriptors}: places in the rings of a queue, by default what the driver
 *       recommends, or 1,024;
 *   <li>all others go to the device, as {@code iface=eth1}; a key that a device wants several times is written once with
 *       its values separated by semicolons.
 * </ul>
 *
 * <p>Ports use DPDK's packet memory and pass frames to each other without a copy if they have the same frame size and
 * no explicit number of frames; a {@linkplain FrameSettings#pool pool} in the settings is ignored. Frame bytes are the
 * room for a frame; DPDK's headroom of 128 comes on top, as cards count their room in whole kilobytes.
 *
 * <p>Queues are for platform threads, at most 127 at once: DPDK caches free frames for each, in thread-local memory.
 */
public final class Dpdk {
    private Dpdk() {}

    /**
     * Opens a device.
     *
     * @throws IOException in one line: what is missing and how to get it, or what the device refuses
     */
    public static Port open(FrameSettings settings) throws IOException {
        EalSettings asked = eal(settings);
        return DpdkPort.open(Eal.start(asked), settings.withOptions(options(settings, false)));
    }

    /**
     * Checks the options for DPDK's EAL, and opens nothing.
     *
     * @throws IOException in one line: which option is wrong, and what would be right
     */
    public static void check(FrameSettings settings) throws IOException {
        eal(settings);
    }

    /**
     * Opens the device of a port again that was closed because the device was lost; queues, counters and memory stay.
     *
     * @return whether it is a port of DPDK
     * @throws io.guidepost.packet.device.NoSuchInterfaceException if it is on an interface that is not back
     * @throws IOException in one line: what the device refuses
     */
    public static boolean reopen(Port port) throws IOException {
        if (port instanceof DpdkPort lost) {
            lost.reopen();
            return true;
        }
        return false;
    }

    /** Returns the largest MTU that frames of packet memory of a size take; devices may take less. */
    public static int mtuMax(int frameBytes) {
        return frameBytes - DpdkDeviceSetup.HEADER_BYTES;
    }

    private static @Nullable EalSettings eal(FrameSettings settings) throws IOException {
        Map<String, String> options = options(settings, true);
        return options.isEmpty() ? null : EalSettings.of("dpdk:" + settings.device(), options);
    }

    private static Map<String, String> options(FrameSettings settings, boolean eal) {
        Map<String, String> options = new LinkedHashMap<>(settings.options());
        options.keySet().removeIf(each -> each.startsWith(EalSettings.KEY_PREFIX) != eal);
        return options;
    }
}
