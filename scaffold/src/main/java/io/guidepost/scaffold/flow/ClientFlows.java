package io.guidepost.scaffold.flow;

import io.guidepost.names.Guid;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.ShownDelegations;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.metrics.LossCause;
import io.guidepost.scaffold.resume.TftpBlocks;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.Splice;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.Reason;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.util.List;

/**
 * The flows that this host's programs begin: an instance is asked for by way of an object router, and another where the first
 * can serve the flow no more. Belongs to one thread.
 */
final class ClientFlows implements FlowEnd {
    /** For so long a router that knows no instance is asked again: when a program connects, and when a connection stands. */
    private static final long CONNECT_NANOS = 1_000 * LocalHost.MILLI;

    private static final long RESUME_NANOS = 5_000 * LocalHost.MILLI;
    private static final long UNANSWERED_NANOS = 2_000 * LocalHost.MILLI;
    private static final long RESUME_TICK_NANOS = 2 * LocalHost.MILLI;

    private final LocalHost host;
    private final RouterClient routers;
    private final FailoverLog failovers;
    private final ResumableFlow.Shared shared;
    private final IpPacket inner = new IpPacket();
    private final ShownDelegations shown = new ShownDelegations();

    ClientFlows(LocalHost host, RouterClient routers, FailoverLog failovers) {
        this.host = host;
        this.routers = routers;
        this.failovers = failovers;
        this.shared = new ResumableFlow.Shared(host.options, host.settings.repeatedBytesMax(), host.kept);
    }

    /** Begins a flow with the first packet that a program sends to an object. */
    void connect(FlowTuple tuple, Guid object, IpPacket packet) {
        if (tuple.protocol() == IpPacket.TCP && (packet.flags() & (Tcp.SYN | Tcp.ACK | Tcp.RST)) != Tcp.SYN) {
            host.counts.count(FlowCount.DROPS_NO_FLOW);
            return;
        }
        CarriedFlow flow = new CarriedFlow(host.random.getAsLong(), tuple, object, true);
        remember(flow, packet);
        flow.usedNanos = host.nowNanos;
        if (host.seals) {
            flow.seal();
        }
        if (flow.isTcp()) {
            flow.kernelNext = packet.sequence() + 1;
        } else if (tuple.peerPort() == TftpBlocks.PORT) {
            flow.tftp = TftpBlocks.of(packet.payload(0), host.settings.repeatedBytesMax());
        }
        if (!host.flows.add(flow)) {
            host.counts.count(FlowCount.DROPS_FLOWS_MAX);
            return;
        }
        host.counts.count(FlowCount.FLOWS_CONNECTED);
        request(flow);
    }

    /** Asks for an instance: the first, or the next. */
    private void request(CarriedFlow flow) {
        InstanceChange change = flow.change;
        boolean again = flow.epoch > 0;
        Association with = routers.association();
        if (with != null) {
            int flags = flow.sealed() ? ControlMessage.FLAG_SEALED : 0;
            ControlWriter writer = host.control.begin(
                            again ? MessageType.RSYN : MessageType.SYN, flags, 0, flow.id, flow.epoch, with)
                    .guid(Tlv.OBJECT, flow.object);
            host.putLocators(writer);
            host.putKeys(writer, host.share.open());
            flow.excluded.forEach(each -> writer.guid(Tlv.EXCLUDE, each));
            writer.bytes(Tlv.PORT, LocalService.protocolAndPort(flow.tuple.protocol(), flow.tuple.peerPort()));
            Splice splice = flow.splice;
            byte[] packet = change != null && splice != null ? change.syn(splice) : flow.isTcp() ? flow.first : new byte[0];
            if (packet.length > 0 && packet.length <= ScaffoldLimits.HANDSHAKE_PACKET_BYTES_MAX) {
                writer.bytes(Tlv.PACKET, packet);
            }
            routers.send(with, flow.tries > 0);
        }
        host.timers.set(flow, host.nowNanos + (LocalHost.RETRANSMIT_NANOS << flow.tries));
        flow.tries++;
    }

