package io.guidepost.packet.ip;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Ipv6;

/**
 * A pair of queues of an {@link IpInterface}, for boxes that forward packets: answers ARP, neighbour discovery and echo, finds
 * the Ethernet addresses of next hops, and sends packets on to them. Packets whose next hop is not known wait for the answer.
 * A packet keeps the VLAN tag that it came with, and its next hop is looked for in that VLAN; frames with more tags than one
 * are not taken. One thread's.
 */
public final class LinkQueue {
    /** The VLAN of frames without a tag. */
    public static final int UNTAGGED = InterfaceQueue.UNTAGGED;

    /** How soon a worker looks again whether another has learnt what its frames wait for. */
    private static final long LOOK_NANOS = 1_000_000;

    private static final int IPV6_GROUP = 0x3333;

    private final IpInterface face;
    private final InterfaceQueue queue;
    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final HeaderParser headers = new HeaderParser();
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final Ipv4Fragmenter fragmenter;
    private long roomPath;

    LinkQueue(IpInterface face, int number) {
        this.face = face;
        this.queue = new InterfaceQueue(face, number);
        this.rx = face.port.rx(number);
        this.tx = face.port.tx(number);
        this.in = rx.burst();
        this.fragmenter = new Ipv4Fragmenter(queue);
    }

    /** Returns true if an address is this interface's own; that of a service beside it is not. */
    public boolean isOwn(long high, long low) {
        return face.own.has(high, low);
    }

    /** The burst that was received. */
    public Burst in() {
        return in;
    }

    /** Headers of the frame that {@link #take} was asked about last. */
    public HeaderParser headers() {
        return headers;
    }

    /** Sends what waited for an answer that has come, gives up what waited too long, and receives: how many frames. */
    public int receive(long nowMillis) {
        queue.begin(nowMillis);
        if (queue.isWaiting()) {
            queue.release();
        }
        return rx.receive(in);
    }

    /** How long a worker may rest, see {@link io.guidepost.packet.worker.DutyCycle#restNanos}: another may learn what frames wait for. */
    public long restNanos() {
        return queue.isWaiting() ? LOOK_NANOS : Long.MAX_VALUE;
    }

    /** Sends what was gathered. */
    public int flush() {
        return queue.flush();
    }

    /**
     * Looks at a frame: ARP and neighbour discovery are answered here; what is broken or for others is counted and dropped.
     *
     * @return true if it is an IP packet for this interface's Ethernet address, which the caller is to deal with
     */
    public boolean take(int index) {
        if (!headers.read(in, index)) {
            return drop(Drop.MALFORMED);
        }
        long to = headers.destinationMac();
        long path = LinkPath.of(headers.sourceMac(), headers.vlan());
        if ((headers.sourceMac() & InterfaceQueue.GROUP_BIT) != 0 || !LinkPath.isTaggedOnceAtMost(headers)) {
            return drop(Drop.NOT_OURS);
        }
        boolean isOurs = to == face.mac;
        if (headers.isIpv6()) {
            return takeIpv6(isOurs || to >>> 32 == IPV6_GROUP, isOurs, path);
        }
        if (headers.etherType() == HeaderParser.ARP && (isOurs || to == LinkPath.mac(LinkPath.BROADCAST))) {
            return done(queue.arpNdp.takeArp(headers, path));
        }
        return isOurs && headers.isIpv4() && face.own.hasIpv4() || drop(Drop.NOT_OURS);
    }

    private boolean takeIpv6(boolean isHeard, boolean isOurs, long path) {
        // An IPv4 address in mapped form is for programs, and must not be on a wire.
        boolean isMapped = Addresses.isIpv4(headers.sourceHigh(), headers.sourceLow())
                || Addresses.isIpv4(headers.destinationHigh(), headers.destinationLow());
        if (isMapped || !isHeard || !face.own.hasIpv6()) {
            return drop(Drop.NOT_OURS);
        }
        if (ArpNdp.isNdp(headers)) {
            return done(queue.arpNdp.takeNdp(headers, path));
        }
        return isOurs || drop(Drop.NOT_OURS);
    }

    private boolean done(ControlOutcome outcome) {
        return switch (outcome) {
            case ANSWERED, LEARNT -> false;
            case IGNORED -> drop(Drop.NOT_OURS);
            case MALFORMED -> drop(Drop.MALFORMED);
        };
    }

    /** Counts a received frame as dropped; always false. */
    public boolean drop(Drop reason) {
        rx.statistics().drop(reason, 1);
        return false;
    }

