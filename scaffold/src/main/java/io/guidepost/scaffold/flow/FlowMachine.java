package io.guidepost.scaffold.flow;

import io.guidepost.base.AddressText;
import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.key.DataSeal;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.metrics.FlowTally;
import io.guidepost.scaffold.metrics.LossCause;
import io.guidepost.scaffold.metrics.MachineLoad;
import io.guidepost.scaffold.resume.TftpBlocks;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.SegmentWriter;
import io.guidepost.scaffold.wire.CarriageHeader;
import io.guidepost.scaffold.wire.ControlFault;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.LabelHeader;
import io.guidepost.scaffold.wire.Tlv;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The gateway of one host: packets of its programs in, datagrams of other gateways and of object routers in, and both out. It
 * has no clock, no sockets and no threads, and belongs to one thread.
 */
public final class FlowMachine {
    /** Bytes before a packet that {@link #fromKernel} may overwrite. */
    public static final int HEADROOM_BYTES = IpPacket.HEADROOM_BYTES;

    /** The UDP port of gateways and object routers. */
    public static final int PORT = 5500;

    /** Instances that a flow asks for, one after the other, until it is reset. */
    static final int CHANGES_MAX = 8;

    static final long CLOSING_NANOS = 10_000 * LocalHost.MILLI;

    /** Without a packet for so long a flow of UDP is over (RFC 4787 section 4.3), and one of TCP (RFC 5382 section 5). */
    private static final long UDP_IDLE_NANOS = 120_000 * LocalHost.MILLI;

    private static final long TCP_IDLE_NANOS = 7_440_000 * LocalHost.MILLI;
    private static final long RESPONDING_NANOS = 60_000 * LocalHost.MILLI;
    private static final long WATCH_NANOS = 2 * LocalHost.MILLI;
    private static final int ROWS_MAX = 10_000;

    private final LocalHost host;
    private final RouterClient routers;
    private final FailoverLog failovers = new FailoverLog();
    private final KnownNames names = new KnownNames();
    private final ClientFlows clients;
    private final ServedFlows served;
    private final IpPacket packet = new IpPacket();
    private final ControlMessage message = new ControlMessage();
    private final ControlReceiver control;

    private boolean begun;
    private long plannedNanos = Long.MAX_VALUE;

    /**
     * What a name is.
     *
     * @param address the IPv4 address that programs reach the object at, see {@link GatewaySettings#high}; 0 if there is none
     * @param known false if no object router has answered in time: then nothing is known, not even that there is none
     */
    public record Resolved(int address, boolean known) {}

    /** A flow, as a person wants to see it. */
    public record FlowRow(
            long id,
            Guid object,
            boolean client,
            String state,
            int protocol,
            String own,
            String peer,
            int epoch,
            @Nullable Guid instance) {}

    /** A way to another host. */
    public record WayRow(Guid host, String own, String peer, boolean current, double roundTripMillis, int flows) {}

    /** What happened to a flow: its instance changed, or was lost. */
    public record Failover(long atMillis, long flow, Guid object, String cause, double millis, boolean resumed) {}

    /**
     * Creates a gateway that knows no router, has no way, and offers nothing.
     *
     * @param own the host's key for good
     * @param shares makes keys of the hour
     * @param random gives the ids of flows: who does not know one cannot send to it
     * @param memory where flows are kept, and may be of a gateway with the same keys
     */
    public FlowMachine(
            GatewaySettings settings,
            HostKey own,
            Supplier<HostKey> shares,
            LongSupplier random,
            GatewayOutput output,
            FlowMemory memory) {
        this.host = new LocalHost(settings, own, shares, random, output, memory);
        this.routers = new RouterClient(host);
        this.clients = new ClientFlows(host, routers, failovers);
        this.served = new ServedFlows(host);
        this.control = new ControlReceiver(host, routers, clients, served);
    }

    static long idleNanos(CarriedFlow flow) {
        return !flow.isTcp() ? UDP_IDLE_NANOS : flow.state == CarriedFlow.State.RESPONDING ? RESPONDING_NANOS : TCP_IDLE_NANOS;
    }

    /** Returns what was counted; any thread may read it. */
    public FlowTally tally() {
        return host.tally;
    }

    /** Tells the time, before a burst of anything else. */
    public void clock(long nowNanos, long nowMillis) {
        host.clock(nowNanos, nowMillis);
        if (!begun) {
            begun = true;
            host.memory.flows.forEach(this::goOn);
            host.tellShare();
        }
    }

    /** Takes up a flow of the gateway before. */
    private void goOn(long row) {
        CarriedFlow flow = CarriedFlow.kept(row, host.peers, host.options);
        if (flow == null || !host.flows.add(flow)) {
            host.memory.flows.free(row);
            return;
        }
        flow.usedNanos = host.nowNanos;
        host.timers.set(flow, host.nowNanos);
        if (!flow.client) {
            served.goOn(flow);
        }
        host.counts.count(FlowCount.FLOWS_TAKEN_UP);
    }