    /** Takes the answer of an instance's host, or of the next one's. */
    void answered(ControlMessage message, int way, HostLocator from) {
        CarriedFlow flow = host.flows.find(message.receiverFlow());
        if (flow == null || !flow.client) {
            host.counts.count(FlowCount.DROPS_FLOW_UNKNOWN);
            return;
        }
        boolean isAwaited = flow.state == CarriedFlow.State.REQUESTED && message.epoch() == flow.epoch;
        PeerHost peer = host.answerer(message, isAwaited);
        if (peer == null) {
            return;
        }
        Delegation delegation =
                shown.check(message.bytes(Tlv.DELEGATION), flow.object, message.guid(Tlv.HOST), host.nowMillis / 1_000);
        if (delegation == null) {
            host.counts.count(FlowCount.DROPS_NOT_ALLOWED);
            return;
        }
        if (!isAwaited) {
            if (flow.peerFlow() != message.senderFlow()) {
                // It comes too late: another instance has the flow, and this one must forget it.
                if (routers.at(from) == null) {
                    peer.places(message, way, from);
                }
                forget(peer, message.senderFlow(), flow.id, message.epoch());
            }
            return;
        }
        if (routers.at(from) == null) {
            peer.places(message, way, from);
            peer.suspicion.heard(host.nowNanos);
        } else {
            peer.relayed(message, way);
        }
        if (flow.tries == 1 && flow.epoch == 0) {
            peer.suspicion.takesAtMost(host.nowNanos - flow.firstNanos);
        }
        flow.peer(peer, message.senderFlow(), peer.instance(message.guid(Tlv.INSTANCE)));
        if ((message.flags() & ControlMessage.FLAG_SEALED) != 0) {
            flow.seal();
        }
        opened(flow, message, (message.number(Tlv.SERVICE) & ControlMessage.FLAG_REPEATABLE) != 0);
    }

    private void opened(CarriedFlow flow, ControlMessage message, boolean repeatable) {
        if (!flow.isTcp()) {
            flow.state = CarriedFlow.State.OPEN;
            TftpBlocks tftp = flow.tftp;
            if (tftp != null && tftp.hasBegun()) {
                flow.state = CarriedFlow.State.RESUMING;
                flow.tries = 0;
                ask(flow, tftp.repeat());
                return;
            }
            resumed(flow);
            if (isUnanswered(flow)) {
                host.toPeer(flow, host.segments.copy(flow.first));
            }
            stands(flow);
            return;
        }
        if (!message.has(Tlv.PACKET) || !copyOfPacket(message).isSynAck()) {
            lose(flow, LossCause.REFUSED, "no SYN-ACK came", true);
            return;
        }
        flow.comes(inner);
        InstanceChange change = flow.change;
        if (change != null) {
            flow.state = CarriedFlow.State.RESUMING;
            settle(flow, change, change.begin(inner));
            return;
        }
        flow.state = CarriedFlow.State.OPEN;
        flow.lostNanos = 0;
        flow.changes = 0;
        Splice splice = new Splice(host.options);
        splice.first(inner.transport());
        flow.splice = splice;
        IpPacket syn = host.segments.copy(flow.first);
        flow.resumable = new ResumableFlow(syn, inner, repeatable, shared);
        host.toKernel(flow, inner);
        stands(flow);
    }

    private IpPacket copyOfPacket(ControlMessage message) {
        byte[] packet = message.bytes(Tlv.PACKET);
        inner.read(host.scratch(packet), packet.length);
        return inner;
    }

    private void stands(CarriedFlow flow) {
        flow.usedNanos = host.nowNanos;
        host.keep(flow);
        look(flow);
    }

    /** Looks at a flow that stands; false if it has been idle for too long. */
    private boolean look(CarriedFlow flow) {
        ResumableFlow record = flow.resumable;
        // Of a flow that was taken up it is not known whether its program waits: the peer, who may lose it at any time, is asked always.
        boolean unknown = flow.isTcp() && flow.refusal.equals(CarriedFlow.TAKEN_UP);
        return host.look(flow, record != null && record.expects() || flow.held != null || unknown);
    }

