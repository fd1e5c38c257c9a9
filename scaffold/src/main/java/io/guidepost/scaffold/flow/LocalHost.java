package io.guidepost.scaffold.flow;

import io.guidepost.base.Counters;
import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.base.TokenBucket;
import io.guidepost.names.Guid;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.DataSeal;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.Seal;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.metrics.FlowTally;
import io.guidepost.scaffold.resume.KeptBytes;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.SegmentWriter;
import io.guidepost.scaffold.segment.TcpOptions;
import io.guidepost.scaffold.wire.CarriageHeader;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.ControlWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.MessageType;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import io.guidepost.scaffold.wire.Tlv;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What all parts of a gateway's machine share: its keys, ways, flows and peers, the time, and the way out. One thread's. */
final class LocalHost {
    static final long MILLI = 1_000_000;

    /** After this time, and then twice as long each time, a control message is sent again. */
    static final long RETRANSMIT_NANOS = 25 * MILLI;

    /** Of a flow that is silent, though an answer is awaited, the peer is asked after this time. */
    private static final long ASK_NANOS = 300 * MILLI;

    /** For so long a key of the hour is used. */
    private static final long SHARE_NANOS = 3_600_000 * MILLI;

    /** It is used for so long at least, though a host that was forgotten comes again: each change is told to all that have flows. */
    static final long SHARE_NANOS_MIN = 60_000 * MILLI;

    /** How often a control message is sent before something else is tried. */
    static final int TRIES_MAX = 5;

    /** Hosts that are looked at for one without a flow, before a new one is refused. */
    private static final int FORGET_TRIES = 64;

    /** Hosts that greet each other for the first time, in a second: each costs half a millisecond. */
    private static final int ASSOCIATIONS_PER_SECOND = 500;

    /** Bytes that all flows together keep for going on at another instance. */
    private static final long KEPT_BYTES_MAX = 64 << 20;

    final GatewaySettings settings;
    final HostKey own;
    private final Supplier<HostKey> shares;

    /** The key of the hour: new with each process, so that who has the keys of one later reads nothing of before. */
    HostKey share;

    private long shareNanos;

    /** Hosts that are remembered: as many as the gateway's memory has rows for. */
    private final int peersMax;

    final LongSupplier random;
    final GatewayOutput output;
    final Seal seal = new Seal();
    final ControlSender control;
    final FlowTally tally = FlowTally.zero();
    final Counters<FlowCount> counts = tally.counts();
    final FlowTable flows;
    final FlowMemory memory;
    final AddressAliases aliases;
    final HeldFlight.Pool flights = new HeldFlight.Pool();
    final KeptBytes kept = new KeptBytes(KEPT_BYTES_MAX, () -> counts.count(FlowCount.BOUNDS_KEPT_BYTES));
    final SegmentWriter segments = new SegmentWriter();
    final LabelCarriage labels = new LabelCarriage(this);
    final OffloadedFlows offload;
    final FlowTimers timers = new FlowTimers();
    final Map<Guid, PeerHost> peers = new LinkedHashMap<>();

    /**
     * Hosts that were forgotten since the key of the hour was made: what it agrees on with one of them was in use, and would count
     * messages and packets from 0 again.
     */
    private final Set<Guid> forgotten = new HashSet<>();

    /** Those of them that have a flow: only these are looked at in each turn. */
    final Set<PeerHost> active = new LinkedHashSet<>();

    final List<OwnWay> ways = new ArrayList<>();
    private final IpPacket held = new IpPacket();
    private final MemorySegment scratch =
            Arena.ofAuto().allocate(FlowMachine.HEADROOM_BYTES + ScaffoldLimits.HANDSHAKE_PACKET_BYTES_MAX, Long.BYTES);
    private final TokenBucket associations = new TokenBucket(ASSOCIATIONS_PER_SECOND, ASSOCIATIONS_PER_SECOND);

    /** How often this host has moved. Begins with the time, so that a host that starts again counts on. */
    int moves;

    /** Where an object router sees this host, if that is none of its own places: it is behind a NAT. */
    @Nullable
    HostLocator observed;

    /** Whether a way has labels. */
    boolean hasLabels;

    /** Whether the packets of all new flows are sealed. */
    boolean seals;

    final DataSeal data = new DataSeal();

    /** Of all connections: each reads the options of a segment when it needs them. */
    final TcpOptions options = new TcpOptions();

    /** Room for one sealed packet. */
    private MemorySegment sealed = MemorySegment.NULL;

    long nowNanos;
    long nowMillis;

