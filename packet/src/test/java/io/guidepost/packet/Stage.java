package io.guidepost.packet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** One of the ways to open ports that the same tests run on: a back end and an address. */
final class Stage {
    private final String name;
    private final InetAddress address;
    private final Opener opener;

    /** Opens ports. */
    @FunctionalInterface
    interface Opener {
        Port open(UdpSettings settings) throws IOException;
    }

    private Stage(String name, String address, Opener opener) {
        this.name = name;
        this.address = address(address);
        this.opener = opener;
    }

    /** Every row that this machine has. */
    static Stream<Stage> all() {
        return Stream.of(
                        kernel("kernel", "127.0.0.1", Trains.OFF),
                        kernel("kernel with trains", "127.0.0.1", Trains.ON),
                        kernel("kernel, IPv6", "::1", Trains.OFF),
                        kernel("kernel with trains, IPv6", "::1", Trains.AUTO),
                        udp("channel", "127.0.0.1", BackEnd.CHANNEL),
                        udp("channel, IPv6", "::1", BackEnd.CHANNEL),
                        memory("127.0.0.1"),
                        memory("::1"))
                .flatMap(stages -> stages);
    }

    private static Stream<Stage> kernel(String name, String address, Trains trains) {
        return SystemCall.AVAILABLE
                ? Stream.of(new Stage(
                        name, address, it -> Udp.open(it.withBackEnd(BackEnd.KERNEL).withTrains(trains))))
                : Stream.of();
    }

    private static Stream<Stage> udp(String name, String address, BackEnd backEnd) {
        return Stream.of(new Stage(name, address, it -> Udp.open(it.withBackEnd(backEnd))));
    }

    private static Stream<Stage> memory(String address) {
        MemoryNetwork network = new MemoryNetwork(MemoryNetwork.Weather.FAIR, new SplittableRandom(1));
        return Stream.of(new Stage("memory, " + address, address, network::open));
    }

    static InetAddress address(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new AssertionError(e);
        }
    }

    InetAddress address() {
        return address;
    }

    Port open() throws IOException {
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
