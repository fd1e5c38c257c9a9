package io.guidepost.middlebox.link;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.frame.Ipv6;

/**
 * A pair of queues of a {@link Link}: answers ARP, neighbour discovery and echo, finds the Ethernet addresses of next hops,
 * and sends packets on to them. A packet whose next hop is not known waits for the answer, one for each next hop. A packet
 * keeps the VLAN tag that it came with, and its next hop is looked for in that VLAN; frames with more tags than one are not
 * taken. One thread's.
 */
public final class LinkQueue {
    /** The VLAN of frames without a tag. */
    public static final int UNTAGGED = -1;

    static final long BROADCAST = 0xffff_ffff_ffffL;
    static final long GROUP_BIT = 1L << 40;

    private static final int ETHERNET_BYTES = 14;
    private static final int TAGGED_BYTES = 18;
    private static final int FRAME_BYTES_MIN = 60;
    private static final int IPV6_GROUP = 0x3333;

    final Link link;
    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;
    private final Waiting waiting;
    private final HeaderParser headers = new HeaderParser();
    private final Ipv4 ipv4 = new Ipv4();
    private final Ipv6 ipv6 = new Ipv6();
    private final Resolution resolution = new Resolution(this);
    private final Echo echo = new Echo(this);
    private final Errors errors;
    private long nowMillis;
    private int roomVlan = UNTAGGED;

    LinkQueue(Link link, int number) {
        this.link = link;
        this.rx = link.port.rx(number);
        this.tx = link.port.tx(number);
        this.in = rx.burst();
        this.out = tx.burst();
        this.waiting = new Waiting(tx.burst());
        this.errors = new Errors(this, Math.max(1, Limits.ERRORS_PER_SECOND / link.port.queues()));
    }

    /** What it is on this link. */
    public LinkAddresses own() {
        return link.own;
    }

    /** Whether an address is this link's own; that of a service beside it is not. */
    public boolean isOwn(long high, long low) {
        return link.isOwn(high, low);
    }

    /** The burst that was received. */
    public Burst in() {
        return in;
    }

    /** Headers of the frame that {@link #take} was asked about last. */
    public HeaderParser headers() {
        return headers;
    }

    long nowMillis() {
        return nowMillis;
    }

    /** Sends what waited for an answer that has come, gives up what waited too long, and receives: how many frames. */
    public int receive(long now) {
        nowMillis = now;
        if (waiting.count() > 0) {
            lookAfterWaiting();
        }
        return rx.receive(in);
    }

    /** How long a worker may rest, see {@link io.guidepost.packet.worker.DutyCycle#restNanos}: another may learn what frames wait for. */
    public long restNanos() {
        return waiting.count() > 0 ? Limits.LOOK_NANOS : Long.MAX_VALUE;
    }

    /** Sends what was gathered. */
    public int flush() {
        return out.count() == 0 ? 0 : tx.send(out);
    }

    /**
     * Looks at a frame: ARP and neighbour discovery are answered here; what is broken or for others is counted and dropped.
     *
     * @return whether it is an IP packet for this link's Ethernet address, which its owner is to deal with
     */
    public boolean take(int index) {
        if (!headers.read(in, index)) {
            return drop(Drop.MALFORMED);
        }
        long to = headers.destinationMac();
        if ((headers.sourceMac() & GROUP_BIT) != 0 || headers.networkOffset() != headerBytes(vlan(in.offset(index)))) {
            return drop(Drop.NOT_OURS);
        }
        if (headers.isIpv6()) {
            return takeIpv6(index, to);
        }
        if (to != link.mac && to != BROADCAST) {
            return drop(Drop.NOT_OURS);
        }
        if (headers.etherType() == HeaderParser.ARP) {
            return resolution.takeArp(index);
        }
        return headers.isIpv4() && !link.own.ipv4().isNone() || drop(Drop.NOT_OURS);
    }

    private boolean takeIpv6(int index, long to) {
        // An IPv4 address in mapped form is for programs, and must not be on a wire.
        boolean isMapped = Addresses.isIpv4(headers.sourceHigh(), headers.sourceLow())
                || Addresses.isIpv4(headers.destinationHigh(), headers.destinationLow());
        if (isMapped || link.own.ipv6().isNone() || to != link.mac && to >>> 32 != IPV6_GROUP) {
            return drop(Drop.NOT_OURS);
        }
        if (headers.protocol() == HeaderParser.ICMPV6 && resolution.takeNeighbour(index)) {
            return false;
        }
        return to == link.mac || drop(Drop.NOT_OURS);
    }

    /** Counts a received frame as dropped; always false. */
    public boolean drop(Drop reason) {
        rx.statistics().drop(reason, 1);
        return false;
    }

    /** The VLAN of a frame, {@link #UNTAGGED} without a tag. */
    static int vlan(long frame) {
        return Memory.u16(frame + 12) == HeaderParser.VLAN ? Memory.u16(frame + ETHERNET_BYTES) & 0xfff : UNTAGGED;
    }

    private static int headerBytes(int vlan) {
        return vlan == UNTAGGED ? ETHERNET_BYTES : TAGGED_BYTES;
    }

    /**
     * Where to write a packet of this link's own, behind place for an Ethernet header and perhaps a tag;
     * {@link Burst#NO_ROOM} if there is none, which is counted.
     */
    public long room(int vlan) {
        roomVlan = vlan;
        return hasRoom() ? out.room() + headerBytes(vlan) : Burst.NO_ROOM;
    }