    @Override
    public void fromKernel(CarriedFlow flow, IpPacket packet) {
        flow.usedNanos = host.nowNanos;
        TftpBlocks tftp = flow.tftp;
        if (tftp != null) {
            if (tftp.hasBegun() && TftpBlocks.asks(packet.payload(0))) {
                // Another download from the port of one that is over.
                over(flow);
                connect(flow.tuple, flow.object, packet);
                return;
            }
            if (!tftp.hasBegun()) {
                remember(flow, packet);
            }
            tftp.fromClient(packet.payload(0));
            flow.expects(tftp.refusal().isEmpty());
            if (flow.state == CarriedFlow.State.OPEN) {
                send(flow, packet, true);
            }
            return;
        }
        if (!flow.isTcp()) {
            // A copy for each datagram of a stream, which none answers, would be too many.
            if (flow.state == CarriedFlow.State.REQUESTED || !isUnanswered(flow)) {
                remember(flow, packet);
            }
            if (flow.state == CarriedFlow.State.OPEN) {
                send(flow, packet, true);
            }
            return;
        }
        ResumableFlow record = flow.resumable;
        if (record != null) {
            record.fromClient(packet);
            flow.expects(record.expects());
        }
        flow.sees(packet);
        if (packet.has(Tcp.RST)) {
            send(flow, packet, false);
            over(flow);
            return;
        }
        switch (flow.state) {
            case OPEN, CLOSING -> {
                Splice splice = flow.splice;
                if (splice != null && splice.rewriteRequest(packet.transport(), flow.peerNext)) {
                    send(flow, packet, packet.payloadBytes() > 0);
                }
            }
            case RESUMING -> {
                InstanceChange change = flow.change;
                if (record != null && !record.refusal().isEmpty()) {
                    lose(flow, LossCause.NOT_REPEATABLE, record.refusal(), false);
                } else if (change != null) {
                    change.acknowledge();
                }
            }
            default -> {
                // The SYN that the kernel sends again: the timer of the request is shorter.
            }
        }
    }

    private void remember(CarriedFlow flow, IpPacket packet) {
        flow.first = packet.bytes();
        flow.firstNanos = host.nowNanos;
    }

    /** Returns whether a datagram has no answer, and its program waits still: the next instance is asked again. */
    private boolean isUnanswered(CarriedFlow flow) {
        return flow.first.length > 0 && host.nowNanos - flow.firstNanos < UNANSWERED_NANOS;
    }

    private void send(CarriedFlow flow, IpPacket packet, boolean expectsAnswer) {
        if (expectsAnswer) {
            host.sent(flow, packet);
        }
        host.toPeer(flow, packet);
    }

    @Override
    public void fromPeer(CarriedFlow flow, IpPacket packet) {
        TftpBlocks tftp = flow.tftp;
        if (tftp != null && flow.state == CarriedFlow.State.RESUMING) {
            repeated(flow, tftp, packet);
            return;
        }
        if (!flow.isTcp()) {
            if (tftp == null) {
                flow.first = CarriedFlow.NOTHING;
            } else {
                tftp.fromInstance(packet.payload(0));
            }
            host.toKernel(flow, packet);
            return;
        }
        if (!packet.has(Tcp.SYN)) {
            flow.comes(packet);
        }
        if (flow.state == CarriedFlow.State.RESUMING) {
            InstanceChange change = flow.change;
            if (change != null) {
                InstanceChange.Outcome outcome = change.take(packet);
                if (outcome == InstanceChange.Outcome.GOING) {
                    change.acknowledge();
                } else {
                    settle(flow, change, outcome);
                }
            }
            return;
        }
        Splice splice = flow.splice;
        if (splice == null || flow.state == CarriedFlow.State.REQUESTED) {
            return;
        }
        host.acknowledged(flow, packet);
        if (!splice.rewriteResponse(packet.transport())) {
            host.counts.count(FlowCount.DROPS_PACKET);
            return;
        }
        ResumableFlow record = flow.resumable;
        ResumableFlow.Verdict verdict = record == null ? ResumableFlow.Verdict.PASS : record.fromInstance(packet);
        flow.expects(record != null && record.expects());
        switch (verdict) {
            case DROP -> host.counts.count(FlowCount.DROPS_HELD_BACK);
            case CUT -> lose(flow, LossCause.CUT, "the message was cut", true);
            case PASS -> {
                if (packet.has(Tcp.RST)) {
                    resetByInstance(flow, packet);
                } else {
                    flow.peerFin |= packet.has(Tcp.FIN);
                    host.toKernel(flow, packet);
                    host.closing(flow);
                }
            }
        }
    }

    /** Takes a datagram of the next instance of a download by TFTP. */
    private void repeated(CarriedFlow flow, TftpBlocks tftp, IpPacket packet) {
        flow.tries = 0;
        TftpBlocks.Step step = tftp.next(packet.payload(0));
        switch (step) {
            case DONE, PASS -> {
                flow.state = CarriedFlow.State.OPEN;
                resumed(flow);
                stands(flow);
                if (step == TftpBlocks.Step.PASS) {
                    host.toKernel(flow, packet);
                } else {
                    send(flow, host.segments.writeDatagram(flow.tuple, false, tftp.answer()), true);
                }
            }
            case ANSWER -> ask(flow, tftp.answer());
            case DIFFERS -> {
                forget(flow);
                refuse(flow, "the next instance gives other bytes");
            }
            default -> {
                // Something that came twice.
            }
        }
    }

