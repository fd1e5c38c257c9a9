package io.guidepost.gnrs.relay;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.GnrsDoor;
import io.guidepost.gnrs.GnrsDoorStand;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.AsBindings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.PlacementHash;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.TableStore;
import io.guidepost.names.Binding;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.proximity.Prefixes;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The doors of some servers on a wire of their own, for tests of writes: a tick is a millisecond, in which all that was
 * sent in the tick before arrives, and what the stores took is made durable. One thread; the same each time.
 */
public final class WriteStand {
    public static final long START_MILLIS = 1_700_000_000_000L;
    private static final int PORT = 5001;
    private static final int ROOM_BYTES = 65_507;

    /** A datagram on the wire. */
    public record Datagram(InetSocketAddress from, InetSocketAddress to, byte[] bytes) {
        public int type() {
            return bytes[PeerWire.TYPE] & 0xff;
        }
    }

    /** What a client was told, once it was. */
    public static final class Told {
        public @Nullable GnrsCount result;
        public int held;
        public int needed;
        public int times;
        public boolean refused;

        public boolean done() {
            return result == GnrsCount.WRITES_DONE;
        }
    }

    /** One server. */
    public final class Node {
        public final InetSocketAddress address;
        public final TableStore store;
        public final LivePlacement placement;
        public final Deployment deployment;
        public final Relay relay;
        final GnrsDoor door;

        /** How far its wall clock is off. */
        public long skewMillis;

        /** Whether its disk takes forever. */
        public boolean stalled;

        private final List<Datagram> arrived = new ArrayList<>();

        public Node(InetSocketAddress address, ReplicationSettings settings, GnrsSettings doors, Set<InetSocketAddress> v1) {
            this.address = address;
            this.store = new TableStore(this::nowMillis);
            this.placement = new LivePlacement(placement(servers, address));
            PeerTable peers = new PeerTable(Set.of(address), PeerDescriptor.Kind.GUIDEPOST);
            peers.update(
                    v1.stream().map(each -> new PeerDescriptor("old", each, PeerDescriptor.Kind.V1)).toList(),
                    servers,
                    PeerDescriptor.Kind.GUIDEPOST);
            this.deployment = new Deployment(
                    settings,
                    PeerBounds.defaults(),
                    () -> doors,
                    peers,
                    placement,
                    store,
                    new HybridClock(),
                    1,
                    () -> nanos,
                    () -> new SplittableRandom(address.hashCode()));
            this.relay = new RelayGroup(deployment).open(() -> {});
            this.door = new GnrsDoor(
                    () -> doors, placement.placer(), store, () -> {}, Runnable::run, () -> nanos, address.hashCode(), relay);
        }

        long nowMillis() {
            return START_MILLIS + nanos / 1_000_000 + skewMillis;
        }

        public Peer peer(Node other) {
            return deployment.peers().of(other.address);
        }

        public long count(PeerCount count) {
            return relay.counts().get(count);
        }

        /** What is stored here, or null. */
        public byte @Nullable [] image(Guid guid) {
            return stored(store, guid);
        }

        /** The places that are bound here. */
        public Set<Locator> places(Guid guid) {
            Set<Locator> places = new LinkedHashSet<>();
            store.get(Name.of(guid)).ifPresent(
                    record -> record.bindings().forEach(each -> places.add(each.locator())));
            return places;
        }

        private void turn() {
            door.begin(nowMillis());
            List<Datagram> now = new ArrayList<>(arrived);
            arrived.clear();
            for (Datagram each : now) {
                Exchange exchange = exchange(each.from, each.bytes, nowMillis());
                door.take(exchange);
                if (exchange.responseLength() > 0) {
                    send(address, exchange);
                }
            }
            Exchange exchange = exchange(address, new byte[0], nowMillis());
            while (door.next(exchange)) {
                send(address, exchange);
                exchange = exchange(address, new byte[0], nowMillis());
            }
            door.end();
            if (!stalled) {
                store.commit();
            }
        }
    }

    long nanos;
    public final List<InetSocketAddress> servers = new ArrayList<>();
    public final List<Node> nodes = new ArrayList<>();