    /** Has the packets of all flows that begin from now on be sealed, whatever the other ends want. */
    public void sealAll() {
        host.seals = true;
    }

    /** Uses another key of the hour from now on, before the hour is over, and agrees anew with all hosts that have flows. */
    public void changeKeys() {
        host.changeShare();
    }

    /** Adds an object router to join, one of three at most. */
    public void router(HostLocator at) {
        routers.router(at);
    }

    /**
     * Tells of an own socket: which address it has, and whether its link is up. Flows move to another way if it is not.
     *
     * @param index 0 and up; what {@link GatewayOutput#toNetwork} is called with
     * @param labels whether the network leads all addresses with the same first half to this host, and the host leads them here: then
     *     packets to them come to {@link #fromKernel}, and go to {@link GatewayOutput#toKernel}, which routes them
     */
    public void way(int index, HostLocator own, boolean up, boolean labels) {
        OwnWay next = new OwnWay(own, up, labels);
        host.hasLabels |= labels;
        if (index == host.ways.size()) {
            host.ways.add(next);
        } else if (!host.ways.set(index, next).equals(next)) {
            host.moves++;
        } else {
            return;
        }
        moved();
    }

    private void moved() {
        routers.all().forEach(RouterSession::moved);
        host.active.forEach(each -> {
            boolean lost = !host.isUp(each.way());
            if (lost) {
                host.offload.takeBackOut(each);
            }
            each.doubt();
            each.beginMove();
            if (lost) {
                host.sendHeld(each);
            }
        });
    }

    /** Takes a packet of the local kernel; see {@link #HEADROOM_BYTES}. Its checksum is complete. */
    public void fromKernel(long at, int length) {
        if (host.hasLabels && host.labels.isOwn(at, length)) {
            labelled(at, length);
            return;
        }
        if (!packet.read(at, length)) {
            if (!isPortUnreachable(at, length)) {
                host.counts.count(FlowCount.DROPS_PACKET);
            }
            return;
        }
        FlowTuple tuple = packet.tuple();
        CarriedFlow flow = find(tuple);
        if (flow != null && isNewConnection(flow)) {
            clients.over(flow);
            flow = null;
        }
        if (flow != null) {
            host.offload.sees(flow, packet);
            end(flow).fromKernel(flow, packet);
            return;
        }
        Guid object = host.aliases.find(tuple);
        if (packet.isTcp() && packet.has(Tcp.ACK)) {
            host.counts.count(FlowCount.DROPS_NO_FLOW);
            refuse(tuple);
        } else if (object == null || !host.aliases.isObject(object)) {
            host.counts.count(object == null ? FlowCount.DROPS_ADDRESS : FlowCount.DROPS_NO_FLOW);
        } else {
            clients.connect(tuple, object, packet);
        }
    }

    /** Returns the flow of a program's packet; a server of TFTP answers from another port than the one that was asked. */
    private @Nullable CarriedFlow find(FlowTuple tuple) {
        CarriedFlow flow = host.flows.find(tuple);
        if (flow == null && tuple.protocol() == IpPacket.UDP) {
            flow = host.flows.find(tuple.withOwnPort(TftpBlocks.PORT));
            return flow != null && flow.isAnsweredFrom(tuple.ownPort()) ? flow : null;
        }
        return flow;
    }

    /** Answers a segment of a connection that is over, as the other end's kernel would (RFC 9293 section 3.5.2). */
    private void refuse(FlowTuple tuple) {
        if (!packet.has(Tcp.RST)) {
            SegmentWriter.Numbers numbers = SegmentWriter.Numbers.of(packet.acknowledgment(), 0, Tcp.RST, 0);
            host.toKernel(host.segments.writeBare(tuple, true, numbers));
        }
    }

    /** Returns whether a program opens a connection from a port that an ended one still has. */
    private boolean isNewConnection(CarriedFlow flow) {
        return flow.client
                && flow.isTcp()
                && (packet.flags() & (Tcp.SYN | Tcp.ACK)) == Tcp.SYN
                && flow.state == CarriedFlow.State.CLOSING;
    }

    private FlowEnd end(CarriedFlow flow) {
        return flow.client ? clients : served;
    }

    /** The kernel says that no program has the port of a datagram. */
    private boolean isPortUnreachable(long at, int length) {
        FlowTuple tuple = packet.readUnreachable(at, length);
        CarriedFlow flow = tuple == null ? null : find(tuple);
        if (flow != null && !flow.client && !flow.isTcp()) {
            served.unreachable(flow);
        }
        return flow != null;
    }

