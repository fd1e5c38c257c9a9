package io.guidepost.scaffold.flow;

import io.guidepost.names.Guid;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.resume.TftpBlocks;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.Tlv;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The flows that come to this host's instances. A program that has ended does not reset its clients' connections: their
 * gateways are told, and ask for another instance. Belongs to one thread.
 */
final class ServedFlows implements FlowEnd {
    private static final int PORT_LEAST = 1_024;

    /** How long a flow that has failed is remembered, to say so again. */
    private static final long FAILED_NANOS = 10_000 * LocalHost.MILLI;

    /** A failure is told again at most that often. */
    private static final long TOLD_NANOS = 5 * LocalHost.MILLI;

    private final LocalHost host;
    private final IpPacket inner = new IpPacket();
    private final Map<Guid, LocalService> services = new HashMap<>();
    private final Set<Guid> draining = new HashSet<>();
    private final FlowIndex byClient = new FlowIndex() {
        @Override
        int hash(CarriedFlow flow) {
            PeerHost peer = flow.peer();
            return peer == null ? 0 : clientHash(peer.guid(), flow.peerFlow());
        }
    };

    ServedFlows(LocalHost host) {
        this.host = host;
    }

    void register(LocalService service) {
        services.put(service.instance(), service);
        draining.remove(service.instance());
        host.flows.forEach(each -> {
            if (each.service == null && !each.client && service.instance().equals(each.instance())) {
                each.service = service;
            }
        });
    }

    /** Takes up a flow of the gateway before; its service is offered again soon. */
    void goOn(CarriedFlow flow) {
        byClient.add(flow);
    }

    private static int clientHash(Guid host, long flow) {
        return FlowIndex.hash(host.hashCode() * 31L + flow);
    }

    /** Finds a flow as its client numbers it; of two with one number, while one follows the other, the first. */
    private @Nullable CarriedFlow find(Guid host, long flow) {
        for (int row = byClient.first(clientHash(host, flow)); ; row = byClient.next(row)) {
            CarriedFlow there = byClient.at(row);
            PeerHost peer = there == null ? null : there.peer();
            if (there == null || peer != null && there.peerFlow() == flow && peer.guid().equals(host)) {
                return there;
            }
        }
    }

    /**
     * Returns whether the kernel has the connection of a flow. It may have ended it before this gateway came, or its reset may have been
     * lost on the device: it is asked when a peer has asked twice, and nothing came of it between.
     */
    boolean isAtKernel(CarriedFlow flow) {
        if (flow.unseen && !host.output.hasConnection(flow.tuple)) {
            over(flow);
            return false;
        }
        flow.unseen = flow.isTcp() && !flow.client;
        return true;
    }

    /** Offers an instance no more; its flows are told. Returns how many these are. */
    int drain(LocalService service) {
        draining.add(service.instance());
        List<CarriedFlow> its = new ArrayList<>();
        host.flows.forEach(each -> {
            if (service.equals(each.service) && each.state != CarriedFlow.State.OVER) {
                its.add(each);
            }
        });
        its.forEach(each -> {
            resetProgram(each);
            fail(each, Reason.DRAINED);
        });
        return its.size();
    }

    /** Takes the first packet of a flow, or of one that comes from another instance, which a router has sealed. */
    void asked(ControlMessage message, int way, RouterSession router) {
        PeerHost peer = host.asker(message);
        if (peer == null) {
            return;
        }
        HostLocator observed = message.locator(Tlv.OBSERVED, 0);
        if (!peer.isAt(observed.high(), observed.low(), observed.port()) || peer.way() < 0) {
            peer.places(message, way, observed);
        }
        RouterSession relay = isDirect(message, observed) ? null : router;
        LocalService service = services.get(message.guid(Tlv.INSTANCE));
        if (service == null || draining.contains(service.instance())) {
            refuse(message, peer, service == null ? Reason.NO_FLOW : Reason.DRAINED, relay);
            return;
        }
        CarriedFlow there = find(peer.guid(), message.senderFlow());
        boolean anew = there == null || there.epoch - message.epoch() < 0 || there.state == CarriedFlow.State.OVER;
        boolean opens = copyOfSyn(message);
        CarriedFlow flow = anew ? open(message, peer, service, opens) : there;
        if (there != null && anew) {
            // Not before the new one has another port: what the kernel has sent of this connection would be taken for the new one's.
            resetProgram(there);
            over(there);
        }
        if (flow == null) {
            refuse(message, peer, Reason.TOO_MANY, relay);
            return;
        }
        // If it came before, the answer may not have reached the client.
        flow.relay = anew ? relay : router;
        if (flow.isTcp()) {
            // If it came before, the program's kernel answers again.
            if (flow.epoch == message.epoch() && opens) {
                host.toKernel(flow, inner);
            }
        } else {
            answer(flow, null);
        }
    }

