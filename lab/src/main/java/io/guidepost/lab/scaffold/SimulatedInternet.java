package io.guidepost.lab.scaffold;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Exchange;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.object.AllowedHosts;
import io.guidepost.scaffold.object.Distance;
import io.guidepost.scaffold.object.InstanceState;
import io.guidepost.scaffold.object.ObjectDerivation;
import io.guidepost.scaffold.object.ObjectDoor;
import io.guidepost.scaffold.object.ObjectRouter;
import io.guidepost.scaffold.object.ObjectSettings;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** The network between hosts, with loss, doubles and reordering, and the object router in it. */
final class SimulatedInternet {
    private static final int NAT_PORT = 40_000;
    private static final long NAT_MILLIS = 30_000;

    static final HostLocator ROUTER = new HostLocator(0, Addresses.ipv4Low(0x0a000001), 5_500);

    /**
     * How the network is.
     *
     * @param lossPerMille of datagrams
     */
    record NetworkConditions(int lossPerMille, int doublesPerMille, long delayNanos, long jitterNanos) {
        static final NetworkConditions FAIR = new NetworkConditions(0, 0, 100_000, 20_000);
    }

    private record Cut(HostLocator from, HostLocator to) {}

    private final EventScheduler world;
    private final SplittableRandom random;
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final Set<Cut> cuts = new HashSet<>();
    private final Set<HostLocator> blackholes = new HashSet<>();
    private final Set<HostLocator> withoutLabels = new HashSet<>();

    /** Places behind a NAT, as the others see them, and when each place has last sent something to another. */
    private final Map<HostLocator, HostLocator> outside = new HashMap<>();

    /** Places whose NAT gives them another port towards each other place, and the numbers of these. */
    private final Set<HostLocator> mappedByDestination = new HashSet<>();

    private final Map<HostLocator, Integer> destinations = new HashMap<>();
    private final Map<Cut, Long> sent = new HashMap<>();

    /** Keys follow from the seed too. */
    final SecureRandom keys;

    private final HostKey routerKey;
    private final EmbeddedStore disk;
    private ObjectRouter router;
    private ObjectDoor door;
    private boolean routerIsUp = true;
    private NetworkConditions weather = NetworkConditions.FAIR;
    private long datagrams;

