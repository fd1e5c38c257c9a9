package io.guidepost.scaffold.flow;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.metrics.LossCause;
import io.guidepost.scaffold.resume.TftpBlocks;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.Splice;
import io.guidepost.scaffold.segment.TcpOptions;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One end of a flow. Belongs to one thread. */
final class CarriedFlow {
    /** Where an end of a flow is in its life. */
    enum State {
        /** The client has asked for an instance, or for the next one. */
        REQUESTED,
        /** The instance's host has a SYN, and its program has not answered. */
        RESPONDING,
        /** Packets are carried. */
        OPEN,
        /** The next instance is there; the gateway repeats the request and compares. */
        RESUMING,
        /** Both ends have said their last; late packets are still carried. */
        CLOSING,
        /** It is over; nothing is carried. */
        OVER
    }

    static final byte[] NOTHING = {};
    static final String TAKEN_UP = "the gateway has started again since";

    private static final int ROLE = 45;
    private static final int SPLICE = 120;
    private static final int NUMBERS = 136;

    final long id;
    final FlowTuple tuple;
    final Guid object;
    final boolean client;

    State state = State.REQUESTED;

    /** When the flow is to be looked at, and its place there; see {@link FlowTimers}. */
    long dueNanos = Long.MAX_VALUE;

    int timerPlace = FlowTimers.NOWHERE;

    /** When a packet of it was last carried. */
    long usedNanos;

    int tries;

    /** Counts its instances: none but the newest is heard. */
    int epoch;

    /** When the peer was last heard of the flow, and how often it was asked for it since. */
    long heardNanos;

    int asked;

    /** Instances that were asked for since packets were last carried. */
    byte changes;

    /** Whether an instance did not give the rest of a response alone. */
    boolean rangeRefused;

    /** What has become of it, for the list of failovers: when its instance was lost, and why. */
    long lostNanos;

    LossCause lostCause = LossCause.UNANSWERED;
    String lostBecause = "";

    /** The client's SYN, as its kernel sent it, or a datagram that has no answer yet, and when that was; empty at the instance's end. */
    byte[] first = NOTHING;

    long firstNanos;

    /** The router by which the client is answered, where datagrams may not reach it yet; null if they do. */
    @Nullable
    RouterSession relay;

    /** The service at the instance's end. */
    @Nullable
    LocalService service;

    /** What is known for going on elsewhere; null if the flow cannot. */
    @Nullable
    ResumableFlow resumable;

    /** The download by TFTP that goes on elsewhere; null if the flow is none. */
    @Nullable
    TftpBlocks tftp;

    /** The port from which the instance's program answers, if that is another one than was asked; else 0. */
    private char answersFrom;

    /** The change that is under way. */
    @Nullable
    InstanceChange change;

    @Nullable
    HeldFlight held;

    /** What is known of labels with this peer; null if nothing is. */
    LabelCarriage.@Nullable State labels;

    /** What the kernel knows of it, if it passes the packets by itself. */
    OffloadedFlows.@Nullable Rows rows;

    /** Why no other instance can go on with a connection of which the gateway does not know what that takes. */
    String refusal = "";

    /** Of a served flow: nothing came of its connection since it was taken up, or since the peer asked last; it may have ended. */
    boolean unseen;

    @Nullable
    Splice splice;

    /** The newest numbers that the local kernel has sent, for a reset in the peer's name: its next, and its acknowledgment. */
    int kernelNext;

    int kernelAcknowledged;

    /** How far the instance has sent, in its own numbers. */
    int peerNext;

    boolean kernelFin;
    boolean peerFin;

    private boolean sealed;

    /** Its row in the gateway's memory; 0 if it is not there. */
    private long row;

    private @Nullable PeerHost peer;
    private boolean expects;
    private long peerFlow;
    private @Nullable Guid instance;

    /** Instances that the next one must not be. */
    List<Guid> excluded = List.of();

    /**
     * Creates a flow that no peer knows yet.
     *
     * @param id random: who does not know it cannot send to the flow
     * @param client whether it is the client's end, else the instance's
     */
    CarriedFlow(long id, FlowTuple tuple, Guid object, boolean client) {
        this.id = id;
        this.tuple = tuple;
        this.object = object;
        this.client = client;
    }

