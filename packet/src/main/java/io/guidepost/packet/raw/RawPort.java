package io.guidepost.packet.raw;

import io.guidepost.packet.FramePool;
import io.guidepost.packet.FramePort;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortOptions;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.device.SharedDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A port of frames over packet sockets of the Linux kernel (AF_PACKET): {@code packet:IFACE}. Each queue has a
 * receiving socket and two sending ones, one of them for partial checksums; receiving sockets share the interface's
 * frames by a symmetric flow hash (PACKET_FANOUT).
 *
 * <p>The kernel's own stack sees all frames too. Options: {@code fanout} (hash, balance, processor, rollover, random,
 * queue) selects how frames are spread over the queues; {@code defrag} reassembles fragments before, so that all of a
 * flow reach one queue; {@code bypass} bypasses the queueing discipline; {@code checksums=software} disables checksum
 * offload.
 */
public final class RawPort extends FramePort<RawRx, RawTx> {
    /** Frames of packet memory for each queue, and at least: each holds some 500 in bursts, messages and views. */
    private static final int FRAMES_EACH = 1024;

    private static final int FRAMES_MIN = 8192;

    /** PACKET_FANOUT_HASH, _LB, _CPU, _ROLLOVER, _RND, _QM by their index. */
    private static final List<String> FANOUTS =
            List.of("hash", "balance", "processor", "rollover", "random", "queue");

    private static final int FANOUT_DEFRAG = 0x8000;

    private final String name;
    private final NetDevice device;
    private final long mac;
    private final FramePool pool;
    private final boolean ownPool;
    private final boolean partial;
    private final List<SharedDescriptor> sockets = new ArrayList<>();

    private record Options(int fanout, boolean bypass, boolean partial) {
        static Options of(String name, FrameSettings settings) throws IOException {
            PortOptions options = new PortOptions(name, settings);
            String spread = options.choice("fanout", "hash", FANOUTS);
            int fanout = FANOUTS.indexOf(spread) | (options.flag("defrag", false) ? FANOUT_DEFRAG : 0);
            Options read = new Options(fanout, options.flag("bypass", false), options.checksumsByDevice());
            options.refuseOthers();
            return read;
        }
    }

    private RawPort(FrameSettings settings) throws IOException {
        name = "packet:" + settings.device();
        Options options = Options.of(name, settings);
        int fanout = options.fanout;
        boolean bypass = options.bypass;
        partial = options.partial;
        device = NetDevice.named(settings.device(), name);
        mac = device.mac();
        ownPool = settings.pool() == null;
        pool = settings.poolOr(Math.max(FRAMES_MIN, settings.queues() * FRAMES_EACH));
        if (pool.headroomBytes() < RawRx.HEADROOM_BYTES_MIN) {
            throw new IOException(name + ": its packet memory has " + pool.headroomBytes()
                    + " bytes of headroom; it needs " + RawRx.HEADROOM_BYTES_MIN);
        }
        try (RawSocket opener = new RawSocket(name, device)) {
            for (int queue = 0; queue < settings.queues(); queue++) {
                SharedDescriptor in = opener.receiving(settings.promiscuous(), settings.queues() > 1 ? fanout : -1);
                sockets.add(in);
                SharedDescriptor out = opener.sending(bypass, false);
                sockets.add(out);
                SharedDescriptor told = partial ? opener.sending(bypass, true) : null;
                if (told != null) {
                    sockets.add(told);
                }
                rx.add(new RawRx(in, pool.view(name + "/rx" + queue), settings.burstMax(), partial));
                tx.add(new RawTx(out, told, pool.view(name + "/tx" + queue), settings.burstMax()));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /**
     * Checks options of its own, and opens nothing.
     *
     * @throws IOException in one line: which option is wrong, and what would be right
     */
    public static void check(FrameSettings settings) throws IOException {
        Options.of("packet:" + settings.device(), settings);
    }

    /**
     * Opens a port.
     *
     * @throws IOException in one line: the interface does not exist, or which privilege is missing
     */
    public static Port open(FrameSettings settings) throws IOException {
        return new RawPort(settings);
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
        return Math.min(device.mtu() + NetDevice.ETHERNET_BYTES, pool.frameBytes() - pool.headroomBytes());
    }

    @Override
    public LinkState link() {
        return device.link();
    }

    @Override
    public Set<Offload> offloads() {
        Set<Offload> offloads = partial ? Offload.checksums() : EnumSet.noneOf(Offload.class);
        if (rx.size() > 1) {
            offloads.add(Offload.RECEIVE_SIDE_SCALING);
        }
        if (frameBytesMax() > 1_518) {
            offloads.add(Offload.JUMBO);
        }
        return offloads;
    }

    @Override
    public Optional<FramePool> framePool() {
        return Optional.of(pool);
    }

    @Override
    public Map<String, Long> deviceCounters() {
        return device.counters();
    }

    @Override
    public void close() {
        sockets.forEach(SharedDescriptor::close);
        if (ownPool) {
            pool.close();
        }
    }
}
