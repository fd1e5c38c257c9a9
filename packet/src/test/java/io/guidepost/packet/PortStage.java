package io.guidepost.packet;

import io.guidepost.packet.memory.MemoryNetwork;
import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** One of the ways to open ports that the same tests run on: a back end and an address. */
public final class PortStage {
    private final String name;
    private final InetAddress address;
    private final Opener opener;

    /** Opens ports. */
    @FunctionalInterface
    interface Opener {
        Port open(UdpSettings settings) throws IOException;
    }

    private PortStage(String name, String address, Opener opener) {
        this.name = name;
        this.address = address(address);
        this.opener = opener;
    }

    /** Every row that this machine has. */
    static Stream<PortStage> all() {
        return Stream.of(
                        kernel("kernel", "127.0.0.1", SegmentationOffload.OFF),
                        kernel("kernel with trains", "127.0.0.1", SegmentationOffload.ON),
                        kernel("kernel, IPv6", "::1", SegmentationOffload.OFF),
                        kernel("kernel with trains, IPv6", "::1", SegmentationOffload.AUTO),
                        udp("channel", "127.0.0.1", UdpBackEnd.CHANNEL),
                        udp("channel, IPv6", "::1", UdpBackEnd.CHANNEL),
                        memory("127.0.0.1"),
                        memory("::1"))
                .flatMap(stages -> stages);
    }

    private static Stream<PortStage> kernel(String name, String address, SegmentationOffload trains) {
        return Machine.LINUX
                ? Stream.of(new PortStage(
                        name, address, it -> UdpPorts.open(it.withBackEnd(UdpBackEnd.KERNEL).withSegmentationOffload(trains))))
                : Stream.of();
    }

    private static Stream<PortStage> udp(String name, String address, UdpBackEnd backEnd) {
        return Stream.of(new PortStage(name, address, it -> UdpPorts.open(it.withBackEnd(backEnd))));
    }

    private static Stream<PortStage> memory(String address) {
        MemoryNetwork network = new MemoryNetwork(MemoryNetwork.Impairment.NONE, new SplittableRandom(1));
        return Stream.of(new PortStage("memory, " + address, address, network::open));
    }

    public static InetAddress address(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new AssertionError(e);
        }
    }

    InetAddress address() {
        return address;
    }

    public Port open() throws IOException {
        return open(settings -> settings);
    }

    Port open(UnaryOperator<UdpSettings> change) throws IOException {
        return openAt(new InetSocketAddress(address, 0), change);
    }

    Port openAt(InetSocketAddress local, UnaryOperator<UdpSettings> change) throws IOException {
        return opener.open(change.apply(UdpSettings.of(local)));
    }

    @Override
    public String toString() {
        return name;
    }
}
