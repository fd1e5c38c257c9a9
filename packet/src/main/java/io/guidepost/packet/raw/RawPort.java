package io.guidepost.packet.raw;

import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortOptions;
import io.guidepost.packet.device.DevicePort;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.device.SharedDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
public final class RawPort extends DevicePort<RawRx, RawTx> {
    /** PACKET_FANOUT_HASH, _LB, _CPU, _ROLLOVER, _RND, _QM by their index. */
    private static final List<String> FANOUTS =
            List.of("hash", "balance", "processor", "rollover", "random", "queue");

    private static final int FANOUT_DEFRAG = 0x8000;

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
        String name = "packet:" + settings.device();
        Options options = Options.of(name, settings);
        int fanout = options.fanout;
        boolean bypass = options.bypass;
        boolean partial = options.partial;
        NetDevice named = NetDevice.named(settings.device(), name);
        List<SharedDescriptor> sockets = new ArrayList<>();
        super(name, named, named.mac(), settings, partial, sockets);
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

    @Override
    public Optional<String> bypass() {
        return device.forwarding().map(setting -> "the kernel gets all frames too, and forwards (" + setting + ")");
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
}
