package io.guidepost.scaffold.flow;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.segment.IcmpTranslator;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.Splice;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.LabelHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries packets of flows by labels, see {@link LabelHeader}: the local kernel routes them, as they are ordinary ones of IPv6. A flow
 * begins in UDP, and goes over to labels when the peer has said that it hears them; at the first doubt it goes back. Belongs to one
 * thread.
 */
final class LabelCarriage {
    /** After this time, and then twice as long each time, a peer that has not answered is asked again. */
    private static final long ASK_NANOS = 200 * LocalHost.MILLI;

    private static final int DOUBLINGS_MAX = 7;

    /** Bytes of an error that tells which packet it is about: its header, that of IPv6, and the first eight bytes behind that. */
    private static final int QUOTE_BYTES_MIN = Icmpv6.BYTES + LabelHeader.BYTES + Long.BYTES;

    private final LocalHost host;
    private final MemorySegment bare = Arena.ofAuto().allocate(LabelHeader.BYTES, Long.BYTES);

    private final IcmpTranslator errors = new IcmpTranslator();

    /** What is known of the labels of one flow. */
    static final class State {
        long own;
        long peer;

        /** The number of the peer's path on which it has heard them; none at first. */
        private int heardOnPath = -1;

        /** Whether the peer has carried by them lately. */
        boolean carried;

        /** The labels' prefixes, and the ports, with which it has carried last. */
        long cameFrom;

        long cameTo;
        int cameWith;

        /** Packets with labels since the last was seen that had none, or the kernel has had the flow. */
        int packets;

        private int asked;
        private long askNanos;

        /** Returns whether the peer has heard them on the path that is taken. */
        boolean isHeardBy(@Nullable PeerHost with) {
            return with != null && heardOnPath == with.paths();
        }

        /** The peer carries by UDP: if it carried by labels before, it has a reason not to. */
        void cameByUdp() {
            packets = 0;
            if (carried) {
                carried = false;
                heardOnPath = -1;
            }
        }
    }

    LabelCarriage(LocalHost host) {
        this.host = host;
    }

