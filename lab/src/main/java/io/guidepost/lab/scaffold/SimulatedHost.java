package io.guidepost.lab.scaffold;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.flow.FlowMemory;
import io.guidepost.scaffold.flow.GatewayOutput;
import io.guidepost.scaffold.flow.GatewaySettings;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.wire.HostLocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A host: programs, a kernel with TCP, and the gateway between it and the network. */
final class SimulatedHost implements GatewayOutput {
    static final long EPOCH_MILLIS = 1_800_000_000_000L;
    static final int HTTP_PORT = 8_080;
    private static final int FIRST_PORT = 40_000;
    private static final GatewaySettings SETTINGS = new GatewaySettings(
            GatewaySettings.DEFAULT.network(),
            GatewaySettings.DEFAULT.prefixBits(),
            1_024,
            GatewaySettings.DEFAULT.leaseMillis(),
            GatewaySettings.DEFAULT.repeatedBytesMax());

    final String name;
    private final EventScheduler world;
    private final SimulatedInternet internet;
    private final SplittableRandom random;
    private final List<String> faults;
    private final SimulatedTcp.Options tcpOptions;
    private final HostKey key;
    private final Map<SimulatedTcp.Ends, SimulatedTcp> connections = new HashMap<>();
    private final List<SimulatedPrograms.FileServer> servers = new ArrayList<>();
    private final MemorySegment room = Arena.ofAuto().allocate(4_096, 8);

    /** What outlives a gateway that is killed. */
    private final MemorySegment kept = Arena.ofAuto().allocate(FlowMemory.bytes(SETTINGS), 8);

    private boolean dead;
    private boolean seals;
    final List<HostLocator> ways;
    private final List<Boolean> up = new ArrayList<>();
    FlowMachine machine;
    private LocalService service;
    @SuppressWarnings("NullAway.Init") // Set before anything listens.
    private SimulatedPrograms.Manners manners;
    private boolean listens;
    private final boolean hasBothVersions;
    private final int versions;
    private boolean silent;
    private int nextPort = FIRST_PORT;
    private long tickEpoch;

    SimulatedHost(
            String name,
            EventScheduler world,
            SimulatedInternet internet,
            List<HostLocator> ways,
            HostKey key,
            SimulatedTcp.Options tcpOptions,
            boolean hasBothVersions,
            List<String> faults) {
        this.name = name;
        this.world = world;
        this.internet = internet;
        this.random = world.random();
        this.versions = hasBothVersions ? random.nextInt(4) : 3;
        this.hasBothVersions = hasBothVersions;
        this.ways = new ArrayList<>(ways);
        this.key = key;
        this.tcpOptions = tcpOptions;
        this.faults = faults;
        ways.forEach(_ -> up.add(true));
        startGateway();
    }

    /** Kills the gateway's process: what comes meanwhile is lost. */
    void killGateway() {
        dead = true;
        tickEpoch++;
    }

    /** Starts the gateway, or starts it again with what the one before has left. */
    void startGateway() {
        dead = false;
        SplittableRandom ids = world.random();
        FlowMemory memory = new FlowMemory(kept, (_, _) -> true, SETTINGS);
        machine = new FlowMachine(
                SETTINGS, key, () -> HostKey.generate(internet.keys), ids::nextLong, this, memory);
        clock();
        machine.router(SimulatedInternet.ROUTER);
        for (int i = 0; i < ways.size(); i++) {
            machine.way(i, ways.get(i), up.get(i), hasLabels(ways.get(i)));
        }
        if (service != null) {
            machine.register(service);
        }
        if (seals) {
            machine.sealAll();
        }
        tickSoon(0);
    }

    /** Has the packets of all flows that begin from now on be sealed. */
    void sealAll() {
        seals = true;
        machine.sealAll();
    }

    HostKey key() {
        return key;
    }

    private void clock() {
        machine.clock(world.nanos() + 1_000_000_000L, EPOCH_MILLIS + world.millis());
    }