    /** Returns whether a client is where it says: else it is behind a NAT. */
    private static boolean isDirect(ControlMessage message, HostLocator observed) {
        for (int i = 0; i < message.count(Tlv.LOCATOR); i++) {
            if (message.locator(i).equals(observed)) {
                return true;
            }
        }
        return false;
    }

    /** Copies the SYN of a message; false if it has none. */
    private boolean copyOfSyn(ControlMessage message) {
        if (!message.has(Tlv.PACKET)) {
            return false;
        }
        byte[] packet = message.bytes(Tlv.PACKET);
        return inner.read(host.scratch(packet), packet.length)
                && inner.isTcp()
                && (inner.flags() & (Tcp.SYN | Tcp.ACK | Tcp.RST)) == Tcp.SYN;
    }

    private @Nullable CarriedFlow open(ControlMessage message, PeerHost peer, LocalService service, boolean opens) {
        boolean tcp = service.protocol() == IpPacket.TCP;
        if (tcp && !opens) {
            return null;
        }
        long id = host.random.getAsLong();
        int port = tcp ? inner.tuple().ownPort() : PORT_LEAST + (int) (id >>> 33) % (0xffff - PORT_LEAST);
        FlowTuple tuple = freeTuple(peer.guid(), service, port, !tcp || inner.isIpv4());
        if (tuple == null) {
            return null;
        }
        CarriedFlow flow = new CarriedFlow(id, tuple, service.object(), false);
        if (!host.flows.add(flow)) {
            host.counts.count(FlowCount.DROPS_FLOWS_MAX);
            return null;
        }
        flow.state = tcp ? CarriedFlow.State.RESPONDING : CarriedFlow.State.OPEN;
        flow.service = service;
        if (host.seals || (message.flags() & ControlMessage.FLAG_SEALED) != 0) {
            flow.seal();
        }
        flow.epoch = message.epoch();
        flow.peer(peer, message.senderFlow(), service.instance());
        flow.usedNanos = host.nowNanos;
        byClient.add(flow);
        host.timers.set(flow, host.nowNanos + FlowMachine.idleNanos(flow));
        if (!tcp) {
            host.keep(flow);
        }
        host.counts.count(FlowCount.FLOWS_SERVED);
        return flow;
    }

    /**
     * Returns how the program sees the client: by the client's own port, or another one if that is taken. The client's version of IP is
     * taken, unless the program listens by the other one alone.
     */
    private @Nullable FlowTuple freeTuple(Guid client, LocalService service, int port, boolean likesIpv4) {
        int alias = host.aliases.of(client, false);
        boolean ipv4 = listens(service, likesIpv4) || !listens(service, !likesIpv4) ? likesIpv4 : !likesIpv4;
        for (int tries = 0; alias != 0 && tries < 64; tries++) {
            int theirs = tries == 0 ? port : PORT_LEAST + (port + tries * 977) % (0xffff - PORT_LEAST);
            FlowTuple tuple = new FlowTuple(
                    GatewaySettings.high(ipv4),
                    GatewaySettings.low(ipv4, host.settings.identity()),
                    GatewaySettings.high(ipv4),
                    GatewaySettings.low(ipv4, alias),
                    service.port() << 16 | theirs,
                    service.protocol());
            if (host.flows.find(tuple) == null) {
                return tuple;
            }
        }
        return null;
    }

    private void refuse(ControlMessage message, PeerHost peer, Reason reason, @Nullable RouterSession relay) {
        Association with = peer.keys.newest();
        tellFailure(peer, with, message.senderFlow(), 0, message.epoch(), message.guid(Tlv.INSTANCE), reason);
        relay(relay, peer);
    }

    private static void relay(@Nullable RouterSession relay, PeerHost peer) {
        if (relay != null) {
            relay.relay(peer.guid());
        }
    }

    private void tellFailure(PeerHost peer, Association with, long theirs, long ours, int epoch, Guid instance, Reason reason) {
        host.putKeys(host.control.begin(MessageType.FAIL, 0, theirs, ours, epoch, with).guid(Tlv.INSTANCE, instance), with.ownShare())
                .reason(reason);
        peer.send(with);
    }

    /** Tells the client that it has the flow. */
    private void answer(CarriedFlow flow, @Nullable IpPacket synAck) {
        PeerHost peer = flow.peer();
        LocalService service = flow.service;
        if (peer == null || service == null) {
            return;
        }
        MessageType type = flow.epoch == 0 ? MessageType.SYNACK : MessageType.RSYNACK;
        int flags = flow.sealed() ? ControlMessage.FLAG_SEALED : 0;
        Association with = peer.keys.newest();
        var writer = host.control.begin(type, flags, flow.peerFlow(), flow.id, flow.epoch, with)
                .guid(Tlv.OBJECT, flow.object)
                .guid(Tlv.INSTANCE, service.instance());
        if (host.observed != null) {
            writer.locator(Tlv.LOCATOR, host.observed);
        }
        host.putLocators(writer);
        host.putKeys(writer, with.ownShare())
                .bytes(Tlv.DELEGATION, service.delegation().bytes())
                .number(Tlv.SERVICE, service.word(service.repeatable() ? ControlMessage.FLAG_REPEATABLE : 0));
        if (synAck != null) {
            writer.bytes(Tlv.PACKET, synAck.bytes());
        }
        peer.send(with);
        relay(flow.relay, peer);
    }

