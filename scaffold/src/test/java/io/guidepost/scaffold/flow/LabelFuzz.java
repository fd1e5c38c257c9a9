package io.guidepost.scaffold.flow;

import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.packet.bpf.FlowOffload;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Icmpv6;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.SegmentWriter;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.LabelHeader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Packets to the labels of a gateway that has one flow, for {@code ./guidepost fuzz}: what is not of the flow goes nowhere. */
public final class LabelFuzz implements GatewayOutput {
    static final long OWN = 0xfd00_0001_0000_0000L;
    static final long PEER = 0xfd00_0002_0000_0000L;
    static final long FLOW = 0x1122_3344_5566_7788L;
    static final long PEER_FLOW = 0x99aa_bbcc_ddee_ff00L;
    static final int EPOCH = 3;
    static final FlowTuple TUPLE = new FlowTuple(
            GatewaySettings.IPV6_HIGH, 0x6440_0001, GatewaySettings.IPV6_HIGH, 0x6440_0207, 8080 << 16 | 40_001, IpPacket.TCP);

    private static final Guid OBJECT = Guid.ofAscii("web");
    private static final HostLocator PLACE = new HostLocator(PEER, 1, FlowMachine.PORT);
    private static final int ROOM_BYTES = 4_096;
    private static final LabelFuzz ONE = new LabelFuzz();

    final FlowMachine machine;
    final List<byte[]> toKernel = new ArrayList<>();
    final List<byte[]> toNetwork = new ArrayList<>();
    final TestOffload kernel = new TestOffload();
    private final long room = Arena.global().allocate(ROOM_BYTES, 8).address();

    /** A gateway that goes on with a flow of the one before: an instance's end. */
    LabelFuzz() {
        SecureRandom random = new SecureRandom();
        HostKey own = HostKey.generate(random);
        HostKey share = HostKey.generate(random);
        GatewaySettings settings = new GatewaySettings(0x6440_0000, 10, 16, 10_000, 0);
        MemorySegment memory = Arena.global().allocate(FlowMemory.bytes(settings), 8);
        FlowMemory kept = new FlowMemory(memory, (_, _) -> true, settings);
        LocalHost host = new LocalHost(settings, own, () -> share, random::nextLong, this, kept);
        try {
            byte[] other = HostKey.generate(random).open();
            PeerHost peer = new PeerHost(host, Association.agree(own, share, other, HostKey.generate(random).open()));
            peer.keep();
            CarriedFlow flow = new CarriedFlow(FLOW, TUPLE, OBJECT, false);
            flow.epoch = EPOCH;
            flow.peer(peer, PEER_FLOW, OBJECT);
            flow.keep(kept.flows);
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
        new FlowMemory(memory, (_, _) -> true, settings).hosts.forEach(row -> {
            Memory.put32(row + 156, 1);
            PLACE.write(Memory.ALL, row + 160);
        });
        FlowMemory left = new FlowMemory(memory, (_, _) -> true, settings);
        machine = new FlowMachine(settings, own, () -> share, random::nextLong, this, left);
        machine.clock(1, 1_000_000);
        machine.way(0, new HostLocator(OWN, 1, FlowMachine.PORT), true, true);
        toNetwork.clear();
    }

    @Override
    public void toKernel(long packet, int length) {
        toKernel.add(Memory.read(packet, length));
    }

    @Override
    public void toNetwork(int way, long peerHigh, long peerLow, int peerPort, long datagram, int length) {
        toNetwork.add(Memory.read(datagram, length));
    }

    @Override
    public FlowOffload offload() {
        return kernel;
    }

    void fromKernel(byte[] packet) {
        Memory.copy(packet, 0, room + 64, packet.length);
        machine.fromKernel(room + 64, packet.length);
    }

    void fromNetwork(byte[] datagram) {
        Memory.copy(datagram, 0, room, datagram.length);
        machine.fromNetwork(0, PLACE.high(), PLACE.low(), PLACE.port(), room, datagram.length);
    }

    /** Tries one. */
    public static void fuzz(byte[] packet) {
        if (packet.length > ROOM_BYTES - 64) {
            return;
        }
        ONE.toKernel.clear();
        ONE.fromKernel(packet);
        for (byte[] each : ONE.toKernel) {
            long high = Memory.longAt(each, 24);
            long low = Memory.longAt(each, 32);
            boolean ours = high == TUPLE.ownHigh() && low == TUPLE.ownLow();
            if (!ours && (high != PEER || low != PEER_FLOW) && !refuses(packet)) {
                throw new AssertionError("a packet goes to " + Long.toHexString(high) + ":" + Long.toHexString(low));
            }
        }
    }

    /** A segment of a program that is to no label may get a reset. */
    private static boolean refuses(byte[] packet) {
        return packet.length < LabelHeader.BYTES || Memory.longAt(packet, 24) != OWN;
    }

    static byte[] bare(boolean heard) {
        byte[] bytes = new byte[LabelHeader.BYTES];
        long at = Arena.global().allocate(LabelHeader.BYTES, 8).address();
        LabelHeader.writeBare(at, PEER, PEER_FLOW, OWN, FLOW, EPOCH, heard);
        System.arraycopy(Memory.read(at, bytes.length), 0, bytes, 0, bytes.length);
        return bytes;
    }

    /** A segment as the peer's gateway sends it. */
    static byte[] labelled() {
        FlowTuple labels = new FlowTuple(OWN, FLOW, PEER, PEER_FLOW, TUPLE.ports(), IpPacket.TCP);
        IpPacket packet = new SegmentWriter()
                .write(labels, true, SegmentWriter.Numbers.of(5, 6, Tcp.ACK, 1_000), new byte[] {'h', 'i'}, 0, 2);
        LabelHeader.epoch(packet.address(), EPOCH);
        return packet.bytes();
    }

    /** What a router says of a packet that the gateway has sent. */
    static byte[] error(int type, int mtu) {
        FlowTuple labels = new FlowTuple(OWN, FLOW, PEER, PEER_FLOW, TUPLE.ports(), IpPacket.TCP);
        IpPacket sent = new SegmentWriter().write(labels, false, SegmentWriter.Numbers.of(6, 7, Tcp.ACK, 1_000), new byte[] {'y'}, 0, 1);
        LabelHeader.epoch(sent.address(), EPOCH);
        byte[] quoted = sent.bytes();
        int bytes = Icmpv6.BYTES + quoted.length;
        long at = Arena.global().allocate(LabelHeader.BYTES + bytes, 8).address();
        LabelHeader.writeBare(at, 0xfd00_0009_0000_0000L, 9, OWN, FLOW, 0, false);
        Memory.put16(at + 4, bytes);
        Memory.put8(at + 6, HeaderParser.ICMPV6);
        Memory.copy(quoted, 0, at + LabelHeader.BYTES + Icmpv6.BYTES, quoted.length);
        long pseudo = InternetChecksum.pseudoIpv6(0xfd00_0009_0000_0000L, 9, OWN, FLOW, HeaderParser.ICMPV6, bytes);
        new Icmpv6().wrap(at + LabelHeader.BYTES, bytes).write(type, 0, mtu).fillChecksum(pseudo, bytes);
        return Memory.read(at, LabelHeader.BYTES + bytes);
    }

    /** Right ones. */
    public static List<byte[]> seeds() {
        return List.of(bare(false), bare(true), labelled(), error(Icmpv6.PACKET_TOO_BIG, 1_300), error(Icmpv6.UNREACHABLE, 0));
    }
}