    /** Has a download by TFTP end with an error. */
    private void refuse(CarriedFlow flow, String why) {
        host.toKernel(host.segments.writeDatagram(flow.tuple, true, TftpBlocks.error()));
        reset(flow, why);
    }

    /** Sends a datagram to the next instance, and again if it does not answer. */
    private void ask(CarriedFlow flow, byte[] datagram) {
        host.toPeer(flow, host.segments.writeDatagram(flow.tuple, false, datagram));
        host.timers.set(flow, host.nowNanos + (LocalHost.RETRANSMIT_NANOS << flow.tries));
        flow.tries++;
    }

    /**
     * The instance has reset the connection. What it sent before and was lost on the way will not come again, so the program is
     * told by the numbers that its kernel waits for; a reset that is older than these is none of this connection.
     */
    private void resetByInstance(CarriedFlow flow, IpPacket packet) {
        ResumableFlow record = flow.resumable;
        int known = record == null ? flow.kernelAcknowledged : record.responseSequence(record.acknowledged());
        if (packet.sequence() - known >= 0 || packet.sequence() == 0) {
            resetProgram(flow);
            over(flow);
        } else {
            host.counts.count(FlowCount.DROPS_PACKET);
        }
    }

    /** A router says that an instance is gone: its host is asked for each flow, and by each path, whether that is so. */
    void noticed(Guid instance) {
        host.flows.forEach(each -> {
            PeerHost peer = each.peer();
            if (each.client && peer != null && instance.equals(each.instance()) && each.state == CarriedFlow.State.OPEN) {
                host.ask(each, peer);
                peer.suspicion.sent(host.nowNanos);
            }
        });
    }

    /** The instance can serve a flow no more, as its host says. */
    void lose(CarriedFlow flow, Reason reason, boolean exclude) {
        lose(flow, LossCause.of(reason), reason.text(), exclude);
    }

    /** The instance can serve a flow no more: another is asked for, or the program is told. */
    void lose(CarriedFlow flow, LossCause cause, String text, boolean exclude) {
        if (flow.state == CarriedFlow.State.OVER || flow.state == CarriedFlow.State.CLOSING) {
            return;
        }
        host.offload.takeBack(flow);
        TftpBlocks tftp = flow.tftp;
        if (tftp != null && tftp.isOver()) {
            over(flow);
            return;
        }
        lost(flow, cause, text);
        if (tftp != null && !tftp.refusal().isEmpty()) {
            refuse(flow, tftp.refusal());
            return;
        }
        if (exclude) {
            flow.exclude(flow.instance());
        }
        ResumableFlow record = flow.resumable;
        boolean connecting = flow.state == CarriedFlow.State.REQUESTED && flow.change == null && record == null;
        if (!connecting && flow.isTcp() && (record == null || !record.canResume())) {
            reset(flow, record == null ? flow.refusal : record.refusal());
            return;
        }
        if (!flow.isTcp() || record == null) {
            begin(flow);
            return;
        }
        change(flow, record, record.canRange() && !flow.rangeRefused);
    }

    /** Takes note of when and why a flow has lost its instance; of several losses until it goes on the first counts. */
    private void lost(CarriedFlow flow, LossCause cause, String text) {
        if (flow.lostNanos == 0) {
            flow.lostNanos = host.nowNanos;
            flow.lostCause = cause;
            flow.lostBecause = text;
        }
    }

    private void change(CarriedFlow flow, ResumableFlow record, boolean byRange) {
        flow.changeTo(new InstanceChange(host, flow, record, byRange));
        host.release(flow);
        begin(flow);
    }

    private void begin(CarriedFlow flow) {
        flow.state = CarriedFlow.State.REQUESTED;
        flow.tries = 0;
        flow.epoch = flow.epoch + 1;
        flow.changes++;
        if (flow.changes > FlowMachine.CHANGES_MAX) {
            host.counts.count(FlowCount.BOUNDS_INSTANCES_TRIED);
            reset(flow, "no instance goes on");
        } else {
            request(flow);
        }
    }

