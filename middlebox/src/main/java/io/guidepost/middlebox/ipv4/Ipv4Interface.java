package io.guidepost.middlebox.ipv4;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Memory;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.frame.Arp;
import io.guidepost.packet.frame.Checksum;
import io.guidepost.packet.frame.Headers;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Ipv4;

/**
 * A pair of queues with an IPv4 address: answers ARP and echo, finds the Ethernet addresses of next hops, and sends
 * packets on to them. A packet whose next hop is not known waits for the answer, one for each next hop (RFC 1122 section
 * 2.3.2.2). Frames with a VLAN tag are not its. One thread's.
 */
public final class Ipv4Interface {
    private static final int ETHERNET_BYTES = 14;
    private static final int ARP_FRAME_BYTES = 60;
    private static final long BROADCAST = 0xffff_ffff_ffffL;
    private static final long GROUP_BIT = 1L << 40;

    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;
    private final Burst waiting;
    private final long mac;
    private final InterfaceAddress own;
    private final int gateway;
    private final Neighbours neighbours = new Neighbours();
    private final Headers headers = new Headers();
    private final Arp arp = new Arp();
    private final Icmp icmp = new Icmp();
    private final Ipv4 ipv4 = new Ipv4();
    private long secondBeganMillis;
    private int errorsInSecond;
    private long nowMillis;

    /**
     * An interface that has sent nothing.
     *
     * @param mac its Ethernet address
     * @param gateway next hop for what is not on this link, 0 = none
     */
    public Ipv4Interface(RxQueue rx, TxQueue tx, long mac, InterfaceAddress own, int gateway) {
        this.rx = rx;
        this.tx = tx;
        this.in = rx.burst();
        this.out = tx.burst();
        this.waiting = tx.burst();
        this.mac = mac;
        this.own = own;
        this.gateway = gateway;
    }

    /** What it is on this link. */
    public InterfaceAddress own() {
        return own;
    }

    /** The burst that was received. */
    public Burst in() {
        return in;
    }

    /** Headers of the frame that {@link #take} was asked about last. */
    public Headers headers() {
        return headers;
    }

    /** Sends what waited for room, gives up what waited too long, and receives a burst: how many frames it has. */
    public int receive(long now) {
        nowMillis = now;
        if (waiting.count() > 0) {
            giveUp();
        }
        return rx.receive(in);
    }

    /** Sends what was gathered. */
    public int flush() {
        return out.count() == 0 ? 0 : tx.send(out);
    }

    /**
     * Looks at a frame: ARP is answered here; what is broken or for others is counted and dropped.
     *
     * @return whether it is an IPv4 packet for this interface's Ethernet address, which its owner is to deal with
     */
    public boolean take(int index) {
        if (!headers.read(in, index)) {
            return drop(Drop.MALFORMED);
        }
        long to = headers.destinationMac();
        if (to != mac && to != BROADCAST || headers.vlan() >= 0) {
            return drop(Drop.NOT_OURS);
        }
        if (headers.etherType() == Headers.ARP) {
            takeArp(index);
            return false;
        }
        if (!headers.isIpv4() || (headers.sourceMac() & GROUP_BIT) != 0) {
            return drop(Drop.NOT_OURS);
        }
        return true;
    }

    /** Counts a received frame as dropped; always false. */
    public boolean drop(Drop reason) {
        rx.statistics().drop(reason, 1);
        return false;
    }

    private void takeArp(int index) {
        if (!arp.read(in.offset(index) + headers.networkOffset(), in.length(index) - headers.networkOffset())) {
            drop(Drop.MALFORMED);
            return;
        }
        if (arp.target() != own.address() || !own.isOnLink(arp.sender()) || (arp.senderMac() & GROUP_BIT) != 0) {
            return;
        }
        if (arp.sender() != 0) {
            neighbours.learn(arp.sender(), arp.senderMac(), nowMillis);
            release(arp.sender());
        }
        if (arp.operation() == Arp.REQUEST) {
            writeArp(Arp.REPLY, arp.senderMac(), arp.senderMac(), arp.sender());
        }
    }

    private void writeArp(int operation, long toMac, long targetMac, int target) {
        if (!hasRoom()) {
            return;
        }
        long room = out.room();
        for (int i = 0; i < 64; i += 8) {
            Memory.put64(room + i, 0);
        }
        ethernet(room, toMac);
        Memory.put16(room + 12, Headers.ARP);
        arp.wrap(room + ETHERNET_BYTES, Arp.BYTES).write(operation, mac, own.address(), targetMac, target);
        out.append(ARP_FRAME_BYTES);
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
        Memory.put64(frame, to << 16 | mac >>> 32);
        Memory.put32(frame + 8, (int) mac);
    }

    /** Sends a packet on towards an IPv4 address: to it if it is on this link, else to the gateway. */
    public void send(Burst from, int index, int destination) {
        int hop = own.isOnLink(destination) ? destination : gateway;
        if (hop == 0 || own.isBroadcast(hop)) {
            tx.statistics().drop(Drop.UNREACHABLE, 1);
            return;
        }
        sendTo(from, index, hop);
    }

    /** Sends a packet on to a neighbour. */
    public void sendTo(Burst from, int index, int hop) {
        long known = neighbours.find(hop, nowMillis);
        if (neighbours.mustAsk(hop, nowMillis)) {
            writeArp(Arp.REQUEST, BROADCAST, 0, hop);
        }
        if (known == 0) {
            hold(from, index, hop);
            return;
        }
        ethernet(from.offset(index), known);
        pass(from, index);
    }