    SimulatedInternet(EventScheduler world) {
        this.world = world;
        this.random = world.random();
        this.keys = seeded(random.nextLong());
        this.routerKey = HostKey.generate(keys);
        try {
            disk = EmbeddedStore.open(StoreOptions.inMemory()
                    .withStepped(true)
                    .withClock(() -> Instant.ofEpochMilli(SimulatedHost.EPOCH_MILLIS + world.millis()))
                    .withDerivation(new ObjectDerivation()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        router = newRouter();
        door = newDoor();
        expire();
    }

    private static SecureRandom seeded(long seed) {
        try {
            SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
            random.setSeed(seed);
            return random;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("the JDK's own provider has SHA1PRNG", e);
        }
    }

    private ObjectRouter newRouter() {
        try {
            AllowedHosts all = AllowedHosts.parse(List.of("::/0"));
            return ObjectRouter.open(routerKey, () -> HostKey.generate(keys), ObjectSettings.of(all), disk, world::nanos);
        } catch (IOException | Malformed e) {
            throw new IllegalStateException(e);
        }
    }

    private ObjectDoor newDoor() {
        return new ObjectDoor(router, Distance.EQUAL, new byte[32], () -> {});
    }

    private void expire() {
        world.afterMillis(1_000, () -> {
            router.expire();
            expire();
        });
    }

    void add(SimulatedHost host) {
        hosts.add(host);
    }

    void weather(NetworkConditions next) {
        weather = next;
    }

    long datagrams() {
        return datagrams;
    }

    /** Has the object router be there or not; it remembers what is on its disk. */
    void router(boolean isUp) {
        if (isUp && !routerIsUp) {
            router = newRouter();
            door = newDoor();
        }
        routerIsUp = isUp;
    }

    /** Cuts the way from one place to another, in this direction alone. */
    void cut(HostLocator from, HostLocator to, boolean isCut) {
        if (isCut) {
            cuts.add(new Cut(from, to));
        } else {
            cuts.remove(new Cut(from, to));
        }
    }

    /** Loses all that comes from a place or goes to it. */
    void blackhole(HostLocator at, boolean isLost) {
        if (isLost) {
            blackholes.add(at);
        } else {
            blackholes.remove(at);
        }
    }

    /** Loses for good what has labels of a place. */
    void loseLabels(HostLocator at) {
        withoutLabels.add(at);
    }

    /** Puts a place behind a NAT of its own, which lets in what comes from where it has sent something to within half a minute. */
    void nat(HostLocator inside) {
        outside.put(inside, new HostLocator(inside.high(), inside.low() | 0x0100_0000, NAT_PORT));
    }

    /** Returns how many instances of all objects the router has in a state. */
    int instances(InstanceState state) {
        return router.instances().getOrDefault(state, 0);
    }

    /** Puts a place behind a NAT that gives it another port towards each other place (a symmetric one, RFC 4787 section 4.1). */
    void natByDestination(HostLocator inside) {
        nat(inside);
        mappedByDestination.add(inside);
    }

    /** Returns how a place sees another. */
    private HostLocator seen(HostLocator from, HostLocator by) {
        HostLocator seen = outside.getOrDefault(from, from);
        int number = mappedByDestination.contains(from) ? destinations.computeIfAbsent(by, _ -> 1 + destinations.size()) : 0;
        return new HostLocator(seen.high(), seen.low(), seen.port() + number);
    }

    void mend() {
        cuts.clear();
        blackholes.clear();
    }

    void send(HostLocator from, HostLocator to, byte[] datagram) {
        datagrams++;
        if (datagram[0] >>> 4 == 6 && withoutLabels.contains(to)) {
            return;
        }
        if (cuts.contains(new Cut(from, to)) || blackholes.contains(from) || blackholes.contains(to)
                || random.nextInt(1_000) < weather.lossPerMille()) {
            return;
        }
        HostLocator seen = seen(from, to);
        sent.put(new Cut(seen, to), world.millis());
        if (outside.containsKey(to)) {
            return;
        }
        deliver(seen, to, datagram);
        if (random.nextInt(1_000) < weather.doublesPerMille()) {
            deliver(seen, to, datagram);
        }
    }

    private void deliver(HostLocator from, HostLocator to, byte[] datagram) {
        world.after(weather.delayNanos() + random.nextLong(weather.jitterNanos() + 1), () -> {
            if (to.equals(ROUTER)) {
                if (routerIsUp) {
                    atRouter(from, datagram);
                }
                return;
            }
            for (SimulatedHost each : hosts) {
                int way = way(each, from, to);
                if (way >= 0) {
                    each.receive(way, from, datagram);
                }
            }
        });
    }

    /** Returns the way of a host by which a datagram comes to it; -1 if it does not. */
    private int way(SimulatedHost host, HostLocator from, HostLocator to) {
        for (int i = 0; i < host.ways.size(); i++) {
            HostLocator inside = host.ways.get(i);
            boolean through = outside.containsKey(inside)
                    && to.equals(seen(inside, from))
                    && world.millis() - sent.getOrDefault(new Cut(to, from), -NAT_MILLIS) < NAT_MILLIS;
            if (through || inside.equals(to)) {
                return i;
            }
        }
        return -1;
    }

    /** Sends a host what its peers and the router would seal, without a key. */
    void forge(SimulatedHost target, SplittableRandom chance) {
        byte[] room = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
        ControlWriter writer = new ControlWriter();
        for (FlowMachine.WayRow way : target.machine.ways()) {
            for (FlowMachine.FlowRow flow : target.machine.flows()) {
                MessageType type = List.of(MessageType.FAIL, MessageType.RESET, MessageType.MOVE).get(chance.nextInt(3));
                boolean move = type == MessageType.MOVE;
                writer.begin(
                                MemorySegment.ofArray(room), 0, type, 0, move ? 0 : flow.id(), chance.nextLong(),
                                move ? Integer.MAX_VALUE : flow.epoch(), chance.nextInt())
                        .guid(Tlv.HOST, way.host());
                if (move) {
                    writer.locator(Tlv.LOCATOR, new HostLocator(0, Addresses.ipv4Low(0x0a00_ffff), 5_500)).longNumber(Tlv.NONCE, 1);
                } else {
                    writer.reason(Reason.DEAD);
                }
                int bare = writer.end();
                byte[] forged = Arrays.copyOf(room, bare + ControlMessage.SEAL_BYTES);
                for (int i = bare; i < forged.length; i++) {
                    forged[i] = (byte) chance.nextInt();
                }
                send(target.ways.get(chance.nextInt(target.ways.size())), target.ways.getFirst(), forged);
            }
        }
    }

    private void atRouter(HostLocator from, byte[] datagram) {
        long now = SimulatedHost.EPOCH_MILLIS + world.millis();
        byte[] room = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
        Exchange exchange = new Exchange();
        exchange.request(MemorySegment.ofArray(datagram), 0, datagram.length, now);
        exchange.peer(from.high(), from.low(), from.port());
        exchange.room(MemorySegment.ofArray(room), 0, room.length);
        door.begin(now);
        door.take(exchange);
        answer(room, exchange);
        do {
            sendNext(exchange, room);
        } while (disk.work() > 0);
        sendNext(exchange, room);
        door.end();
    }

    private void sendNext(Exchange exchange, byte[] room) {
        for (exchange.room(MemorySegment.ofArray(room), 0, room.length); door.next(exchange); ) {
            answer(room, exchange);
            exchange.room(MemorySegment.ofArray(room), 0, room.length);
        }
    }

    private void answer(byte[] room, Exchange exchange) {
        if (exchange.responseLength() > 0) {
            byte[] response = Arrays.copyOf(room, exchange.responseLength());
            send(ROUTER, new HostLocator(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort()), response);
        }
    }
}
