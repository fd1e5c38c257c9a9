package io.guidepost.alto.proxidor;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.names.Exchange;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A door with a small network behind it: a chain of routers {@code 192.0.2.1} and on, each with a network of its own,
 * {@code 10.r.0.0/16} and {@code 2001:db8:r::/48}; and networks elsewhere, {@code 20.k.0.0/16} and {@code 2001:dba:k::/48},
 * behind one to three of the routers.
 */
final class ProxidorDoorFixture {
    static final int ROUTERS = 12;
    static final int ELSEWHERE = 40;
    static final int ROOM_BYTES = 2048;

    /** A customer at the first router, and one at the fifth. */
    static final Address CUSTOMER = ipv4(10, 1, 0, 7);

    static final Address FAR_CUSTOMER = ipv4(10, 5, 0, 7);
    static final Address PROXY = ipv4(10, 2, 0, 1);

    static final Ranking RANKING = Ranking.of(network(), RankingFunction.STANDARD, 1);

    final ProxidorDoor door;
    private final Exchange exchange = new Exchange();
    private final MemorySegment in = Arena.ofAuto().allocate(1 << 16, Long.BYTES);
    private final MemorySegment out = Arena.ofAuto().allocate(ROOM_BYTES, Long.BYTES);

    ProxidorDoorFixture(boolean unknownLast) {
        this(unknownLast, RANKING);
    }

    ProxidorDoorFixture(boolean unknownLast, Ranking ranking) {
        ProxidorSettings settings = new ProxidorSettings(60, unknownLast, List.of(PROXY.prefix()));
        door = new ProxidorDoor(() -> settings, () -> ranking);
    }

    static Address ipv4(int a, int b, int c, int d) {
        return Address.ofIpv4(a << 24 | b << 16 | c << 8 | d);
    }

    private static Address router(int number) {
        return ipv4(192, 0, 2, number);
    }

    static OperatorNetwork network() {
        OperatorNetwork network = new OperatorNetwork();
        Topology topology = Topology.EMPTY;
        for (int r = 1; r <= ROUTERS; r++) {
            List<Nic> nics = new ArrayList<>();
            if (r > 1) {
                nics.add(new Nic(0, ipv4(198, 51, r - 1, 2), ipv4(198, 51, r - 1, 1), true, new TopologyLink(5, 10 * r, 0, 1)));
            }
            if (r < ROUTERS) {
                nics.add(new Nic(1, ipv4(198, 51, r, 1), ipv4(198, 51, r, 2), true, new TopologyLink(5, 1000, 0, 1)));
            }
            topology = topology.with(new TopologyRouter(router(r), true, 3, nics, List.of()));
            network.add(prefix4(10, r), PrefixAttachment.internal(router(r), 2));
            network.add(prefix6(0xdb8, r), PrefixAttachment.internal(router(r), 2));
        }
        network.topology(topology);
        SplittableRandom random = new SplittableRandom(7);
        for (int k = 0; k < ELSEWHERE; k++) {
            for (int exit = 0; exit <= random.nextInt(3); exit++) {
                PrefixAttachment behind = PrefixAttachment.external(router(1 + random.nextInt(ROUTERS)), 2, 64512 + k, random.nextInt(6));
                network.add(prefix4(20, k), behind);
                network.add(prefix6(0xdba, k), behind);
            }
        }
        return network;
    }

    private static Prefix prefix4(int first, int second) {
        return Prefix.ofIpv4(first << 24 | second << 16, 16);
    }

    private static Prefix prefix6(int second, int third) {
        return new Prefix(0x2001L << 48 | (long) second << 32 | (long) third << 16, 0, 48);
    }

    /** An address that somebody may ask for; one of five or so is not known. */
    static Address anyIpv4(SplittableRandom random) {
        int end = random.nextInt(1 << 16);
        return switch (random.nextInt(5)) {
            case 0 -> Address.ofIpv4(random.nextInt());
            case 1 -> ipv4(10, 1 + random.nextInt(ROUTERS), end >> 8, end & 0xff);
            default -> ipv4(20, random.nextInt(ELSEWHERE), end >> 8, end & 0xff);
        };
    }

    /** The same of IPv6; some are IPv4 in mapped form. */
    static Address anyIpv6(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> new Address(random.nextLong(), random.nextLong());
            case 1 -> anyIpv4(random);
            case 2 -> new Address(prefix6(0xdb8, 1 + random.nextInt(ROUTERS)).high(), random.nextLong());
            default -> new Address(prefix6(0xdba, random.nextInt(ELSEWHERE)).high(), random.nextLong());
        };
    }

    /** What a datagram is answered with; empty if it is not. */
    byte[] ask(Address peer, byte[] question) {
        return ask(peer, question, ROOM_BYTES);
    }

    byte[] ask(Address peer, byte[] question, int room) {
        MemorySegment.copy(question, 0, in, ProxidorWire.BYTE, 0, question.length);
        door.begin(1000);
        run(peer, question.length, room);
        door.end();
        return out.asSlice(0, exchange.responseLength()).toArray(ProxidorWire.BYTE);
    }

    /** Asks the same often, a burst each; for measuring. */
    void repeat(Address peer, byte[] question, int times) {
        MemorySegment.copy(question, 0, in, ProxidorWire.BYTE, 0, question.length);
        for (int i = 0; i < times; i++) {
            door.begin(1000);
            run(peer, question.length, ROOM_BYTES);
            door.end();
        }
    }

    private void run(Address peer, int length, int room) {
        exchange.request(in, 0, length, 1000);
        exchange.peer(peer.high(), peer.low(), 4000);
        exchange.room(out, 0, room);
        door.take(exchange);
    }

    long count(ProxidorCount name) {
        return door.counts().get(name);
    }
}