    private void settle(CarriedFlow flow, InstanceChange change, InstanceChange.Outcome outcome) {
        ResumableFlow record = flow.resumable;
        Splice splice = flow.splice;
        switch (outcome) {
            case GOING -> host.timers.set(flow, host.nowNanos + RESUME_TICK_NANOS);
            case DONE -> {
                if (splice == null || !change.splice(splice)) {
                    reset(flow, "the next instance's TCP has not agreed to what the client counts on");
                    return;
                }
                flow.state = CarriedFlow.State.OPEN;
                // Before the client has bytes that the instance before would not send.
                host.keep(flow);
                change.deliver();
                flow.changeTo(null);
                flow.expects(record != null && record.expects());
                resumed(flow);
                flow.usedNanos = host.nowNanos;
                look(flow);
            }
            case NO_RANGE -> {
                flow.rangeRefused = true;
                forget(flow);
                if (record != null && record.canResume()) {
                    change(flow, record, false);
                } else {
                    reset(flow, record == null ? "" : record.refusal());
                }
            }
            case LOST -> lose(flow, LossCause.ENDED, "the next instance is lost", true);
            case DIFFERS -> {
                forget(flow);
                reset(flow, "the next instance gives other bytes");
            }
        }
    }

    /** Has the instance's host forget a flow. */
    private void forget(CarriedFlow flow) {
        if (flow.peer() instanceof PeerHost peer) {
            forget(peer, flow.peerFlow(), flow.id, flow.epoch);
        }
    }

    private void forget(PeerHost peer, long theirs, long ours, int epoch) {
        host.control.begin(MessageType.RESET, 0, theirs, ours, epoch, peer.association()).reason(Reason.OLD_EPOCH);
        peer.send();
    }

    private void resumed(CarriedFlow flow) {
        if (flow.lostNanos != 0) {
            failovers.add(flow, host, true, flow.lostBecause);
            host.counts.count(FlowCount.FLOWS_RESUMED);
            flow.lostNanos = 0;
            flow.changes = 0;
        }
    }

    private void reset(CarriedFlow flow, String why) {
        failovers.add(flow, host, false, flow.lostBecause + ": " + why);
        host.counts.count(FlowCount.FLOWS_RESET);
        resetProgram(flow);
        over(flow);
    }

    private void resetProgram(CarriedFlow flow) {
        ResumableFlow record = flow.resumable;
        if (record != null) {
            host.resetKernel(flow, record.responseSequence(record.acknowledged()), record.responseSequence(record.given()));
        } else if (flow.splice == null) {
            host.resetKernel(flow, 0);
        } else {
            host.resetKernel(flow, flow.kernelAcknowledged, flow.peerNext);
        }
    }

    void over(CarriedFlow flow) {
        host.forget(flow);
    }

    /**
     * A router says that a flow cannot be had. It may have started a moment ago, and know no instance yet: it is asked again
     * for a while, longer where a connection stands.
     */
    void refused(CarriedFlow flow, Reason reason) {
        if (flow.state != CarriedFlow.State.REQUESTED) {
            return;
        }
        boolean connects = flow.splice == null;
        lost(flow, LossCause.REFUSED, "connect");
        if (host.nowNanos - flow.lostNanos >= (connects ? CONNECT_NANOS : RESUME_NANOS)) {
            reset(flow, reason.text());
        } else {
            // Where no other is left, one that was lost may be there again.
            flow.excluded = List.of();
            flow.tries = Math.max(flow.tries, 2);
            host.timers.set(flow, host.nowNanos + (LocalHost.RETRANSMIT_NANOS << 2));
        }
    }

    @Override
    public void due(CarriedFlow flow) {
        InstanceChange change = flow.change;
        switch (flow.state) {
            case REQUESTED -> {
                if (flow.tries < LocalHost.TRIES_MAX) {
                    request(flow);
                } else {
                    // The instance that was chosen may be the one that is silent: with another epoch chance chooses anew.
                    lost(flow, LossCause.UNANSWERED, "no instance answers");
                    begin(flow);
                }
            }
            case RESUMING -> {
                if (change != null) {
                    settle(flow, change, change.tick());
                } else if (flow.tftp != null && flow.tries <= LocalHost.TRIES_MAX) {
                    ask(flow, flow.tftp.answer());
                } else {
                    lose(flow, LossCause.UNANSWERED, "the next instance does not answer", true);
                }
            }
            default -> {
                if (flow.state == CarriedFlow.State.CLOSING || !look(flow)) {
                    over(flow);
                }
            }
        }
    }
}