    LocalHost(
            GatewaySettings settings,
            HostKey own,
            Supplier<HostKey> shares,
            LongSupplier random,
            GatewayOutput output,
            FlowMemory memory) {
        this.settings = settings;
        this.peersMax = Math.min(settings.flowsMax(), FlowMemory.HOSTS_MAX);
        this.own = own;
        this.shares = shares;
        this.share = shares.get();
        this.random = random;
        this.output = output;
        this.offload = new OffloadedFlows(this);
        this.control = new ControlSender(own.guid(), output, seal);
        this.flows = new FlowTable(settings.flowsMax());
        this.memory = memory;
        this.aliases = new AddressAliases(settings, memory.aliases);
        memory.hosts.forEach(row -> {
            PeerHost kept = PeerHost.kept(this, row);
            peers.put(kept.guid(), kept);
        });
    }

    void clock(long nanos, long millis) {
        nowNanos = nanos;
        nowMillis = millis;
        if (moves == 0) {
            moves = (int) (millis / 1_000);
            shareNanos = nanos;
        }
        if (nanos - shareNanos >= SHARE_NANOS) {
            changeShare();
        }
        associations.refill(nanos);
    }

    /** Uses another key of the hour from now on. */
    void changeShare() {
        share = shares.get();
        shareNanos = nowNanos;
        forgotten.clear();
        tellShare();
    }

    /** Has the hosts with flows be told of the key of the hour, one after the other: each agreement costs half a millisecond. */
    void tellShare() {
        long at = nowNanos;
        for (PeerHost each : active) {
            each.rekeyAt(at);
            at += 1_000 * MILLI / ASSOCIATIONS_PER_SECOND;
        }
    }

    /** Adds this host's keys to a message. */
    ControlWriter putKeys(ControlWriter writer, byte[] ownShare) {
        return writer.bytes(Tlv.HOST_KEY, own.open()).bytes(Tlv.KEY_SHARE, ownShare);
    }

    /** Returns the way that is taken where nothing else is known: the first that is up; -1 if none is. */
    int way() {
        for (int i = 0; i < ways.size(); i++) {
            if (ways.get(i).up()) {
                return i;
            }
        }
        return -1;
    }

    boolean isUp(int way) {
        return way >= 0 && way < ways.size() && ways.get(way).up();
    }

    /** Takes where an object router sees this host. */
    void observed(HostLocator at) {
        observed = ways.stream().anyMatch(each -> each.locator().equals(at)) ? null : at;
    }

    /** Adds where this host is to a message: those of its ways that are up. */
    void putLocators(ControlWriter writer) {
        for (OwnWay each : ways) {
            if (each.up()) {
                writer.locator(Tlv.LOCATOR, each.locator());
            }
        }
    }

    /**
     * Returns the host whose keys stand in a message that another has sealed, after agreeing with it if that is due. What is agreed is
     * used when the host has shown that it has it.
     *
     * @return null if the keys are not those of the host, too many new hosts come, or too many have flows
     */
    @Nullable
    PeerHost asker(ControlMessage message) {
        PeerHost there = peers.get(message.guid(Tlv.HOST));
        if (there != null && there.keys.knows(share, message.bytes(Tlv.KEY_SHARE))) {
            return there;
        }
        Association agreed = agree(message, there);
        if (agreed == null || there == null) {
            return agreed == null ? null : add(agreed);
        }
        there.next(agreed);
        return there;
    }

    /**
     * Returns the host that has sealed a message in which its keys stand; null if its seal is wrong.
     *
     * @param isAwaited whether the message answers one with this host's key of the hour: then its keys may be new
     */
    @Nullable
    PeerHost answerer(ControlMessage message, boolean isAwaited) {
        PeerHost there = peers.get(message.guid(Tlv.HOST));
        if (there != null && there.check(message)) {
            return there;
        }
        boolean isNew = isAwaited && (there == null || !there.keys.knows(share, message.bytes(Tlv.KEY_SHARE)));
        Association agreed = isNew ? agree(message, there) : null;
        if (agreed == null || !seal.check(agreed, message)) {
            counts.count(FlowCount.DROPS_SEAL);
            return null;
        }
        if (there == null) {
            return add(agreed);
        }
        there.use(agreed);
        return there;
    }