    @Override
    public void fromKernel(CarriedFlow flow, IpPacket packet) {
        flow.usedNanos = host.nowNanos;
        flow.unseen = false;
        if (!flow.isTcp()) {
            host.toPeer(flow, packet);
            return;
        }
        flow.sees(packet);
        if (flow.state == CarriedFlow.State.OVER) {
            return;
        }
        if (packet.isSynAck()) {
            if (flow.state == CarriedFlow.State.RESPONDING) {
                flow.state = CarriedFlow.State.OPEN;
                host.keep(flow);
            }
            answer(flow, packet);
            return;
        }
        boolean refused = flow.state == CarriedFlow.State.RESPONDING && packet.has(Tcp.RST);
        if (refused || packet.has(Tcp.FIN | Tcp.RST) && !listens(flow)) {
            fail(flow, Reason.DEAD);
            return;
        }
        if (packet.payloadBytes() > 0) {
            host.sent(flow, packet);
        }
        host.toPeer(flow, packet);
        if (packet.has(Tcp.RST)) {
            over(flow);
        } else {
            host.closing(flow);
        }
    }

    private boolean listens(CarriedFlow flow) {
        LocalService service = flow.service;
        // Of a flow that was taken up the service is not known yet.
        return service == null || listens(service, flow.tuple.isIpv4());
    }

    private boolean listens(LocalService service, boolean ipv4) {
        return host.output.listens(service.protocol(), ipv4, service.port());
    }

    /** A datagram did not reach its program: nothing is bound to the port. */
    void unreachable(CarriedFlow flow) {
        if (flow.state != CarriedFlow.State.OVER && (flow.isAnsweredElsewhere() || !listens(flow))) {
            fail(flow, Reason.DEAD);
        }
    }

    @Override
    public void fromPeer(CarriedFlow flow, IpPacket packet) {
        if (flow.state == CarriedFlow.State.OVER) {
            if (host.nowNanos - flow.lostNanos >= TOLD_NANOS) {
                fail(flow, Reason.DEAD);
            }
            return;
        }
        flow.usedNanos = host.nowNanos;
        if (flow.isTcp()) {
            host.acknowledged(flow, packet);
            flow.comes(packet);
            flow.peerFin |= packet.has(Tcp.FIN);
        }
        if (flow.isTcp() && packet.has(Tcp.RST)) {
            if (packet.sequence() - flow.kernelAcknowledged >= 0) {
                forgotten(flow);
            } else {
                host.counts.count(FlowCount.DROPS_PACKET);
            }
            return;
        }
        if (flow.isAnsweredElsewhere() && TftpBlocks.asks(packet.payload(0))) {
            flow.asksAnew();
        }
        host.toKernel(flow, packet);
        if (flow.isTcp()) {
            host.closing(flow);
        }
    }

    /** Tells the client that the instance can serve the flow no more. */
    private void fail(CarriedFlow flow, Reason reason) {
        PeerHost peer = flow.peer();
        LocalService service = flow.service;
        if (peer != null && service != null) {
            Association with = flow.state == CarriedFlow.State.RESPONDING ? peer.keys.newest() : peer.association();
            tellFailure(peer, with, flow.peerFlow(), flow.id, flow.epoch, service.instance(), reason);
        }
        host.offload.takeBack(flow);
        flow.state = CarriedFlow.State.OVER;
        flow.lostNanos = host.nowNanos;
        host.release(flow);
        flow.free(host.memory.flows);
        host.timers.set(flow, host.nowNanos + FAILED_NANOS);
    }

    /** Resets the connection of the program, in the client's name. */
    private void resetProgram(CarriedFlow flow) {
        host.offload.takeBack(flow);
        if (flow.state != CarriedFlow.State.OVER) {
            host.resetKernel(flow, flow.kernelAcknowledged, flow.peerNext);
        }
    }

    /** The client has another instance, or forgets the flow. */
    void forgotten(CarriedFlow flow) {
        resetProgram(flow);
        over(flow);
    }

    private void over(CarriedFlow flow) {
        byClient.remove(flow);
        host.forget(flow);
    }

    @Override
    public void due(CarriedFlow flow) {
        boolean ends = flow.state == CarriedFlow.State.OVER || flow.state == CarriedFlow.State.CLOSING;
        if (ends || !host.look(flow, flow.held != null)) {
            over(flow);
        }
    }
}
