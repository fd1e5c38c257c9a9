package io.guidepost.packet.udp;

import io.guidepost.packet.Aside;
import io.guidepost.packet.Port;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A UDP port over kernel sockets, one for each queue, with batched system calls. */
final class KernelPort extends UdpPort<KernelRx, KernelTx> {
    private final List<SharedDescriptor> sockets = new ArrayList<>();
    private final InetSocketAddress address;
    private final Aside aside;

    private KernelPort(UdpSettings settings) throws IOException {
        super("udp");
        if (!SystemCall.AVAILABLE) {
            throw new IOException("the back end kernel is for Linux on x86-64 and aarch64; choose channel");
        }
        InetSocketAddress bound = settings.local();
        try (SocketOpener opener = new SocketOpener(settings)) {
            for (int queue = 0; queue < settings.queues(); queue++) {
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
        aside = new Aside(settings, List.copyOf(sockets), bound, System::nanoTime);
    }

    static Port open(UdpSettings settings) throws IOException {
        return new KernelPort(settings);
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public Optional<Aside> aside() {
        return Optional.of(aside);
    }

    @Override
    public void close() {
        aside.close();
        closeQueues();
    }

    private void closeQueues() {
        sockets.forEach(SharedDescriptor::close);
        rx.forEach(KernelRx::close);
    }
}
