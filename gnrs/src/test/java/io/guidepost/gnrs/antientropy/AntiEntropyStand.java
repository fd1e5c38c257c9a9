package io.guidepost.gnrs.antientropy;

import io.guidepost.base.Addresses;
import io.guidepost.gnrs.GnrsDoor;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.relay.Relay;
import io.guidepost.gnrs.relay.RelayGroup;
import io.guidepost.gnrs.relay.WriteStand;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.wire.TableStore;
import io.guidepost.names.Binding;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Servers with their catching up, on a wire of their own: a tick is a millisecond, in which what was sent in the tick
 * before arrives, and what the stores took is made durable. One thread; the same each time.
 */
final class AntiEntropyStand {
    static final long START_MILLIS = 1_700_000_000_000L;
    private static final int PORT = 5001;
    private static final int CATCH_UP_PORT = 6001;
    private static final int ROOM_BYTES = 65_507;

    /** A datagram on the wire. */
    record Datagram(InetSocketAddress from, InetSocketAddress to, byte[] bytes) {
        int type() {
            return bytes[PeerWire.TYPE] & 0xff;
        }

        int fromNode() {
            return from.getAddress().getAddress()[3] - 1;
        }

        int toNode() {
            return to.getAddress().getAddress()[3] - 1;
        }
    }

    final ReplicationSettings settings;
    final List<InetSocketAddress> servers = new ArrayList<>();
    final List<Node> nodes = new ArrayList<>();
    final List<Datagram> sent = new ArrayList<>();

    /** Whether the wire between two nodes is cut. */
    BiPredicate<Integer, Integer> cut = (from, to) -> false;

    /** Whether a datagram is lost. */
    Predicate<Datagram> lost = each -> false;

    /** Ticks that a datagram takes longer than one. */
    int lateTicks;

    long nanos;
    private final Deque<List<Datagram>> late = new ArrayDeque<>();
    private final List<Datagram> wire = new ArrayList<>();
    private final MemorySegment room = MemorySegment.ofArray(new byte[ROOM_BYTES]);

    /** Further members of the deployment, which keep nothing and never respond. */
    private final List<InetSocketAddress> silent = new ArrayList<>();

    AntiEntropyStand(int count, ReplicationSettings settings) {
        this(count, 0, settings);
    }