    private @Nullable Association agree(ControlMessage message, @Nullable PeerHost there) {
        byte[] key = message.bytes(Tlv.HOST_KEY);
        if (!HostKey.guid(key).equals(message.guid(Tlv.HOST))) {
            counts.count(FlowCount.DROPS_NOT_ALLOWED);
            return null;
        }
        boolean again = there == null && forgotten.contains(message.guid(Tlv.HOST));
        if (again && nowNanos - shareNanos < SHARE_NANOS_MIN || there == null && peers.size() >= peersMax && !forgetPeer()) {
            counts.count(FlowCount.DROPS_PEERS_MAX);
            return null;
        }
        if (!associations.tryTake(1)) {
            counts.count(FlowCount.DROPS_ASSOCIATION_RATE);
            return null;
        }
        if (again) {
            // An answer to what was sent with the key before is refused by its seal; what is sent again has the new one.
            changeShare();
        }
        try {
            return Association.agree(own, share, key, message.bytes(Tlv.KEY_SHARE));
        } catch (Malformed e) {
            counts.count(FlowCount.DROPS_NOT_ALLOWED);
            return null;
        }
    }

    /** Forgets the host without a flow that was agreed with first; false if none is found. */
    private boolean forgetPeer() {
        for (int i = 0; i < FORGET_TRIES; i++) {
            PeerHost oldest = peers.values().iterator().next();
            peers.remove(oldest.guid());
            if (oldest.flows() == 0) {
                oldest.forget();
                forgotten.add(oldest.guid());
                if (forgotten.size() > peersMax) {
                    changeShare();
                }
                counts.count(FlowCount.PEERS_FORGOTTEN);
                return true;
            }
            peers.put(oldest.guid(), oldest);
        }
        return false;
    }

    private PeerHost add(Association agreed) {
        PeerHost fresh = new PeerHost(this, agreed);
        peers.put(agreed.peer(), fresh);
        return fresh;
    }

    /** Writes a flow that stands into the gateway's memory. */
    void keep(CarriedFlow flow) {
        if (!flow.keep(memory.flows)) {
            counts.count(FlowCount.BOUNDS_FLOWS_KEPT);
        }
    }

    /** Returns the address of a copy of a packet, with the headroom of a packet before it; good until the next one. */
    long scratch(byte[] packet) {
        long at = scratch.address() + FlowMachine.HEADROOM_BYTES;
        MemorySegment.copy(packet, 0, Memory.ALL, Memory.BYTE, at, packet.length);
        return at;
    }

    /** Keeps a copy of a segment until it is acknowledged. */
    private void hold(CarriedFlow flow, IpPacket packet) {
        if (flow.isTcp()) {
            HeldFlight flight = flow.held == null ? flights.take() : flow.held;
            if (flight == null) {
                counts.count(FlowCount.BOUNDS_HELD_FLIGHTS);
            } else {
                flight.hold(packet);
                flow.held = flight;
            }
        }
    }

    /** Takes what the peer acknowledges. */
    void acknowledged(CarriedFlow flow, IpPacket packet) {
        HeldFlight flight = flow.held;
        if (flight != null && packet.has(Tcp.ACK)) {
            flight.acknowledged(packet.acknowledgment());
            if (flight.count() == 0) {
                release(flow);
            }
        }
    }

    /** Frees what was kept of a flow. */
    void release(CarriedFlow flow) {
        HeldFlight flight = flow.held;
        if (flight != null) {
            flow.held = null;
            flights.free(flight);
        }
    }

    /** Sends again what is kept of all flows with a peer: the path was broken, and is not any more. */
    void sendHeld(PeerHost peer) {
        flows.forEach(each -> {
            HeldFlight flight = each.held;
            if (each.peer() == peer && flight != null) {
                for (int i = 0; i < flight.count(); i++) {
                    held.read(flight.packet(i), flight.length(i));
                    toPeer(each, held);
                    counts.count(FlowCount.SEGMENTS_HELD_SENT);
                }
            }
        });
    }

    /** Forgets a flow. */
    void forget(CarriedFlow flow) {
        offload.takeBack(flow);
        flow.state = CarriedFlow.State.OVER;
        timers.clear(flow);
        release(flow);
        flow.forgetResumable();
        flow.free(memory.flows);
        flow.leavePeer();
        flows.remove(flow);
    }

    /** Takes note of a packet that the peer's program will answer. */
    void sent(CarriedFlow flow, IpPacket packet) {
        PeerHost peer = flow.peer();
        if (peer != null) {
            peer.suspicion.sent(nowNanos);
            hold(flow, packet);
            awaits(flow);
        }
    }

    /** Has a flow be looked at soon, as an answer is awaited. */
    private void awaits(CarriedFlow flow) {
        if (flow.dueNanos - nowNanos > ASK_NANOS) {
            flow.asked = 0;
            timers.set(flow, nowNanos + ASK_NANOS);
        }
    }