    private void pass(Burst from, int index) {
        if (out.isFull()) {
            tx.send(out);
        }
        if (!out.take(from, index)) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
        }
    }

    private void hold(Burst from, int index, int hop) {
        for (int i = 0; i < waiting.count(); i++) {
            if ((int) waiting.mark(i) == hop) {
                tx.statistics().drop(Drop.UNREACHABLE, 1);
                return;
            }
        }
        if (!waiting.take(from, index)) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
            return;
        }
        long untilSeconds = nowMillis / 1000 + Limits.WAIT_MILLIS / 1000;
        waiting.mark(waiting.count() - 1, untilSeconds << 32 | hop & 0xffff_ffffL);
    }

    private void release(int hop) {
        for (int i = waiting.count() - 1; i >= 0; i--) {
            if ((int) waiting.mark(i) == hop) {
                waiting.mark(i, 0);
                ethernet(waiting.offset(i), neighbours.find(hop, nowMillis));
                pass(waiting, i);
                waiting.remove(i);
            }
        }
    }

    private void giveUp() {
        for (int i = waiting.count() - 1; i >= 0; i--) {
            if (waiting.mark(i) >>> 32 < nowMillis / 1000) {
                waiting.remove(i);
                tx.statistics().drop(Drop.UNREACHABLE, 1);
            }
        }
    }

    /** Answers the frame that was {@linkplain #take taken} if it asks this interface for an echo; says whether it did. */
    public boolean answerEcho(int index) {
        long packet = in.offset(index) + headers.networkOffset();
        int headerBytes = headers.transportOffset() - headers.networkOffset();
        int bytes = headers.networkEnd() - headers.transportOffset();
        if (headers.protocol() != Headers.ICMP
                || headers.isFragment()
                || !icmp.read(packet + headerBytes, bytes)
                || icmp.type() != Icmp.ECHO) {
            return false;
        }
        if (!icmp.isChecksumRight(bytes)) {
            drop(Drop.MALFORMED);
            return true;
        }
        icmp.reply();
        // The header's checksum covers the addresses as a sum: to exchange them does not change it.
        int source = Memory.i32(packet + 12);
        Memory.put32(packet + 12, Memory.i32(packet + 16));
        Memory.put32(packet + 16, source);
        int life = Memory.u16(packet + 8);
        int fresh = Ipv4.TTL << 8 | life & 0xff;
        Memory.put16(packet + 8, fresh);
        Memory.put16(packet + 10, Checksum.update16(Memory.u16(packet + 10), life, fresh));
        ethernet(in.offset(index), headers.sourceMac());
        pass(in, index);
        return true;
    }

    /**
     * Tells the sender of the frame that was taken why it does not go on, unless the rules of RFC 1812 section 4.3.2.7
     * or the bound of errors in a second forbid it. The packet must not have been changed.
     */
    public void sendError(int index, int type, int code, int rest) {
        if (!mayTell(index) || !hasRoom()) {
            return;
        }
        long packet = in.offset(index) + headers.networkOffset();
        int quoted = Math.min(headers.networkEnd() - headers.networkOffset(), Limits.ERROR_BYTES_MAX - 28);
        long room = out.room();
        ethernet(room, headers.sourceMac());
        Memory.put16(room + 12, Headers.IPV4);
        long answer = room + ETHERNET_BYTES;
        ipv4.wrap(answer, Limits.ERROR_BYTES_MAX)
                .write(Headers.ICMP, own.address(), (int) headers.sourceLow(), Icmp.BYTES + quoted)
                .fillChecksum();
        Memory.copy(packet, answer + Ipv4.BYTES + Icmp.BYTES, quoted);
        icmp.wrap(answer + Ipv4.BYTES, Icmp.BYTES + quoted).write(type, code, rest).fillChecksum(Icmp.BYTES + quoted);
        out.append(Math.max(ARP_FRAME_BYTES, ETHERNET_BYTES + Ipv4.BYTES + Icmp.BYTES + quoted));
    }

    private boolean mayTell(int index) {
        int source = (int) headers.sourceLow();
        int destination = (int) headers.destinationLow();
        boolean told = headers.isFirstFragment()
                && headers.destinationMac() == mac
                && source != 0
                && source >>> 28 != 0xe
                && source >>> 28 != 0xf
                && source >>> 24 != 127
                && destination >>> 28 != 0xe
                && !own.isBroadcast(source)
                && !own.isBroadcast(destination)
                && !isError(index);
        if (nowMillis - secondBeganMillis >= 1000 || nowMillis < secondBeganMillis) {
            secondBeganMillis = nowMillis;
            errorsInSecond = 0;
        }
        return told && errorsInSecond++ < Limits.ERRORS_PER_SECOND;
    }

    private boolean isError(int index) {
        return headers.protocol() == Headers.ICMP
                && headers.transportOffset() >= 0
                && isErrorType(Memory.u8(in.offset(index) + headers.transportOffset()));
    }

    private static boolean isErrorType(int type) {
        return type == Icmp.UNREACHABLE || type == 4 || type == Icmp.REDIRECT || type == Icmp.TIME_EXCEEDED
                || type == Icmp.PARAMETER_PROBLEM;
    }
}