    AntiEntropyStand(int count, int silentMembers, ReplicationSettings settings) {
        this.settings = settings;
        for (int i = 0; i < silentMembers; i++) {
            silent.add(new InetSocketAddress(InetAddress.ofLiteral("127.1." + i / 50 + "." + (200 + i % 50)), PORT));
        }
        for (int i = 1; i <= count; i++) {
            servers.add(new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + i), PORT));
        }
        for (int i = 0; i < count; i++) {
            nodes.add(new Node(i, servers));
        }
    }

    /** One server. */
    final class Node {
        final int number;
        final TableStore store = new TableStore(this::nowMillis);
        long skewMillis;
        boolean up;
        List<InetSocketAddress> placed;

        private @Nullable Life life;

        Node(int number, List<InetSocketAddress> over) {
            this.number = number;
            placed = over;
            start();
        }

        /** What is lost when it is killed. */
        private final class Life {
            final LivePlacement placement = new LivePlacement(WriteStand.placement(placed, servers.get(number)));
            final Deployment deployment;
            final Relay relay;
            final GnrsDoor door;
            final AntiEntropy catchUp;

            Life() {
                PeerTable peers = new PeerTable(Set.of(servers.get(number)), PeerDescriptor.Kind.GUIDEPOST);
                peers.update(
                        List.of(), Stream.of(silent, servers).flatMap(List::stream).toList(), PeerDescriptor.Kind.GUIDEPOST);
                deployment = new Deployment(
                        settings,
                        PeerBounds.defaults(),
                        GnrsSettings::defaults,
                        peers,
                        placement,
                        store,
                        new HybridClock(),
                        1,
                        () -> nanos,
                        () -> new SplittableRandom(number));
                store.observer = deployment.observer();
                relay = new RelayGroup(deployment).open(() -> {});
                door = new GnrsDoor(
                        GnrsSettings::defaults,
                        placement.placer(),
                        store,
                        () -> {},
                        Runnable::run,
                        () -> nanos,
                        number,
                        relay);
                catchUp = new AntiEntropy(deployment, () -> {});
            }
        }

        private Life life() {
            Life now = life;
            if (now == null) {
                throw new AssertionError("server " + number + " is down");
            }
            return now;
        }

        void start() {
            up = true;
            life = new Life();
        }

        void kill() {
            up = false;
            life = null;
            store.observer = null;
            store.commit();
        }

        void reload(List<InetSocketAddress> over) {
            placed = over;
            life().placement.publish(WriteStand.placement(over, servers.get(number)));
        }

        Deployment deployment() {
            return life().deployment;
        }

        Relay relay() {
            return life().relay;
        }

        AntiEntropy catchUp() {
            return life().catchUp;
        }

        LivePlacement placement() {
            return life().placement;
        }

        long nowMillis() {
            return START_MILLIS + nanos / 1_000_000 + skewMillis;
        }

        /** Merges a change here, and nowhere else. */
        void write(byte[] change) {
            byte[] key = java.util.Arrays.copyOfRange(change, RecordImage.HEADER_BYTES, RecordImage.HEADER_BYTES + 21);
            store.submit(
                    key,
                    (same, current, version, now) ->
                            RecordMerge.merge(current, change, version, now, settings.tombstoneMillis()),
                    (outcome, version) -> {});
            store.commit();
        }

        /** The digests of all records that are here. */
        Map<Guid, Long> digests() {
            Map<Guid, Long> digests = new TreeMap<>();
            store.images(null, (key, image) -> {
                if (key[0] == Name.Namespace.GUID.code()) {
                    MemorySegment in = MemorySegment.ofArray(image);
                    digests.put(Guid.read(MemorySegment.ofArray(key), 1), RecordImage.digest(in, 0));
                }
                return true;
            });
            return digests;
        }

        Set<Locator> places(Guid guid) {
            Set<Locator> places = new LinkedHashSet<>();
            store.get(Name.of(guid)).ifPresent(
                    record -> record.bindings().forEach(each -> places.add(each.locator())));
            return places;
        }

        private void turn(Door door, int port, List<Datagram> arrived) {
            door.begin(nowMillis());
            for (Datagram each : arrived) {
                Exchange exchange = exchange(each.from, each.bytes, nowMillis());
                door.take(exchange);
                send(port, exchange);
            }
            next(door, port);
            door.end();
        }

        private void next(Door door, int port) {
            Exchange exchange = exchange(servers.get(number), new byte[0], nowMillis());
            while (door.next(exchange)) {
                send(port, exchange);
                exchange = exchange(servers.get(number), new byte[0], nowMillis());
            }
        }

        private void send(int port, Exchange exchange) {
            if (exchange.responseLength() == 0) {
                return;
            }
            byte[] bytes = exchange.room()
                    .asSlice(exchange.roomOffset(), exchange.responseLength())
                    .toArray(ValueLayout.JAVA_BYTE);
            int low = (int) exchange.peerLow();
            byte[] host = {(byte) (low >> 24), (byte) (low >> 16), (byte) (low >> 8), (byte) low};
            try {
                InetSocketAddress to = new InetSocketAddress(InetAddress.getByAddress(host), exchange.peerPort());
                InetSocketAddress from = new InetSocketAddress(servers.get(number).getAddress(), port);
                Datagram datagram = new Datagram(from, to, bytes);
                sent.add(datagram);
                wire.add(datagram);
            } catch (UnknownHostException e) {
                throw new AssertionError(e);
            }
        }
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

    /** A change of one binding, or none, at a time. */
    byte[] change(Guid guid, long millis, boolean update, Binding... bindings) {
        byte[] bare = RecordImage.write(Name.of(guid).key(), 0, List.of(bindings), List.of());
        return RecordMerge.change(bare, HybridClock.of(millis), update);
    }

    long millis() {
        return START_MILLIS + nanos / 1_000_000;
    }

    /** Puts a datagram of somebody else's onto the wire. */
    void deliver(Datagram datagram) {
        wire.add(datagram);
    }

    /** One millisecond. */
    void tick() {
        nanos += 1_000_000;
        late.addLast(new ArrayList<>(wire));
        wire.clear();
        List<Datagram> arriving = late.size() > lateTicks ? late.removeFirst() : new ArrayList<>();
        arriving.removeIf(each -> cut.test(each.fromNode(), each.toNode()) || lost.test(each));
        for (Node node : nodes) {
            if (node.up) {
                List<Datagram> mine = arriving.stream().filter(each -> each.toNode() == node.number).toList();
                List<Datagram> asked = mine.stream().filter(each -> each.to.getPort() == PORT).toList();
                node.turn(node.life().door, PORT, asked);
                List<Datagram> answers = mine.stream().filter(each -> each.to.getPort() == CATCH_UP_PORT).toList();
                node.turn(node.catchUp(), CATCH_UP_PORT, answers);
                node.store.commit();
            }
        }
    }

    /** Ticks until something holds; looked at each tick if it is cheap, else seldom. */
    void until(int millisMax, BooleanSupplier holds) {
        until(millisMax, 1, holds);
    }

    void untilAlike(int millisMax) {
        until(millisMax, 100, this::alike);
    }

    private void until(int millisMax, int millisEach, BooleanSupplier holds) {
        for (int i = 0; i < millisMax && !holds.getAsBoolean(); i += millisEach) {
            run(millisEach);
        }
        if (!holds.getAsBoolean()) {
            throw new AssertionError("it did not come to it within " + millisMax + " ms");
        }
    }

    void run(int millis) {
        for (int i = 0; i < millis; i++) {
            tick();
        }
    }

    /** Whether each record is alike at all servers where it is placed, and nowhere else. */
    boolean alike() {
        List<Map<Guid, Long>> digests = nodes.stream().map(Node::digests).toList();
        Placer placer = nodes.getFirst().placement().get().placer();
        InetSocketAddress[] at = new InetSocketAddress[64];
        Set<Guid> all = new LinkedHashSet<>();
        digests.forEach(each -> all.addAll(each.keySet()));
        for (Guid guid : all) {
            int count = placer.servers(MemorySegment.ofArray(guid.toBytes()), 0, at);
            Set<InetSocketAddress> placed = Set.copyOf(java.util.Arrays.asList(at).subList(0, count));
            Set<Long> forms = new LinkedHashSet<>();
            for (Node each : nodes) {
                Long digest = digests.get(each.number).get(guid);
                if (placed.contains(servers.get(each.number))) {
                    forms.add(digest == null ? 0 : digest);
                } else if (digest != null) {
                    return false;
                }
            }
            if (forms.size() != 1) {
                return false;
            }
        }
        return true;
    }
}