    /** Returns the flow as the local kernel has it now. */
    FlowTuple kernelTuple() {
        return answersFrom == 0 ? tuple : tuple.withOwnPort(answersFrom);
    }

    /** Returns whether the program answers from a port: the first that it takes, until it is asked anew, see {@link TftpBlocks}. */
    boolean isAnsweredFrom(int port) {
        answersFrom = answersFrom == 0 && !client ? (char) port : answersFrom;
        return answersFrom == port;
    }

    /** Has what comes go to the port that is asked. */
    void asksAnew() {
        answersFrom = 0;
    }

    boolean isAnsweredElsewhere() {
        return answersFrom != 0;
    }

    /** Returns whether another instance can go on, as far as is known now. */
    boolean canResume() {
        return tftp == null ? resumable != null && resumable.canResume() : tftp.refusal().isEmpty();
    }

    boolean isTcp() {
        return tuple.protocol() == IpPacket.TCP;
    }

    private static int end(IpPacket segment) {
        return segment.sequence() + segment.payloadBytes() + (segment.has(Tcp.FIN) || segment.has(Tcp.SYN) ? 1 : 0);
    }

    /** Takes note of the end of a segment of the instance; a SYN-ACK begins with new numbers. */
    void comes(IpPacket segment) {
        int next = end(segment);
        if (segment.has(Tcp.SYN) || next - peerNext > 0) {
            peerNext = next;
            keepNumbers();
        }
    }

    /** Takes note of the numbers of a segment that the local kernel has sent. */
    void sees(IpPacket segment) {
        int next = end(segment);
        if (next - kernelNext > 0 || kernelNext == 0) {
            kernelNext = next;
        }
        if (segment.has(Tcp.ACK)) {
            kernelAcknowledged = segment.acknowledgment();
        }
        kernelFin |= segment.has(Tcp.FIN);
        keepNumbers();
    }

    /** Takes numbers of the local kernel's segments. */
    void programIsAt(int next, int acknowledged) {
        kernelNext = next - kernelNext > 0 ? next : kernelNext;
        kernelAcknowledged = acknowledged - kernelAcknowledged > 0 ? acknowledged : kernelAcknowledged;
        keepNumbers();
    }

    /** Takes note of how far the instance, or the client, has sent. */
    void peerIsAt(int next) {
        peerNext = next - peerNext > 0 ? next : peerNext;
        keepNumbers();
    }

    /** Returns whether its packets concern the gateway no more, and what is to be done with each is always the same. */
    boolean isSteady() {
        boolean shifted = client && isTcp() && (splice == null || splice.isShifted());
        boolean resumes = tftp != null || answersFrom != 0 || resumable != null && resumable.exchange().refusal().isEmpty();
        return state == State.OPEN && !kernelFin && !peerFin && !shifted && !resumes;
    }

    /** Forgets what only a gateway that sees each packet can know. */
    void leaveToKernel() {
        first = NOTHING;
        refusal = resumable == null ? refusal : resumable.exchange().refusal();
        forgetResumable();
    }

    /** Begins a change to another instance in place of the one that was under way; null = none. */
    void changeTo(@Nullable InstanceChange next) {
        if (change != null) {
            change.forget();
        }
        change = next;
    }

    /** Forgets what is known for going on elsewhere. */
    void forgetResumable() {
        changeTo(null);
        if (resumable != null) {
            resumable.forget();
            resumable = null;
        }
    }

    private void keepNumbers() {
        if (row != 0) {
            Memory.put32(row + NUMBERS, kernelNext);
            Memory.put32(row + NUMBERS + 4, kernelAcknowledged);
            if (isKeptPeer()) {
                Memory.put32(row + NUMBERS + 8, peerNext);
            }
        }
    }

    /** Returns whether the peer is the one in the memory: the next instance is not, until its packets are carried. */
    private boolean isKeptPeer() {
        return state == State.OPEN;
    }

