package io.guidepost.packet.udp;

import io.guidepost.base.AddressText;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.QueuePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/** A UDP port over channels of the JDK: works on every system, with one call for each datagram. */
final class ChannelPort extends QueuePort<ChannelRx, ChannelTx> {
    private final List<DatagramChannel> channels = new ArrayList<>();
    private final InetSocketAddress address;

    private ChannelPort(UdpSettings settings) throws IOException {
        super(PortLayer.DATAGRAM);
        InetSocketAddress local = settings.local();
        try {
            for (int queue = 0; queue < settings.queues(); queue++) {
                DatagramChannel channel = open(settings, local);
                channels.add(channel);
                local = (InetSocketAddress) channel.getLocalAddress();
                rx.add(new ChannelRx(channel, settings));
                tx.add(new ChannelTx(channel, settings));
            }
        } catch (IOException | UnsupportedOperationException e) {
            close();
            throw BindRefusal.of(settings.local(), e);
        }
        address = local;
    }

    static Port open(UdpSettings settings) throws IOException {
        return new ChannelPort(settings);
    }

    private DatagramChannel open(UdpSettings settings, InetSocketAddress local) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.configureBlocking(false);
            if (settings.queues() > 1) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.receiveBufferBytes());
            channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.sendBufferBytes());
            return channel.bind(local);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "udp-channel:" + AddressText.of(address);
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public void close() {
        for (DatagramChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