    /** Servers of another make, by address: they answer a datagram at once, or not. */
    final Map<InetSocketAddress, Function<byte[], byte @Nullable []>> others = new HashMap<>();

    /** What the wire loses. */
    public Predicate<Datagram> lost = _ -> false;

    /** How often the wire carries a datagram, by itself once. */
    public Function<Datagram, Integer> times = _ -> 1;

    /** How many ticks the wire takes for one. */
    public Function<Datagram, Integer> ticks = _ -> 1;

    /** All that was ever sent, lost or not. */
    public final List<Datagram> sent = new ArrayList<>();

    /** Room for answers; what is in it is copied at once. */
    private final MemorySegment room = MemorySegment.ofArray(new byte[ROOM_BYTES]);

    private record Flying(long tick, Datagram datagram) {}

    private final List<Flying> wire = new ArrayList<>();
    private long tick;

    /** So many servers of which all take part in placement. */
    public WriteStand(int count) {
        this(count, ReplicationSettings.defaults());
    }

    public WriteStand(int count, ReplicationSettings settings) {
        this(count, settings, GnrsDoorStand.open(), 0);
    }

    /**
     * Servers of a deployment.
     *
     * @param v1 how many of them, at the end, are of the first version: {@link #others} says what they answer
     */
    WriteStand(int count, ReplicationSettings settings, GnrsSettings door, int v1) {
        for (int i = 1; i <= count; i++) {
            servers.add(new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + i), PORT));
        }
        Set<InetSocketAddress> old = new LinkedHashSet<>(servers.subList(count - v1, count));
        for (InetSocketAddress each : servers.subList(0, count - v1)) {
            nodes.add(new Node(each, settings, door, old));
        }
    }

    public Node node(int number) {
        return nodes.get(number);
    }

    /** A placement over some servers, five hashes for each GUID, as one of them sees it. */
    public static Placement placement(List<InetSocketAddress> over, InetSocketAddress own) {
        Prefixes.Builder prefixes = Prefixes.builder();
        Map<Long, InetSocketAddress> bindings = new LinkedHashMap<>();
        for (int i = 0; i < 256; i++) {
            prefixes.add(Prefix.ofIpv4(i << 24, 8), 1 + i % over.size());
        }
        for (int i = 0; i < over.size(); i++) {
            bindings.put(1L + i, over.get(i));
        }
        return Placement.of(
                prefixes.build(),
                AsBindings.of(bindings),
                new PlacementSettings(PlacementSettings.Mode.DMAP, PlacementHash.SHA_1, 5, 10, Set.of(own)));
    }

    /** The first GUID from a number on whose servers are exactly these. */
    public Guid guidAt(int from, int... numbers) {
        Set<InetSocketAddress> wanted = new LinkedHashSet<>();
        for (int each : numbers) {
            wanted.add(servers.get(each));
        }
        Placement placement = placement(servers, servers.getFirst());
        for (int i = from; ; i++) {
            Guid guid = new Guid(i, 7, 1);
            if (placement.servers(guid).equals(wanted)) {
                return guid;
            }
        }
    }

    public static Locator place(int number) {
        return Locator.of(new InetSocketAddress(InetAddress.ofLiteral("10.1.2." + number), 4000 + number));
    }

    public static Binding to(int number) {
        return Binding.of(place(number));
    }

    private Exchange exchange(InetSocketAddress from, byte[] bytes, long now) {
        Exchange exchange = new Exchange();
        exchange.request(MemorySegment.ofArray(bytes), 0, bytes.length, now);
        byte[] address = from.getAddress().getAddress();
        exchange.peer(
                Addresses.IPV4_HIGH,
                Addresses.ipv4Low(MemorySegment.ofArray(address).get(PeerWire.INT, 0)),
                from.getPort());
        exchange.room(room, 0, ROOM_BYTES);
        return exchange;
    }

    /** A client's INSERT (append) or UPDATE at a server; it is told in a later tick. */
    public Told write(Node node, Guid guid, boolean append, Binding... bindings) {
        return write(node, client(++clients), 1, guid, append, true, bindings);
    }

    private int clients;

    public static InetSocketAddress client(int number) {
        return new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1024 + number);
    }

    public Told write(
            Node node,
            InetSocketAddress client,
            int id,
            Guid guid,
            boolean append,
            boolean recursive,
            Binding... bindings) {
        GnrsMessage message = append
                ? GnrsMessage.Insert.of(id, GnrsMessage.noOrigin(), guid, List.of(bindings))
                : GnrsMessage.Update.of(id, GnrsMessage.noOrigin(), guid, List.of(bindings));
        byte[] image = RecordImage.write(Name.of(guid).key(), Record.ABSENT, List.of(bindings), List.of());
        Told told = new Told();
        boolean[] inside = {true};
        node.door.begin(node.nowMillis());
        boolean taken = node.relay.write(
                image, append, recursive, exchange(client, message.write(), node.nowMillis()), (result, held, needed) -> {
                    if (inside[0]) {
                        throw new AssertionError("told within the call that asks");
                    }
                    told.result = result;
                    told.held = held;
                    told.needed = needed;
                    told.times++;
                });
        inside[0] = false;
        node.door.end();
        told.refused = !taken;
        return told;
    }

    private void send(InetSocketAddress from, Exchange exchange) {
        byte[] bytes = exchange.room()
                .asSlice(exchange.roomOffset(), exchange.responseLength())
                .toArray(ValueLayout.JAVA_BYTE);
        int address = (int) exchange.peerLow();
        byte[] host = {(byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address};
        try {
            send(new Datagram(from, new InetSocketAddress(InetAddress.getByAddress(host), exchange.peerPort()), bytes));
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    /** Puts a datagram onto the wire. */
    public void send(Datagram datagram) {
        sent.add(datagram);
        if (!lost.test(datagram)) {
            for (int i = 0; i < times.apply(datagram); i++) {
                wire.add(new Flying(tick + ticks.apply(datagram), datagram));
            }
        }
    }

    /** What was sent to an address so far. */
    public List<byte[]> sentTo(InetSocketAddress address) {
        return sent.stream().filter(each -> each.to.equals(address)).map(Datagram::bytes).toList();
    }

    /** Lets so many milliseconds pass. */
    public void run(int millis) {
        for (int i = 0; i < millis; i++) {
            nanos += 1_000_000;
            tick++;
            List<Flying> flying = new ArrayList<>(wire);
            wire.clear();
            for (Flying each : flying) {
                if (each.tick > tick) {
                    wire.add(each);
                } else {
                    deliver(each.datagram);
                }
            }
            nodes.forEach(Node::turn);
        }
    }

    private void deliver(Datagram datagram) {
        Function<byte[], byte @Nullable []> other = others.get(datagram.to);
        if (other != null) {
            byte[] answer = other.apply(datagram.bytes);
            if (answer != null) {
                send(new Datagram(datagram.to, datagram.from, answer));
            }
        }
        for (Node each : nodes) {
            if (each.address.equals(datagram.to)) {
                each.arrived.add(datagram);
            }
        }
    }

    /** What the wire lost of what goes to or comes from some servers. */
    public Predicate<Datagram> cut(Node... cut) {
        Set<InetSocketAddress> addresses = new LinkedHashSet<>();
        for (Node each : cut) {
            addresses.add(each.address);
        }
        return datagram -> addresses.contains(datagram.from) || addresses.contains(datagram.to);
    }

    /** The stored form of a GUID's record, found by its reader. */
    static byte @Nullable [] stored(TableStore store, Guid guid) {
        io.guidepost.store.RecordReader reader = store.reader();
        byte[] key = Name.of(guid).key();
        reader.enter();
        try {
            return switch (reader.find(key[0], MemorySegment.ofArray(key), 1, Guid.BYTES)) {
                case YES -> reader.segment()
                        .asSlice(reader.offset(), RecordImage.length(reader.segment(), reader.offset()))
                        .toArray(ValueLayout.JAVA_BYTE);
                default -> null;
            };
        } finally {
            reader.exit();
        }
    }
}
