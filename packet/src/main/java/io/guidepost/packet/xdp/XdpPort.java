package io.guidepost.packet.xdp;

import io.guidepost.packet.Drop;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.QueuePort;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens ports of frames over AF_XDP.
 *
 * <table>
 * <caption>Options beside those of all ports</caption>
 * <tr><th>key<th>values<th>what it sets
 * <tr><td>mode<td>auto, native, generic<td>where the program runs: in the driver, or behind it, with any device; auto
 *     takes the driver if it can, and the port's name says which it was
 * <tr><td>redirect<td>all, or terms joined by +<td>what the port takes; the kernel gets the rest. udp:PORT is UDP to a
 *     port number, address:IP is all that is for an address, ARP and neighbour solicitations included; a term without a
 *     kind has that of the one before: udp:5001+5002+address:10.0.0.2
 * <tr><td>rest<td>kernel, drop<td>what becomes of the frames of other queues, where {@code queues} or first-queue leaves some of
 *     the device's out: without it such a port is refused
 * <tr><td>ring<td>64 to 65,536<td>entries of each of the four rings of a queue, a power of two; 2,048
 * <tr><td>first-queue<td>0 to 1,023<td>the device's queue that is the port's queue 0
 * <tr><td>copy<td>true, false<td>has the kernel copy frames even where the device can do without
 * <tr><td>oversize<td>refuse, drop<td>whether an interface is refused whose MTU is larger than a piece of packet memory
 *     takes, or longer frames are lost, and counted
 * <tr><td>busy-poll<td>microseconds<td>lets the thread that receives drive the device by itself (Linux 5.11); 0 is never
 * <tr><td>checksums<td>device, software<td>whether checksums may come and leave partial, or are completed here; where the
 *     kernel copies, they may come so either way
 * <tr><td>busy-poll-frames<td>1 to 65,535<td>frames that it takes at most in one look; 64
 * </table>
 *
 * <p>The port takes all receive queues of the device, unless {@code queues} says how many.
 *
 * <p>A frame is in one piece of the UMEM, as XDP's multi-buffer mode is not used: {@code frame-bytes=2048} takes MTUs up to
 * 1,774, {@code frame-bytes=4096}, the largest, up to 3,822. Longer frames that arrive with {@code oversize=drop} count as {@link
 * Drop#OVERFLOW}, and as {@code xdp_rx_dropped} of the device; those to send as {@link Drop#TOO_LARGE}.
 */
public final class XdpPort extends QueuePort<XdpRx, XdpTx> {
    /**
     * Pieces of packet memory for each entry of a receive ring: those in it, in the transmit ring, in bursts, and spare
     * ones.
     */
    private static final int PIECES_EACH = 4;

    /** The largest piece that the kernel takes of ordinary pages. */
    private static final int PIECE_BYTES_MAX = 4096;

    private static final int VLAN_TAG_BYTES = 4;

    /** Names of the counters of struct xdp_statistics. */
    private static final List<String> SOCKET_COUNTERS = List.of(
            "xdp_rx_dropped",
            "xdp_rx_invalid_descs",
            "xdp_tx_invalid_descs",
            "xdp_rx_ring_full",
            "xdp_rx_fill_ring_empty",
            "xdp_tx_ring_empty");

    private final String name;
    private final NetDevice device;
    private final long mac;
    private final int frameBytesMax;
    private final @Nullable FramePool own;
    private final XdpAttachment attachment;
    private @Nullable PromiscuousMode promiscuity;
    private boolean completes = true;
    private final String bypass;
    private final List<XskSocket> sockets = new ArrayList<>();

    /**
     * Opens a port.
     *
     * @param settings device is the interface's name
     * @throws IOException in one line: what is wrong or missing, and how to get it
     */
    public static Port open(FrameSettings settings) throws IOException {
        if (!SystemCall.AVAILABLE) {
            throw new IOException("xdp:" + settings.device() + ": AF_XDP needs Linux on x86-64 or aarch64");
        }
        return new XdpPort(settings, XdpOptions.of(settings));
    }

    /**
     * Checks options of its own, and opens nothing.
     *
     * @throws IOException in one line: which option is wrong, and what would be right
     */
    public static void check(FrameSettings settings) throws IOException {
        XdpOptions.of(settings);
    }

    /**
     * Returns how many queues a port takes that is told no number: all of the device from the first on.
     *
     * @throws IOException in one line: an option is wrong, or there is no such interface
     */
    public static int queues(FrameSettings settings) throws IOException {
        String user = "xdp:" + settings.device();
        return queues(NetDevice.named(settings.device(), user), settings, XdpOptions.of(settings));
    }

    private static int queues(NetDevice device, FrameSettings settings, XdpOptions options) {
        return settings.isAllQueues() ? Math.max(1, device.receiveQueues() - options.firstQueue()) : settings.queues();
    }

    private XdpPort(FrameSettings asked, XdpOptions options) throws IOException {
        super(PortLayer.FRAME);
        String user = "xdp:" + asked.device();
        device = NetDevice.named(asked.device(), user);
        FrameSettings settings = asked.withQueues(queues(device, asked, options));
        bypass = bypass(settings.queues(), options, user);
        mac = device.mac();
        frameBytesMax = frameBytesMax(settings, options, user);
        FramePool pool = settings.poolOr(settings.queues() * options.ring() * PIECES_EACH);
        own = settings.pool() == null ? pool : null;
        if (own != null) {
            NumaNode.prefer(own.segment(), device.numaNode());
        }
        attachment = new XdpAttachment(device, options, user);
        name = user + (attachment.isNative() ? ",mode=native" : ",mode=generic");
        try {
            if (settings.promiscuous() && options.redirect().everything()) {
                promiscuity = new PromiscuousMode(device, user);
            }
            for (int i = 0; i < settings.queues(); i++) {
                open(i, settings, options, pool, user);
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns what {@link #bypass()} does; refuses a port that leaves out queues without a word on their frames. */
    private String bypass(int queues, XdpOptions options, String user) throws IOException {
        int all = device.receiveQueues();
        int left = Math.max(0, all - queues);
        if (left > 0 && options.rest() == XdpOptions.Rest.NONE) {
            throw new IOException(user + ": the device has " + all + " queues, and queues=" + queues + " leaves frames of " + left
                    + " of them out; leave queues= and first-queue= out to take all, or say what becomes of those frames:"
                    + " rest=drop, or rest=kernel, which may forward them");
        }
        return !options.redirect().everything()
                ? "the kernel gets other frames (redirect= is not all)"
                : left > 0 && !options.dropsRest() ? "the kernel gets the frames of " + left + " of " + all + " queues (rest=kernel)" : "";
    }

    /**
     * Returns the largest MTU that frames of packet memory of a size take, the standard headroom included; 0 if AF_XDP does not
     * take such frames. Drivers may take less in the native mode.
     */
    public static int mtuMax(int frameBytes) {
        return frameBytes > PIECE_BYTES_MAX ? 0 : mtuMax(frameBytes, FrameSettings.HEADROOM_BYTES);
    }

    private static int mtuMax(int pieceBytes, int headroom) {
        return pieceBytes - Math.max(headroom, XskSocket.KERNEL_HEADROOM_BYTES) - NetDevice.ETHERNET_BYTES - VLAN_TAG_BYTES;
    }

    private int frameBytesMax(FrameSettings settings, XdpOptions options, String user) throws IOException {
        FramePool shared = settings.pool();
        int pieceBytes = shared == null ? settings.frameBytes() : shared.frameBytes();
        int headroom = shared == null ? FrameSettings.HEADROOM_BYTES : shared.headroomBytes();
        if (pieceBytes > PIECE_BYTES_MAX) {
            throw new IOException(user + ": frame-bytes is " + pieceBytes + "; AF_XDP takes 2048 or 4096");
        }
        int mtuMax = mtuMax(pieceBytes, headroom);
        int mtu = device.mtu();
        if (mtu > mtuMax && !options.oversizeDropped()) {
            throw new IOException(user + ": its MTU is " + mtu + ", and frame-bytes=" + pieceBytes + " takes " + mtuMax
                    + (mtu <= mtuMax + PIECE_BYTES_MAX - pieceBytes ? "; set frame-bytes=4096, or" : "; set") + " a smaller MTU"
                    + " (ip link set dev " + device.name() + " mtu " + mtuMax + "), or oversize=drop to lose longer frames");
        }
        return Math.min(mtu, mtuMax) + NetDevice.ETHERNET_BYTES;
    }

    private void open(int queue, FrameSettings settings, XdpOptions options, FramePool pool, String user)
            throws IOException {
        int number = options.firstQueue() + queue;
        boolean copy = options.copy() || !attachment.isNative();
        XskSocket socket = new XskSocket(pool, device.index(), number, options, copy, user);
        sockets.add(socket);
        completes &= options.byDevice() && socket.completesChecksums();
        int burst = settings.burstMax();
        XdpTx transmit = new XdpTx(socket, pool, user + "/tx" + queue, burst, frameBytesMax + VLAN_TAG_BYTES, options);
        tx.add(transmit);
        int pieces = Math.min(options.ring(), pool.frames() / PIECES_EACH / settings.queues());
        rx.add(new XdpRx(socket, transmit, pool, user + "/rx" + queue, burst, pieces, options));
        attachment.redirect(number, socket.number());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long mac() {
        return mac;
    }

    @Override
    public int frameBytesMax() {
        return frameBytesMax;
    }

    @Override
    public LinkState link() {
        return device.link();
    }

    @Override
    public Set<Offload> offloads() {
        Set<Offload> offloads = EnumSet.noneOf(Offload.class);
        if (completes) {
            offloads.add(Offload.TX_UDP_CHECKSUM);
            offloads.add(Offload.TX_TCP_CHECKSUM);
        }
        return offloads;
    }

    @Override
    public Optional<FramePool> framePool() {
        return Optional.ofNullable(own);
    }

    @Override
    public Optional<String> bypass() {
        return bypass.isEmpty() ? Optional.empty() : Optional.of(bypass);
    }

    /**
     * Returns the program's counts of passed, redirected and dropped frames; the sockets' losses, summed over the queues;
     * whether zero copy is in use; and the interface's counters.
     */
    @Override
    public Map<String, Long> deviceCounters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("xdp_passed", attachment.counter(RedirectProgram.PASSED));
        counters.put("xdp_redirected", attachment.counter(RedirectProgram.REDIRECTED));
        counters.put("xdp_dropped", attachment.counter(RedirectProgram.DROPPED));
        for (XskSocket socket : sockets) {
            long[] counts = socket.statistics();
            for (int i = 0; i < counts.length; i++) {
                counters.merge(SOCKET_COUNTERS.get(i), counts[i], Long::sum);
            }
            counters.merge("xdp_zero_copy", socket.isZeroCopy() ? 1L : 0L, Math::max);
        }
        counters.putAll(device.counters());
        return counters;
    }

    @Override
    public synchronized void close() {
        attachment.close();
        if (promiscuity != null) {
            promiscuity.close();
        }
        rx.forEach(XdpRx::shut);
        tx.forEach(XdpTx::shut);
        sockets.forEach(XskSocket::close);
        rx.forEach(XdpRx::drain);
        tx.forEach(XdpTx::drain);
        if (own != null) {
            own.close();
        }
    }
}