    /** Returns whether a packet is sent to a label of this host. */
    boolean isOwn(long at, int length) {
        if (LabelHeader.is(at, length)) {
            long prefix = LabelHeader.receiverPrefix(at);
            for (int i = 0; i < host.ways.size(); i++) {
                OwnWay way = host.ways.get(i);
                if (way.labels() && way.locator().high() == prefix) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Takes a bare packet of a flow's peer. */
    void takeBare(CarriedFlow flow, PeerHost peer, long at) {
        if (LabelHeader.isHeard(at)) {
            State state = state(flow);
            state.own = LabelHeader.receiverPrefix(at);
            state.peer = LabelHeader.senderPrefix(at);
            state.heardOnPath = peer.paths();
            state.asked = 0;
            host.offload.heard(flow);
        } else {
            sendBare(flow, LabelHeader.receiverPrefix(at), LabelHeader.senderPrefix(at), true);
        }
    }

    /** Takes note of a packet of TCP or UDP that the peer has carried by labels. */
    void came(CarriedFlow flow, long at) {
        State state = state(flow);
        state.carried = true;
        state.cameFrom = LabelHeader.senderPrefix(at);
        state.cameTo = LabelHeader.receiverPrefix(at);
        state.cameWith = LabelHeader.ports(at);
        host.offload.labelled(flow, state);
    }

    private static State state(CarriedFlow flow) {
        State state = flow.labels;
        if (state == null) {
            state = new State();
            flow.labels = state;
        }
        return state;
    }

    /** Sends a packet of a flow, whose addresses it overwrites; false if it is to be carried by UDP. */
    boolean send(CarriedFlow flow, PeerHost peer, IpPacket packet) {
        State state = state(flow);
        if (!state.isHeardBy(peer)) {
            ask(flow, peer, state);
            return false;
        }
        IpPacket sent = packet.isIpv4() ? host.segments.copy(packet) : packet;
        FlowTuple tuple = sent.tuple();
        int ports = Integer.rotateLeft(tuple.ports(), 16);
        sent.readdress(new FlowTuple(state.peer, flow.peerFlow(), state.own, flow.id, ports, tuple.protocol()));
        LabelHeader.epoch(sent.address(), flow.epoch);
        host.output.toKernel(sent.address(), sent.length());
        host.offload.labelled(flow, state);
        return true;
    }

    private void ask(CarriedFlow flow, PeerHost peer, State state) {
        if (state.asked > 0 && state.askNanos - host.nowNanos > 0) {
            return;
        }
        List<HostLocator> places = peer.locators().stream().filter(LabelCarriage::isIpv6).toList();
        for (int i = 0; i < host.ways.size() && !places.isEmpty(); i++) {
            OwnWay way = host.ways.get(i);
            if (way.labels() && way.up()) {
                sendBare(flow, way.locator().high(), places.get(state.asked % places.size()).high(), false);
                break;
            }
        }
        state.askNanos = host.nowNanos + (ASK_NANOS << Math.min(state.asked, DOUBLINGS_MAX));
        state.asked++;
    }

    /** Takes what a router, or the local kernel, says of a packet of a flow. */
    void error(CarriedFlow flow, PeerHost peer, long at, int length) {
        long error = at + LabelHeader.BYTES;
        int bytes = length - LabelHeader.BYTES;
        if (Memory.u16(at + 4) != bytes || bytes < QUOTE_BYTES_MIN || !isAbout(flow, peer, at, error + Icmpv6.BYTES)) {
            host.counts.count(FlowCount.DROPS_SOURCE);
            return;
        }
        long pseudo = InternetChecksum.pseudoIpv6(
                Memory.i64(at + 8), Memory.i64(at + 16), Memory.i64(at + 24), Memory.i64(at + 32), HeaderParser.ICMPV6, bytes);
        Splice splice = flow.splice;
        if (InternetChecksum.fold(InternetChecksum.add(pseudo, error, bytes)) != 0) {
            host.counts.count(FlowCount.DROPS_PACKET);
        } else if (Memory.u8(error) == Icmpv6.UNREACHABLE) {
            // Labels do not get there any more; the program need not know, as UDP may.
            state(flow).heardOnPath = -1;
            host.offload.takeBackOut(flow);
        } else if (errors.write(flow.tuple, error, bytes, splice == null ? 0 : splice.requestShift())) {
            host.counts.count(FlowCount.ERRORS_PASSED);
            host.output.toKernel(errors.address(), errors.length());
        } else {
            host.counts.count(FlowCount.DROPS_PACKET);
        }
    }

    /** Returns whether the packet that an error quotes is one that the flow has sent; who does not know its labels cannot say so. */
    private static boolean isAbout(CarriedFlow flow, PeerHost peer, long at, long quoted) {
        return LabelHeader.is(quoted, LabelHeader.BYTES)
                && LabelHeader.senderPrefix(quoted) == LabelHeader.receiverPrefix(at)
                && LabelHeader.senderFlow(quoted) == flow.id
                && LabelHeader.receiverFlow(quoted) == flow.peerFlow()
                && peer.isAt(LabelHeader.receiverPrefix(quoted))
                && LabelHeader.isOfEpoch(quoted, flow.epoch)
                && Memory.u8(quoted + 6) == flow.tuple.protocol()
                && LabelHeader.ports(quoted) == flow.tuple.ports();
    }

    /** Asks by the labels that are in use. */
    void askAgain(CarriedFlow flow) {
        State state = state(flow);
        sendBare(flow, state.own, state.peer, false);
    }

    private static boolean isIpv6(HostLocator at) {
        return !Addresses.isIpv4(at.high(), at.low());
    }

    private void sendBare(CarriedFlow flow, long own, long theirs, boolean heard) {
        LabelHeader.writeBare(bare.address(), own, flow.id, theirs, flow.peerFlow(), flow.epoch, heard);
        host.output.toKernel(bare.address(), LabelHeader.BYTES);
    }
}
