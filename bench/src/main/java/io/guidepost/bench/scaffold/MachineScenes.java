package io.guidepost.bench.scaffold;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.base.Prefix;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.SceneOptions;
import io.guidepost.names.Exchange;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.flow.FlowMemory;
import io.guidepost.scaffold.flow.GatewayOutput;
import io.guidepost.scaffold.flow.GatewaySettings;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.object.AllowedHosts;
import io.guidepost.scaffold.object.Distance;
import io.guidepost.scaffold.object.ObjectDerivation;
import io.guidepost.scaffold.object.ObjectDoor;
import io.guidepost.scaffold.object.ObjectRouter;
import io.guidepost.scaffold.object.ObjectSettings;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** The machines of an object router and of gateways in one process: registrations, SYNs, kept flows. The network is a queue. */
final class MachineScenes implements AutoCloseable {
    private static final long ROUTER = Addresses.ipv4Low(0x0a000001);
    private static final int IDENTITY = GatewaySettings.DEFAULT.identity();
    private static final int ROOM_BYTES = 2_048;
    private static final int PACKET_BYTES = 40;
    private static final int WEB_PORT = 8_080;
    private static final int FIRST_PORT = 1_024;
    private static final int PORTS = 60_000;
    private static final int BURST = 64;
    private static final long READY_NANOS = 30_000_000_000L;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long RENEWAL_NANOS = 3_400_000_000L;

    private final SceneOptions options;
    private final FigureTable table;
    private final EmbeddedStore store;
    private final ObjectDoor door;
    private final Exchange exchange = new Exchange();
    private final long requests = Arena.global().allocate(BURST * ROOM_BYTES, 8).address();
    private final long room = Arena.global().allocate(ROOM_BYTES, 8).address();
    private final Map<Long, Host> hosts = new HashMap<>();
    private final Queue<Datagram> network = new ArrayDeque<>();
    private final ObjectKey object = ObjectKey.generate(RANDOM);
    private long skippedNanos;

    /** A datagram on its way between addresses of IPv4. */
    private record Datagram(long from, long to, byte[] bytes) {}

    MachineScenes(Path folder, SceneOptions options, FigureTable table) throws IOException {
        this.options = options;
        this.table = table;
        store = EmbeddedStore.open(StoreOptions.in(folder).withDerivation(new ObjectDerivation()));
        ObjectSettings settings = ObjectSettings.of(new AllowedHosts(Set.of(), List.of(new Prefix(0, 0, 0))));
        door = new ObjectDoor(
                ObjectRouter.open(HostKey.generate(RANDOM), () -> HostKey.generate(RANDOM), settings, store, this::nanos),
                Distance.EQUAL, new byte[32], () -> {});
    }

    private long nanos() {
        return System.nanoTime() + skippedNanos;
    }

    /** A host with a gateway, and a kernel that answers each SYN. */
    private final class Host implements GatewayOutput {
        final HostKey key = HostKey.generate(RANDOM);
        final FlowMachine machine;
        int connected;
        private final long address = ROUTER + 1 + hosts.size();
        private final long packet = Arena.global().allocate(ROOM_BYTES, 8).address() + FlowMachine.HEADROOM_BYTES;
        private final Queue<byte[]> syns = new ArrayDeque<>();

        Host() {
            SplittableRandom ids = new SplittableRandom(hosts.size());
            machine = new FlowMachine(
                    GatewaySettings.DEFAULT,
                    key,
                    () -> HostKey.generate(RANDOM),
                    ids::nextLong,
                    this,
                    FlowMemory.none());
            hosts.put(address, this);
            clock();
            machine.router(new HostLocator(Addresses.IPV4_HIGH, ROUTER, FlowMachine.PORT));
            machine.way(0, new HostLocator(Addresses.IPV4_HIGH, address, FlowMachine.PORT), true, false);
        }

        void clock() {
            machine.clock(nanos(), System.currentTimeMillis());
        }