    /**
     * Looks at an open flow: the peer is asked whether it has the flow still, if an answer is awaited and none comes.
     *
     * @return false if the flow has been idle for too long
     */
    boolean look(CarriedFlow flow, boolean awaits) {
        PeerHost peer = flow.peer();
        long idle = FlowMachine.idleNanos(flow);
        if (nowNanos - flow.usedNanos >= idle) {
            return false;
        }
        if (!awaits || peer == null) {
            timers.set(flow, flow.usedNanos + idle);
            return true;
        }
        if (nowNanos - flow.heardNanos >= ASK_NANOS) {
            ask(flow, peer);
            flow.asked++;
            if (flow.asked > Suspicion.MISSES_MAX) {
                peer.missed();
            }
        } else {
            flow.asked = 0;
        }
        timers.set(flow, nowNanos + (ASK_NANOS << Math.min(flow.asked, 5)));
        return true;
    }

    /** Asks a peer whether it has a flow still. */
    void ask(CarriedFlow flow, PeerHost peer) {
        control.begin(MessageType.PATH_CHALLENGE, 0, flow.peerFlow(), flow.id, flow.epoch, peer.association())
                .longNumber(Tlv.NONCE, 0);
        peer.send();
    }

    /** Has a flow end a while after both sides have said their last. */
    void closing(CarriedFlow flow) {
        if (flow.kernelFin && flow.peerFin && flow.state == CarriedFlow.State.OPEN) {
            flow.state = CarriedFlow.State.CLOSING;
            flow.free(memory.flows);
            timers.set(flow, nowNanos + FlowMachine.CLOSING_NANOS);
        }
    }

    /** Gives a packet to the local kernel as one of a flow. */
    void toKernel(CarriedFlow flow, IpPacket came) {
        IpPacket packet = came.isIpv4() && !flow.tuple.isIpv4() ? segments.copy(came) : came;
        if (packet.readdress(flow.kernelTuple())) {
            counts.count(FlowCount.PACKETS_RECEIVED);
            counts.add(FlowCount.BYTES_RECEIVED, packet.length());
            output.toKernel(packet.address(), packet.length());
        } else {
            counts.count(FlowCount.DROPS_PACKET);
        }
    }

    /** Gives a segment that was made here, in the name of the peer, to the local kernel. */
    void toKernel(IpPacket made) {
        output.toKernel(made.address(), made.length());
    }

    /** Sends a packet to the other end of a flow, behind a header that is written before it. */
    void toPeer(CarriedFlow flow, IpPacket packet) {
        PeerHost peer = flow.peer();
        if (peer == null) {
            return;
        }
        counts.count(FlowCount.PACKETS_SENT);
        counts.add(FlowCount.BYTES_SENT, packet.length());
        if (flow.sealed()) {
            counts.count(FlowCount.PACKETS_SENT_SEALED);
            if (sealed.byteSize() < CarriageHeader.BYTES + packet.length() + DataSeal.MORE_BYTES) {
                sealed = Arena.ofAuto().allocate(CarriageHeader.BYTES + packet.length() + DataSeal.MORE_BYTES, Long.BYTES);
            }
            long datagram = sealed.address();
            CarriageHeader.write(Memory.ALL, datagram, CarriageHeader.SEALED, flow.peerFlow(), flow.epoch);
            peer.carry(datagram, data.put(peer.association(), datagram, packet.address(), packet.length(), nowNanos));
        } else if (hasLabels && labels.send(flow, peer, packet)) {
            counts.count(FlowCount.PACKETS_SENT_LABELLED);
        } else {
            long datagram = packet.address() - CarriageHeader.BYTES;
            CarriageHeader.write(Memory.ALL, datagram, CarriageHeader.CLEAR, flow.peerFlow(), flow.epoch);
            peer.carry(datagram, packet.length() + CarriageHeader.BYTES);
        }
    }

    /** Opens a sealed packet in its place; returns its length, -1 if it is dropped. From now on the flow takes none in clear. */
    int open(CarriedFlow flow, PeerHost peer, long datagram, int length) {
        int bytes = peer.open(datagram, length);
        if (bytes < 0) {
            counts.count(FlowCount.DROPS_DATA_SEAL);
        } else {
            flow.seal();
        }
        return bytes;
    }

    /**
     * Resets a connection of a local program, in the peer's name.
     *
     * @param sequences of which one is the next that the kernel expects: what it has acknowledged, or all that it was given
     */
    void resetKernel(CarriedFlow flow, int... sequences) {
        if (flow.isTcp()) {
            for (int i = 0; i < sequences.length; i++) {
                if (i == 0 || sequences[i] != sequences[0]) {
                    SegmentWriter.Numbers numbers =
                            SegmentWriter.Numbers.of(sequences[i], flow.kernelNext, Tcp.RST | Tcp.ACK, 0);
                    toKernel(segments.writeBare(flow.tuple, true, numbers));
                }
            }
        }
    }
}