    private void tickSoon(long nanos) {
        long epoch = ++tickEpoch;
        world.after(Math.max(nanos, 200_000), () -> {
            if (epoch == tickEpoch) {
                tick();
            }
        });
    }

    private void tick() {
        clock();
        tickSoon(machine.tick());
    }

    /** Serves files from now on. */
    void serve(LocalService offered, SimulatedPrograms.Manners how) {
        service = offered;
        manners = how;
        listens = true;
        clock();
        machine.register(offered);
        tickSoon(0);
    }

    void resolve(String name, Consumer<FlowMachine.Resolved> listener) {
        clock();
        machine.resolve(name, listener);
        tickSoon(0);
    }

    /** Has the gateway tell the object router that it ends. */
    void leave() {
        clock();
        machine.leave();
        tickSoon(0);
    }

    int drain() {
        if (dead) {
            return 0;
        }
        clock();
        int flows = machine.drain(service);
        tickSoon(0);
        return flows;
    }

    /** Kills the program: nothing listens, and the kernel ends its connections. */
    void killProgram() {
        listens = false;
        List<SimulatedPrograms.FileServer> all = List.copyOf(servers);
        servers.clear();
        all.forEach(each -> {
            if (random.nextBoolean()) {
                each.tcp().abort();
            } else {
                each.tcp().close();
            }
        });
    }

    /** Kills a worker under a master that goes on listening. */
    void killWorker() {
        List<SimulatedPrograms.FileServer> all = List.copyOf(servers);
        servers.clear();
        all.forEach(each -> each.tcp().abort());
    }

    void restartProgram() {
        listens = true;
    }

    @Override
    public boolean listens(int protocol, boolean ipv4, int port) {
        return listens(ipv4);
    }

    @Override
    public boolean hasConnection(FlowTuple tuple) {
        SimulatedTcp tcp = connections.get(new SimulatedTcp.Ends(
                tuple.isIpv4(), (int) tuple.ownLow(), tuple.ownPort(), (int) tuple.peerLow(), tuple.peerPort()));
        return tcp != null && !tcp.isOver();
    }

    /** Returns whether the program listens by a version of IP: most do by both. */
    private boolean listens(boolean ipv4) {
        return listens && (ipv4 ? versions > 0 : versions != 1);
    }

    /** Has the gateway take another key of the hour, as it does after an hour. */
    void changeKeys() {
        if (!dead) {
            clock();
            machine.changeKeys();
            tickSoon(0);
        }
    }

    /** Has the host say and hear nothing, as if its power were off, or again. */
    void silent(boolean off) {
        silent = off;
        if (!off && !dead) {
            tickSoon(0);
        }
    }

    /** Has a link go down or up, and the gateway know of it. */
    void way(int index, boolean isUp) {
        up.set(index, isUp);
        tell(index);
    }

    /** Gives a way another address. */
    void move(int index, HostLocator to) {
        ways.set(index, to);
        tell(index);
    }

    private void tell(int index) {
        if (!dead) {
            clock();
            machine.way(index, ways.get(index), up.get(index), hasLabels(ways.get(index)));
            tickSoon(0);
        }
    }

    /** Hosts with addresses of IPv6 have all that begin so. */
    private static boolean hasLabels(HostLocator way) {
        return !Addresses.isIpv4(way.high(), way.low());
    }

    /** Routes a packet with labels, by the place of which its source is. */
    private void route(byte[] packet) {
        ByteBuffer header = ByteBuffer.wrap(packet);
        for (int i = 0; i < ways.size(); i++) {
            HostLocator from = ways.get(i);
            if (from.high() == header.getLong(8) && up.get(i) && !silent) {
                internet.send(from, new HostLocator(header.getLong(24), from.low(), from.port()), packet);
            }
        }
    }

    boolean isUp(int way) {
        return up.get(way);
    }