        void tick() {
            clock();
            machine.tick();
        }

        @Override
        public void toKernel(long segment, int length) {
            if ((Memory.u8(segment + 33) & Tcp.ACK) == 0) {
                syns.add(Memory.read(segment, length));
            } else {
                connected++;
            }
        }

        @Override
        public void toNetwork(int way, long peerHigh, long peerLow, int peerPort, long datagram, int length) {
            network.add(new Datagram(address, peerLow, Memory.read(datagram, length)));
        }

        void receive(Datagram datagram) {
            Memory.copy(datagram.bytes, 0, packet, datagram.bytes.length);
            clock();
            machine.fromNetwork(0, Addresses.IPV4_HIGH, datagram.from, FlowMachine.PORT, packet, datagram.bytes.length);
        }

        void answerSyns() {
            for (byte[] syn = syns.poll(); syn != null; syn = syns.poll()) {
                int ports = Integer.rotateLeft(Memory.intAt(syn, 20), 16);
                send(Memory.intAt(syn, 16), Memory.intAt(syn, 12), ports, Tcp.SYN | Tcp.ACK, Memory.intAt(syn, 24) + 1);
            }
        }

        /** Gives the gateway a segment without data; no checksum is looked at. */
        void send(int from, int to, int ports, int flags, int acknowledgment) {
            int first = 0x4500_0000 | PACKET_BYTES;
            int third = 64 << 24 | HeaderParser.TCP << 16;
            int[] words = {first, 0x4000, third, from, to, ports, 1, acknowledgment, 0x5000_ffff | flags << 16, 0};
            for (int i = 0; i < words.length; i++) {
                Memory.put32(packet + 4L * i, words[i]);
            }
            clock();
            machine.fromKernel(packet, PACKET_BYTES);
        }
    }

    /** Does what is due at each host, and delivers all that is on its way, with all that follows from that. */
    private void turn() {
        hosts.values().forEach(Host::tick);
        do {
            for (Datagram next = network.poll(); next != null; next = network.poll()) {
                Host to = hosts.get(next.to);
                if (to == null) {
                    ask(List.of(next));
                } else {
                    to.receive(next);
                }
            }
            hosts.values().forEach(Host::answerSyns);
            exchange.room(Memory.ALL, room, ROOM_BYTES);
            if (door.next(exchange)) {
                leave();
            }
        } while (!network.isEmpty());
    }

    /** Gives datagrams to the door in one burst; returns the nanoseconds that it took. */
    private long ask(List<Datagram> burst) {
        for (int i = 0; i < burst.size(); i++) {
            Memory.copy(burst.get(i).bytes, 0, requests + (long) i * ROOM_BYTES, burst.get(i).bytes.length);
        }
        long begun = System.nanoTime();
        door.begin(System.currentTimeMillis());
        for (int i = 0; i < burst.size(); i++) {
            exchange.request(Memory.ALL, requests + (long) i * ROOM_BYTES, burst.get(i).bytes.length, System.currentTimeMillis());
            exchange.peer(Addresses.IPV4_HIGH, burst.get(i).from, FlowMachine.PORT);
            exchange.room(Memory.ALL, room, ROOM_BYTES);
            door.take(exchange);
            leave();
        }
        door.end();
        return System.nanoTime() - begun;
    }

    private void leave() {
        if (exchange.responseLength() > 0) {
            network.add(new Datagram(ROUTER, exchange.peerLow(), Memory.read(room, exchange.responseLength())));
        }
    }