    /** Takes a datagram that came to an own socket. */
    public void fromNetwork(int way, long peerHigh, long peerLow, int peerPort, long datagram, int length) {
        if (CarriageHeader.is(CarriageHeader.CLEAR, Memory.ALL, datagram, length)) {
            carried(peerHigh, peerLow, peerPort, datagram, length, false);
        } else if (CarriageHeader.is(CarriageHeader.SEALED, Memory.ALL, datagram, length)) {
            carried(peerHigh, peerLow, peerPort, datagram, length, true);
        } else if (length == 0 || !ControlMessage.isControl(Memory.ALL, datagram)) {
            host.counts.count(FlowCount.DROPS_DATAGRAM);
        } else if (message.parse(Memory.ALL, datagram, length) != ControlFault.NONE) {
            host.counts.count(FlowCount.DROPS_MALFORMED);
        } else {
            control.take(message, way, new HostLocator(peerHigh, peerLow, peerPort));
        }
    }

    private void carried(long peerHigh, long peerLow, int peerPort, long datagram, int length, boolean sealed) {
        CarriedFlow flow = host.flows.find(CarriageHeader.flow(Memory.ALL, datagram));
        PeerHost peer = flow == null ? null : flow.peer();
        if (flow == null || peer == null) {
            host.counts.count(FlowCount.DROPS_FLOW_UNKNOWN);
        } else if (!CarriageHeader.isOfEpoch(Memory.ALL, datagram, flow.epoch)) {
            host.counts.count(FlowCount.DROPS_EPOCH);
        } else if (!peer.isAt(peerHigh, peerLow, peerPort)) {
            host.counts.count(FlowCount.DROPS_SOURCE);
        } else if (sealed) {
            int bytes = host.open(flow, peer, datagram, length);
            if (bytes >= 0 && isOf(flow, datagram + DataSeal.PACKET_AT, bytes)) {
                came(flow, peer);
            }
        } else if (flow.sealed()) {
            host.counts.count(FlowCount.DROPS_CLEAR);
        } else {
            if (flow.labels != null) {
                flow.labels.cameByUdp();
                host.offload.takeBackOut(flow);
            }
            if (isOf(flow, datagram + CarriageHeader.BYTES, length - CarriageHeader.BYTES)) {
                came(flow, peer);
            }
        }
    }

    /** Takes a packet to a label of this host: of a flow, or it goes nowhere. */
    private void labelled(long at, int length) {
        CarriedFlow flow = host.flows.find(LabelHeader.receiverFlow(at));
        PeerHost peer = flow == null ? null : flow.peer();
        if (flow == null || peer == null) {
            host.counts.count(FlowCount.DROPS_FLOW_UNKNOWN);
        } else if (LabelHeader.isIcmp(at)) {
            host.labels.error(flow, peer, at, length);
        } else if (!LabelHeader.isOfEpoch(at, flow.epoch)) {
            host.counts.count(FlowCount.DROPS_EPOCH);
        } else if (LabelHeader.senderFlow(at) != flow.peerFlow() || !peer.isAt(LabelHeader.senderPrefix(at))) {
            host.counts.count(FlowCount.DROPS_SOURCE);
        } else if (flow.sealed()) {
            host.counts.count(FlowCount.DROPS_CLEAR);
        } else if (LabelHeader.isBare(at)) {
            host.labels.takeBare(flow, peer, at);
        } else if (isOf(flow, at, length)) {
            host.labels.came(flow, at);
            came(flow, peer);
        }
    }

    /** Reads a packet that came for a flow; false if it is none of its protocol. */
    private boolean isOf(CarriedFlow flow, long at, int length) {
        boolean right = packet.read(at, length) && packet.isTcp() == flow.isTcp();
        if (!right) {
            host.counts.count(FlowCount.DROPS_PACKET);
        }
        return right;
    }

    private void came(CarriedFlow flow, PeerHost peer) {
        host.offload.sees(flow, packet);
        peer.suspicion.heard(host.nowNanos);
        flow.usedNanos = host.nowNanos;
        flow.heardNanos = host.nowNanos;
        end(flow).fromPeer(flow, packet);
    }

    /** Does what is due; returns the nanoseconds after which it is to be called again at the latest. */
    public long tick() {
        long late = plannedNanos == Long.MAX_VALUE ? 0 : Math.max(0, host.nowNanos - plannedNanos);
        for (CarriedFlow flow = host.timers.poll(host.nowNanos); flow != null; flow = host.timers.poll(host.nowNanos)) {
            end(flow).due(flow);
        }
        long rest = Math.min(routers.tick(), host.timers.restNanos(host.nowNanos));
        rest = Math.min(rest, host.offload.look());
        rest = Math.min(rest, watch(late));
        plannedNanos = host.nowNanos + Math.min(rest, Long.MAX_VALUE / 4);
        return rest;
    }