    /** Opens a connection to an object's address. */
    SimulatedPrograms.FileClient connect(int address, int size, int requests) {
        boolean ipv4 = !hasBothVersions || random.nextBoolean();
        SimulatedTcp.Ends ends = new SimulatedTcp.Ends(ipv4, GatewaySettings.DEFAULT.identity(), nextPort++, address, HTTP_PORT);
        SimulatedPrograms.FileClient client = new SimulatedPrograms.FileClient(world, size, requests);
        SimulatedTcp tcp = new SimulatedTcp(world, ends, tcpOptions, random.nextInt(), this::fromKernel, client, faults);
        connections.put(ends, tcp);
        tcp.connect();
        client.on(tcp);
        return client;
    }

    private void fromKernel(byte[] packet) {
        if (silent) {
            return;
        }
        // The packet waits in the device's queue: a kernel is not entered again while it sends.
        world.after(5_000, () -> {
            if (!silent && !dead) {
                clock();
                MemorySegment.copy(packet, 0, room, Memory.BYTE, 64, packet.length);
                machine.fromKernel(room.address() + 64, packet.length);
                tickSoon(0);
            }
        });
    }

    @Override
    public void toKernel(long packet, int length) {
        byte[] copy = new byte[length];
        MemorySegment.copy(Memory.ALL, Memory.BYTE, packet, copy, 0, length);
        boolean labelled = copy[0] >>> 4 == 6 && ByteBuffer.wrap(copy).getLong(24) != GatewaySettings.IPV6_HIGH;
        world.after(5_000, () -> {
            if (labelled) {
                route(copy);
            } else {
                kernel(copy);
            }
        });
    }

    private void kernel(byte[] packet) {
        if (silent) {
            return;
        }
        if (!SimulatedTcp.Segment.isRight(packet)) {
            faults.add(name + ": a packet with a wrong checksum came to the kernel");
            return;
        }
        SimulatedTcp.Segment segment = new SimulatedTcp.Segment(packet);
        SimulatedTcp tcp = connections.get(segment.ends);
        if (tcp != null && tcp.isOver()) {
            connections.remove(segment.ends);
            tcp = null;
        }
        if (tcp != null) {
            tcp.take(segment);
        } else if (segment.opens() && listens(segment.ends.ipv4()) && segment.ends.ownPort() == HTTP_PORT) {
            accept(segment);
        } else if ((segment.flags & SimulatedTcp.RST) == 0) {
            boolean acked = (segment.flags & SimulatedTcp.ACK) != 0;
            fromKernel(SimulatedTcp.Segment.write(
                    segment.ends,
                    acked ? SimulatedTcp.RST : SimulatedTcp.RST | SimulatedTcp.ACK,
                    acked ? segment.acknowledgment : 0,
                    acked ? 0 : segment.sequence + segment.data.length + 1,
                    0,
                    new byte[0],
                    new byte[0]));
        }
    }

    private void accept(SimulatedTcp.Segment syn) {
        SimulatedPrograms.FileServer server = new SimulatedPrograms.FileServer(world, manners);
        SimulatedTcp tcp = new SimulatedTcp(world, syn.ends, tcpOptions, random.nextInt(), this::fromKernel, server, faults);
        server.on(tcp);
        servers.add(server);
        connections.put(syn.ends, tcp);
        tcp.accept(syn);
    }

    @Override
    public void toNetwork(int way, long peerHigh, long peerLow, int peerPort, long datagram, int length) {
        if (!silent && up.get(way)) {
            byte[] copy = new byte[length];
            MemorySegment.copy(Memory.ALL, Memory.BYTE, datagram, copy, 0, length);
            internet.send(ways.get(way), new HostLocator(peerHigh, peerLow, peerPort), copy);
        }
    }

    /** Takes a datagram of the network. */
    void receive(int way, HostLocator from, byte[] datagram) {
        if (datagram[0] >>> 4 == 6 && up.get(way)) {
            fromKernel(datagram);
        } else if (!silent && !dead && up.get(way)) {
            clock();
            MemorySegment.copy(datagram, 0, room, Memory.BYTE, 64, datagram.length);
            machine.fromNetwork(way, from.high(), from.low(), from.port(), room.address() + 64, datagram.length);
            tickSoon(0);
        }
    }
}