    private void await(String otherwise, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > READY_NANOS) {
                throw new BenchFailure(otherwise);
            }
            turn();
        }
    }

    private Host joined() {
        Host host = new Host();
        await("a host does not join", host.machine::isJoined);
        return host;
    }

    /** Registers an instance; returns the nanoseconds that it took. */
    private long register(Host at, String name, int port) {
        Delegation delegation = object.delegate(at.key.guid(), System.currentTimeMillis() / 1_000 + 100_000);
        LocalService service = new LocalService(name, delegation, HeaderParser.TCP, port, true, 0, 1);
        long begun = System.nanoTime();
        at.clock();
        at.machine.register(service);
        await("an instance is not registered", () -> at.machine.registration(service).taken());
        return System.nanoTime() - begun;
    }

    private int address(Host client) {
        int[] found = {0};
        client.clock();
        client.machine.resolve("web", at -> found[0] = at.address());
        await("there is no name", () -> found[0] != 0);
        return found[0];
    }

    void play(String scene) {
        switch (scene) {
            case "bind" -> bind();
            case "resolve" -> resolve();
            default -> flows(options.size(100_000, 1_000));
        }
    }

    private void bind() {
        Host server = joined();
        List<Double> durable = new ArrayList<>();
        List<Double> renewed = new ArrayList<>();
        int warm = options.size(200, 2);
        int count = warm + options.size(options.rounds() * 20, 2);
        for (int i = 0; i < count; i++) {
            durable.add(register(server, "", FIRST_PORT + i) / 1e6);
        }
        for (int round = 0; round < options.rounds(); round++) {
            skippedNanos += RENEWAL_NANOS;
            long begun = System.nanoTime();
            turn();
            renewed.add((System.nanoTime() - begun) / 1e3 / (count + 1));
        }
        table.row("bind: durable, ms", durable.subList(warm, count), List.of(), "<= 2 ms");
        table.row("bind: renewed, us", renewed, List.of(), "<= 300 us");
        table.notes.add("bind: from the gateway's machine to the disk and back; of renewals the mean of " + count + " at once.");
    }

    private void resolve() {
        register(joined(), "web", WEB_PORT);
        List<Double> rates = new ArrayList<>();
        int count = options.size(20_000, 100);
        double forwarded = 0;
        for (int round = -2; round < options.rounds(); round++) {
            Host client = joined();
            int address = address(client);
            for (int i = 0; i < count; i++) {
                client.send(IDENTITY, address, FIRST_PORT + i << 16 | WEB_PORT, Tcp.SYN, 0);
            }
            List<Datagram> syns = List.copyOf(network);
            network.clear();
            long nanos = 0;
            for (int from = 0; from < count; from += BURST) {
                nanos += ask(syns.subList(from, Math.min(count, from + BURST)));
            }
            rates.addAll(round < 0 ? List.of() : List.of(count * 1e9 / nanos));
            forwarded += network.stream().filter(each -> each.to != client.address).count();
            network.clear();
            hosts.remove(client.address);
        }
        table.row("resolve: SYNs/s of one worker", rates, List.of(), ">= 100,000/s");
        table.notes.add("resolve: each is sealed, and sealed again for the instance's host; without UDP; forwarded: "
                + Math.round(100 * forwarded / count / (options.rounds() + 2)) + " %.");
    }

    private void flows(int count) {
        Host server = joined();
        for (int i = 0; i <= count / PORTS; i++) {
            register(server, i == 0 ? "web" : "", WEB_PORT + i);
        }
        Host client = joined();
        int address = address(client);
        long before = 0;
        for (int i = 0; i < count; i++) {
            before = i == BURST ? heapBytes() : before;
            client.send(IDENTITY, address, FIRST_PORT + i % PORTS << 16 | WEB_PORT + i / PORTS, Tcp.SYN, 0);
            turn();
        }
        double bytes = (heapBytes() - before) / 2.0 / (count - BURST);
        table.row("flows: bytes of a kept flow, mean of both ends", List.of(bytes), List.of(), "<= 300 bytes");
        table.notes.add("flows: of " + count + " connections of TCP " + client.connected + " stand, without a request; on the heap alone.");
    }

    private static long heapBytes() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Override
    public void close() {
        store.close();
    }
}