    /** Sends what was written there to a neighbour; if that is not known yet it is asked for, and this is dropped. */
    public void sendRoom(int bytes, long hopHigh, long hopLow) {
        int vlan = roomVlan;
        long known = link.neighbours.find(hopHigh, hopLow, vlan, nowMillis);
        if (known != 0) {
            boolean isIpv4 = Addresses.isIpv4(hopHigh, hopLow);
            sendRoomTo(bytes, known, isIpv4 ? HeaderParser.IPV4 : HeaderParser.IPV6);
        }
        // Where nothing was sent the question is written over what cannot be.
        if (link.neighbours.fresh(hopHigh, hopLow, vlan, nowMillis) == 0) {
            ask(hopHigh, hopLow, vlan);
        }
    }

    private void ask(long hopHigh, long hopLow, int vlan) {
        if (link.neighbours.mustAsk(hopHigh, hopLow, vlan, nowMillis)) {
            resolution.ask(hopHigh, hopLow, vlan);
        }
    }

    /** Sends what was written there to an Ethernet address. */
    void sendRoomTo(int bytes, long mac, int etherType) {
        long frame = out.room();
        int header = headerBytes(roomVlan);
        ethernet(frame, mac);
        if (roomVlan != UNTAGGED) {
            Memory.put32(frame + 12, HeaderParser.VLAN << 16 | roomVlan);
        }
        Memory.put16(frame + header - 2, etherType);
        for (int i = header + bytes; i < FRAME_BYTES_MIN; i++) {
            Memory.put8(frame + i, 0);
        }
        out.append(Math.max(FRAME_BYTES_MIN, header + bytes));
    }

    private boolean hasRoom() {
        if (!out.hasRoom()) {
            tx.send(out);
        }
        if (!out.hasRoom()) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
            return false;
        }
        return true;
    }

    private void ethernet(long frame, long to) {
        Memory.put64(frame, to << 16 | link.mac >>> 32);
        Memory.put32(frame + 8, (int) link.mac);
    }

    /** Sends a packet on towards an IPv4 address: to it if it is on this link, else to the gateway. */
    public void send(Burst from, int index, int destination) {
        int hop = link.own.ipv4().isOnLink(destination) ? destination : link.gateway;
        sendTo(from, index, 0, Addresses.ipv4Low(hop));
    }

    /** Sends a packet on to a neighbour of either family. */
    public void sendTo(Burst from, int index, long hopHigh, long hopLow) {
        if (!isNeighbour(hopHigh, hopLow)) {
            tx.statistics().drop(Drop.UNREACHABLE, 1);
            return;
        }
        int vlan = vlan(from.offset(index));
        long known = link.neighbours.fresh(hopHigh, hopLow, vlan, nowMillis);
        if (known == 0) {
            ask(hopHigh, hopLow, vlan);
            known = link.neighbours.find(hopHigh, hopLow, vlan, nowMillis);
        }
        if (known == 0) {
            hold(from, index, hopHigh, hopLow, vlan);
            return;
        }
        ethernet(from.offset(index), known);
        pass(from, index);
    }

    private boolean isNeighbour(long high, long low) {
        return Addresses.isIpv4(high, low)
                ? (int) low != 0 && !link.own.ipv4().isBroadcast((int) low)
                : !link.own.ipv6().isNone();
    }

    private void pass(Burst from, int index) {
        if (out.isFull()) {
            tx.send(out);
        }
        if (!out.take(from, index)) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
        }
    }

    private void hold(Burst from, int index, long hopHigh, long hopLow, int vlan) {
        if (waiting.has(hopHigh, hopLow, vlan)) {
            tx.statistics().drop(Drop.UNREACHABLE, 1);
        } else if (!waiting.take(from, index, hopHigh, hopLow, vlan, nowMillis)) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
        }
    }

    /** Any worker of the link may have learnt what these wait for. */
    void lookAfterWaiting() {
        for (int i = waiting.count() - 1; i >= 0; i--) {
            long known = link.neighbours.find(waiting.high(i), waiting.low(i), waiting.vlan(i), nowMillis);
            if (known != 0) {
                ethernet(waiting.frames().offset(i), known);
                pass(waiting.frames(), i);
                waiting.remove(i);
            } else if (waiting.isOver(i, nowMillis)) {
                waiting.remove(i);
                tx.statistics().drop(Drop.UNREACHABLE, 1);
            }
        }
    }

    /** Answers the frame that was {@linkplain #take taken} if it asks for an echo; says whether that is done with. */
    public boolean answerEcho(int index) {
        return echo.answer(index);
    }

    /** Sends a frame that was received back to the station that it came from. */
    void sendBack(int index) {
        ethernet(in.offset(index), headers.sourceMac());
        pass(in, index);
    }

    /** Takes one hop off the life of the packet that was taken; if none is left, tells its sender and drops it. */
    public boolean hop(int index) {
        long packet = in.offset(index) + headers.networkOffset();
        if (headers.isIpv6() ? ipv6.wrap(packet, Ipv6.BYTES).hop() : ipv4.wrap(packet, Ipv4.BYTES).hop()) {
            return true;
        }
        errors.expired(index);
        return drop(Drop.HOPS_EXCEEDED);
    }

    /** Tells the sender of the packet that was taken that there is no way to its destination; always false. */
    public boolean dropUnreachable(int index) {
        errors.unreachable(index);
        return drop(Drop.UNREACHABLE);
    }

    /** Tells the sender of the packet that was taken how long packets may be, if it wants to know; always false. */
    public boolean dropTooLong(int index, int bytesMax) {
        errors.tooLong(index, bytesMax);
        return drop(Drop.TOO_LARGE);
    }
}