    /**
     * Writes into a gateway's memory, see {@link FlowMemory}, what another process needs to go on with a flow that stands.
     *
     * @return false if there is no room for it
     */
    boolean keep(FlowMemory.Rows rows) {
        PeerHost with = peer;
        row = row == 0 ? rows.take() : row;
        if (row == 0 || with == null) {
            return false;
        }
        rows.clear(row);
        Memory.put64(row + 8, tuple.ownHigh());
        Memory.put64(row + 16, tuple.ownLow());
        Memory.put64(row + 24, tuple.peerHigh());
        Memory.put64(row + 32, tuple.peerLow());
        Memory.put32(row + 40, tuple.ports());
        Memory.put8(row + 44, tuple.protocol());
        Memory.put8(row + ROLE, (client ? 1 : 0) | (sealed ? 2 : 0));
        object.write(Memory.ALL, row + 48);
        with.guid().write(Memory.ALL, row + 68);
        Memory.put64(row + 88, peerFlow);
        Memory.put32(row + 96, epoch);
        (instance == null ? object : instance).write(Memory.ALL, row + 100);
        if (splice != null) {
            splice.keep(row + SPLICE);
        }
        keepNumbers();
        Memory.slot(row, id);
        return true;
    }

    /** Has no process go on with the flow. */
    void free(FlowMemory.Rows rows) {
        rows.free(row);
        row = 0;
    }

    /** Returns a flow that {@link #keep} has written; null if its peer is not known. */
    static @Nullable CarriedFlow kept(long row, Map<Guid, PeerHost> peers, TcpOptions options) {
        PeerHost with = peers.get(Guid.read(Memory.ALL, row + 68));
        if (with == null) {
            return null;
        }
        FlowTuple tuple = new FlowTuple(
                Memory.i64(row + 8),
                Memory.i64(row + 16),
                Memory.i64(row + 24),
                Memory.i64(row + 32),
                Memory.i32(row + 40),
                Memory.u8(row + 44));
        CarriedFlow flow = new CarriedFlow(Memory.slot(row), tuple, Guid.read(Memory.ALL, row + 48), (Memory.u8(row + ROLE) & 1) != 0);
        flow.sealed = (Memory.u8(row + ROLE) & 2) != 0;
        flow.state = State.OPEN;
        flow.refusal = TAKEN_UP;
        flow.unseen = flow.isTcp() && !flow.client;
        flow.row = row;
        flow.epoch = Memory.i32(row + 96);
        flow.peer(with, Memory.i64(row + 88), Guid.read(Memory.ALL, row + 100));
        if (flow.client && flow.isTcp()) {
            flow.splice = Splice.kept(row + SPLICE, options);
        }
        flow.kernelNext = Memory.i32(row + NUMBERS);
        flow.kernelAcknowledged = Memory.i32(row + NUMBERS + 4);
        flow.peerNext = Memory.i32(row + NUMBERS + 8);
        return flow;
    }

    @Nullable
    PeerHost peer() {
        return peer;
    }

    /** Returns the flow's id at the peer. */
    long peerFlow() {
        return peerFlow;
    }

    /** Sets the other end: an instance of the object, or the client. */
    void peer(PeerHost next, long flow, @Nullable Guid asInstance) {
        leavePeer();
        peer = next;
        peerFlow = flow;
        labels = null;
        instance = asInstance;
        next.addFlows(1);
    }

    /** Has no other end any more. */
    void leavePeer() {
        expects(false);
        if (peer != null) {
            peer.addFlows(-1);
            peer = null;
        }
    }

    /** Says whether bytes of the peer are awaited, though nothing was sent. */
    void expects(boolean now) {
        if (now != expects && peer != null) {
            peer.addExpecting(now ? 1 : -1);
            expects = now;
        }
    }

    /** Returns whether its packets are sealed: then none in clear is taken. */
    boolean sealed() {
        return sealed;
    }

    /** Has its packets be sealed from now on. */
    void seal() {
        sealed = true;
        if (row != 0 && isKeptPeer()) {
            Memory.put8(row + ROLE, (client ? 1 : 0) | 2);
        }
    }

    @Nullable
    Guid instance() {
        return instance;
    }

    /** The next instance must not be this one; of many the last ones count. */
    void exclude(@Nullable Guid lost) {
        if (lost != null && !excluded.contains(lost)) {
            List<Guid> more = new ArrayList<>(excluded);
            if (more.size() == ScaffoldLimits.EXCLUDED_MAX) {
                more.removeFirst();
            }
            more.add(lost);
            excluded = more;
        }
    }
}
