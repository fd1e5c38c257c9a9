package io.guidepost.packet.udp;

import io.guidepost.base.AddressText;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.QueuePort;
import io.guidepost.packet.ReuseportGroup;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.handover.InheritedSockets;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A UDP port over kernel sockets, one for each queue, with batched system calls. */
final class KernelPort extends QueuePort<KernelRx, KernelTx> implements ReuseportGroup {
    private final List<SharedDescriptor> sockets = new ArrayList<>();
    private final UdpSettings settings;
    private final InetSocketAddress address;
    private @Nullable KernelPort beside;
    private boolean closed;
    private boolean held;

    private KernelPort(UdpSettings settings, InetSocketAddress local, SocketOpener opener) throws IOException {
        super(PortLayer.DATAGRAM);
        this.settings = settings;
        InetSocketAddress bound = local;
        try {
            int inherited = InheritedSockets.count(InheritedSockets.Kind.UDP, local);
            for (int queue = 0; queue < Math.max(settings.queues(), inherited); queue++) {
                SharedDescriptor socket = opener.open(bound);
                sockets.add(socket);
                bound = opener.bound(socket);
                rx.add(new KernelRx(socket, settings));
                tx.add(new KernelTx(socket, settings));
            }
        } catch (IOException e) {
            closeQueues();
            throw e;
        }
        address = bound;
    }

    static Port open(UdpSettings settings) throws IOException {
        if (!SystemCall.AVAILABLE) {
            throw new IOException("the back end kernel is for Linux on x86-64 and aarch64; choose channel");
        }
        try (SocketOpener opener = new SocketOpener(settings)) {
            return new KernelPort(settings, settings.local(), opener);
        }
    }

    @Override
    public String name() {
        return "udp:" + AddressText.of(address);
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public Optional<ReuseportGroup> reuseportGroup() {
        return Optional.of(this);
    }

    @Override
    public int sockets() {
        return sockets.size();
    }

    @Override
    public synchronized Port openBeside(int burstMax) throws IOException {
        if (closed) {
            throw new IOException(name() + " is closed");
        }
        try (SocketOpener opener = SocketOpener.joining(settings, sockets.get(0))) {
            beside = new KernelPort(settings.withBurstMax(burstMax), address, opener);
            return beside;
        }
    }

    @Override
    public synchronized Optional<String> filter(long[] instructions) {
        if (held) {
            return Optional.empty();
        }
        int error = closed ? SystemCall.EBADF : SocketOpener.attach(sockets.get(0), instructions);
        return error == 0 ? Optional.empty() : Optional.of(SystemCall.meaning(error));
    }

    @Override
    public List<Integer> descriptors() {
        return sockets.stream().map(SharedDescriptor::number).toList();
    }

    @Override
    public synchronized void hold(boolean nowHeld) {
        held = nowHeld;
        rx.forEach(each -> each.hold(nowHeld));
    }

    @Override
    public synchronized void closeBeside() {
        if (beside != null) {
            beside.close();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        closeBeside();
        closeQueues();
    }

    private void closeQueues() {
        sockets.forEach(SharedDescriptor::close);
        rx.forEach(KernelRx::close);
    }
}