    private static int vlan(long frame) {
        return Memory.u16(frame + 12) == HeaderParser.VLAN ? Memory.u16(frame + LinkPath.ETHERNET_BYTES) & 0xfff : UNTAGGED;
    }

    /** Where to write a packet of this interface's own in a VLAN; {@link Burst#NO_ROOM} if there is none, which is counted. */
    public long room(int vlan) {
        roomPath = LinkPath.of(0, vlan);
        return queue.room(roomPath);
    }

    /** Sends what was written there to a neighbour, and returns true; if that is not known yet it is asked for, and this is dropped. */
    public boolean sendRoom(int bytes, long hopHigh, long hopLow) {
        int vlan = LinkPath.vlan(roomPath);
        long known = face.neighbours.find(hopHigh, hopLow, vlan, queue.nowMillis());
        if (known != 0) {
            boolean isIpv4 = Addresses.isIpv4(hopHigh, hopLow);
            queue.sendRoom(LinkPath.of(known, vlan), isIpv4 ? HeaderParser.IPV4 : HeaderParser.IPV6, bytes);
        }
        // Where nothing was sent the request is written over what cannot be.
        queue.neighbour(hopHigh, hopLow, vlan);
        return known != 0;
    }

    /** Sends a packet on towards an address: to it if it is on this link, else to the gateway. */
    public void send(Burst from, int index, long high, long low) {
        sendTo(from, index, face.own.hopHigh(high, low), face.own.hopLow(high, low));
    }

    /** Sends a packet on to a neighbour of either family. */
    public void sendTo(Burst from, int index, long hopHigh, long hopLow) {
        if (!face.isNeighbour(hopHigh, hopLow)) {
            tx.statistics().drop(Drop.UNREACHABLE, 1);
            return;
        }
        int vlan = vlan(from.offset(index));
        long known = queue.neighbour(hopHigh, hopLow, vlan);
        if (known == 0) {
            queue.hold(from, index, hopHigh, hopLow, vlan, queue);
            return;
        }
        LinkPath.writeMacs(from.offset(index), known, face.mac);
        queue.pass(from, index);
    }

    /**
     * Sends an IPv4 packet on to a neighbour in fragments; the packet must be one that may be cut. While the neighbour is asked
     * for, it is dropped: what waits for neighbours is sent as it came.
     *
     * @param networkOffset where the packet begins in its frame
     * @param bytes of the packet
     * @param mtu of this link
     */
    public void fragmentTo(Burst from, int index, int networkOffset, int bytes, int mtu, long hopHigh, long hopLow) {
        int vlan = vlan(from.offset(index));
        long known = face.isNeighbour(hopHigh, hopLow) ? queue.neighbour(hopHigh, hopLow, vlan) : 0;
        if (known == 0) {
            tx.statistics().drop(Drop.UNREACHABLE, 1);
            return;
        }
        // The checksum of the transport must be whole before the packet is cut.
        InternetChecksum.complete(from, index);
        fragmenter.send(from.offset(index) + networkOffset, bytes, mtu, LinkPath.of(known, vlan));
    }

    /** Answers the frame that was {@linkplain #take taken} if it asks for an echo; returns true if it is done with. */
    public boolean answerEcho(int index) {
        ControlOutcome outcome = queue.echo.take(in, index, headers);
        if (outcome == ControlOutcome.MALFORMED) {
            drop(Drop.MALFORMED);
        }
        return outcome != ControlOutcome.IGNORED;
    }

    /** Takes one hop off the life of the packet that was taken; if none is left, tells its sender and drops it. */
    public boolean hop(int index) {
        long packet = in.offset(index) + headers.networkOffset();
        if (headers.isIpv6() ? ipv6.wrap(packet, Ipv6.BYTES).hop() : ipv4.wrap(packet, Ipv4.BYTES).hop()) {
            return true;
        }
        queue.errors.timeExceeded(headers);
        return drop(Drop.HOPS_EXCEEDED);
    }

    /** Tells the sender of the packet that was taken that there is no route to its destination; always false. */
    public boolean dropUnreachable() {
        queue.errors.noRoute(headers);
        return drop(Drop.UNREACHABLE);
    }

    /** Tells the sender of the packet that was taken that its destination cannot be reached, and drops it for a reason; always false. */
    public boolean dropHostUnreachable(Drop reason) {
        queue.errors.hostUnreachable(headers);
        return drop(reason);
    }

    /** Tells the sender of the packet that was taken how long packets may be, if it wants to know; always false. */
    public boolean dropTooLong(int bytesMax) {
        queue.errors.tooBig(headers, bytesMax);
        return drop(Drop.TOO_LARGE);
    }
}