    /** Looks after the hosts of which something is expected. */
    private long watch(long late) {
        long rest = Long.MAX_VALUE;
        List<PeerHost> silent = new ArrayList<>();
        for (PeerHost each : host.active) {
            rest = Math.min(rest, Math.min(each.moveTick(), each.rekeyTick()));
            Suspicion.Verdict verdict = each.suspicion.tick(host.nowNanos, each.expects(), late);
            switch (verdict) {
                case MEASURE -> each.probe();
                case PROBE -> {
                    each.doubt();
                    each.probe();
                }
                case DEAD -> silent.add(each);
                case NONE -> {
                    // It has answered, or nothing is expected of it.
                }
            }
            if (each.isToBeFound()) {
                routers.find(each.guid(), each::found);
            }
            if (each.suspicion.isWaiting() || each.expects()) {
                rest = Math.min(rest, WATCH_NANOS);
            }
        }
        silent.forEach(this::dead);
        return rest;
    }

    /** No path leads to a host: flows that can go on elsewhere do so, others wait for it. */
    private void dead(PeerHost peer) {
        peer.suspicion.heard(host.nowNanos);
        List<CarriedFlow> lost = new ArrayList<>();
        host.flows.forEach(each -> {
            boolean resumes = each.state == CarriedFlow.State.OPEN && each.canResume() || each.state == CarriedFlow.State.RESUMING;
            if (each.peer() == peer && resumes) {
                lost.add(each);
            }
        });
        lost.forEach(each -> clients.lose(each, LossCause.SILENT, "its host is silent", true));
        peer.missed();
    }

    /** Asks for the address of a name below the zone; the listener is called once, on the machine's thread. */
    public void resolve(String name, Consumer<Resolved> listener) {
        String asked = name.toLowerCase(Locale.ROOT);
        Guid known = names.find(asked, host.nowNanos);
        if (known != null) {
            listener.accept(new Resolved(host.aliases.of(known, true), true));
            return;
        }
        routers.resolve(new RouterSession.ObjectQuery(asked, null, List.of(), new byte[0]), answer -> {
            if (answer == null) {
                listener.accept(new Resolved(0, false));
            } else if (!answer.has(Tlv.OBJECT)) {
                listener.accept(new Resolved(0, true));
            } else {
                Guid object = answer.guid(Tlv.OBJECT);
                names.put(asked, object, host.nowNanos);
                listener.accept(new Resolved(host.aliases.of(object, true), true));
            }
        });
    }

    /** Offers an instance from now on. */
    public void register(LocalService service) {
        served.register(service);
        routers.register(service);
    }

    /** Returns what object routers say of an instance. */
    public RouterClient.Registration registration(LocalService service) {
        return routers.registration(service);
    }

    /** Returns whether an object router knows this host. */
    public boolean isJoined() {
        return routers.association() != null;
    }

    /** Returns what there is now. */
    public MachineLoad load() {
        return new MachineLoad(
                host.flows.count(),
                host.peers.size(),
                host.active.size(),
                host.kept.taken(),
                routers.all().size(),
                routers.joined());
    }

    /** Offers an instance no more; flows that can go on elsewhere do so at once, others are reset. Returns the flows. */
    public int drain(LocalService service) {
        routers.drain(service);
        return served.drain(service);
    }

    /** Tells the object routers that this host leaves, see {@link RouterClient#leave}. */
    public boolean leave() {
        return routers.leave();
    }

    /** Returns the flows, a bounded number of them. */
    public List<FlowRow> flows() {
        List<FlowRow> rows = new ArrayList<>();
        host.flows.forEach(each -> {
            if (rows.size() < ROWS_MAX) {
                rows.add(new FlowRow(
                        each.id,
                        each.object,
                        each.client,
                        each.state.name().toLowerCase(Locale.ROOT),
                        each.tuple.protocol(),
                        AddressText.of(each.tuple.ownHigh(), each.tuple.ownLow()) + ":" + each.tuple.ownPort(),
                        AddressText.of(each.tuple.peerHigh(), each.tuple.peerLow()) + ":" + each.tuple.peerPort(),
                        each.epoch,
                        each.instance()));
            }
        });
        return rows;
    }

    /** Returns the ways to all hosts that are known. */
    public List<WayRow> ways() {
        List<WayRow> rows = new ArrayList<>();
        host.peers.values().forEach(peer -> {
            for (int i = 0; i < host.ways.size(); i++) {
                for (HostLocator at : peer.locators()) {
                    rows.add(new WayRow(
                            peer.guid(),
                            host.ways.get(i).locator().toString(),
                            at.toString(),
                            i == peer.way() && at.equals(peer.at()),
                            peer.suspicion.roundTripNanos() / 1e6,
                            peer.flows()));
                }
            }
        });
        return rows;
    }

    /** Returns the last failovers, the newest first; any thread may call it. */
    public List<Failover> failovers() {
        return failovers.list();
    }
}
