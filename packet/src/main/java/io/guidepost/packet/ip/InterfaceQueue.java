package io.guidepost.packet.ip;

import io.guidepost.base.Counters;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.TxQueue;

/**
 * What one worker has of an {@link IpInterface}: the frames that the interface itself sends, those that wait for a neighbour,
 * and the responders of ARP, neighbour discovery and ICMP. One thread's.
 */
final class InterfaceQueue implements PendingNeighbourQueue.Sender {
    /** The VLAN of frames without a tag. */
    static final int UNTAGGED = -1;

    /** Set in an Ethernet address of 48 bits that is not one station's. */
    static final long GROUP_BIT = 1L << 40;

    private static final int FRAME_BYTES_MIN = 60;

    final IpInterface face;
    final InterfaceAddresses own;
    final long mac;
    final Counters<InterfaceCount> counts = new Counters<>(InterfaceCount.class);
    final ArpNdp arpNdp = new ArpNdp(this);
    final IcmpEcho echo = new IcmpEcho(this);
    final IcmpErrors errors;

    private final TxQueue tx;
    final Burst out;
    private final PendingNeighbourQueue pending;
    private long nowMillis;

    InterfaceQueue(IpInterface face, int number) {
        this.face = face;
        this.own = face.own;
        this.mac = face.mac;
        this.tx = face.port.tx(number);
        this.out = tx.burst();
        this.pending = new PendingNeighbourQueue(out.memory());
        this.errors = new IcmpErrors(this, face.port.queues());
    }

    long nowMillis() {
        return nowMillis;
    }

    /** Begins a turn. */
    void begin(long now) {
        nowMillis = now;
    }

    /** Sends what was gathered. */
    int flush() {
        return out.count() == 0 ? 0 : tx.send(out);
    }

    /** Where to write a packet behind a header for a way; {@link Burst#NO_ROOM} if there is none, which is counted. */
    long room(long path) {
        if (!out.hasRoom()) {
            tx.send(out);
        }
        if (!out.hasRoom()) {
            noRoom();
            return Burst.NO_ROOM;
        }
        return out.room() + LinkPath.headerBytes(path);
    }

    /** Sends the packet that was written there, padded to what Ethernet has at least. */
    void sendRoom(long path, int etherType, int bytes) {
        long frame = out.room();
        int length = LinkPath.headerBytes(path) + bytes;
        LinkPath.writeBefore(frame + length - bytes, path, mac, etherType);
        for (int i = length; i < FRAME_BYTES_MIN; i++) {
            Memory.put8(frame + i, 0);
        }
        out.append(Math.max(FRAME_BYTES_MIN, length));
    }

    /** Sends a frame of another burst as it is. */
    boolean pass(Burst from, int index) {
        if (out.isFull()) {
            tx.send(out);
        }
        boolean taken = out.take(from, index);
        if (!taken) {
            noRoom();
        }
        return taken;
    }

    private void noRoom() {
        tx.statistics().drop(Drop.NO_ROOM, 1);
        counts.count(InterfaceCount.ANSWER_NO_ROOM);
    }

    /** Finds the Ethernet address of a neighbour, which is asked for if it is time to; 0 while it is not known. */
    long neighbour(long high, long low, int vlan) {
        long known = face.neighbours.fresh(high, low, vlan, nowMillis);
        if (known != 0) {
            return known;
        }
        if (face.neighbours.mustAsk(high, low, vlan, nowMillis)) {
            arpNdp.ask(high, low, vlan);
        }
        return face.neighbours.find(high, low, vlan, nowMillis);
    }

    /** Keeps a frame until its neighbour has answered. */
    void hold(Burst from, int index, long hopHigh, long hopLow, int vlan, PendingNeighbourQueue.Sender sender) {
        int surplus = pending.surplus(hopHigh, hopLow, vlan);
        if (surplus >= 0) {
            giveUp(surplus);
        }
        if (pending.add(from, index, hopHigh, hopLow, vlan, nowMillis, sender)) {
            counts.count(InterfaceCount.NEIGHBOUR_AWAITED);
        } else {
            counts.count(InterfaceCount.NEIGHBOUR_MISSING);
            sender.dropped(Drop.NO_ROOM);
        }
    }

    boolean isWaiting() {
        return pending.count() > 0;
    }

    /** Sends what waited for neighbours that any worker has learnt since, and gives up what waited too long. */
    void release() {
        int i = 0;
        while (i < pending.count()) {
            boolean isOver = pending.isOver(i, nowMillis);
            long known = isOver
                    ? face.neighbours.find(pending.high(i), pending.low(i), pending.vlan(i), nowMillis)
                    : neighbour(pending.high(i), pending.low(i), pending.vlan(i));
            if (known != 0) {
                leave(i, known);
            } else if (isOver) {
                giveUp(i);
            } else {
                i++;
            }
        }
    }

    private void leave(int index, long to) {
        Burst frames = pending.frames;
        LinkPath.writeMacs(frames.offset(index), to, mac);
        long mark = frames.mark(index);
        if (pass(frames, index)) {
            pending.sender(index).left(mark);
        }
        pending.remove(index);
    }

    private void giveUp(int index) {
        pending.sender(index).dropped(Drop.UNREACHABLE);
        counts.count(InterfaceCount.NEIGHBOUR_MISSING);
        pending.remove(index);
    }

    @Override
    public void left(long mark) {}

    @Override
    public void dropped(Drop reason) {
        tx.statistics().drop(reason, 1);
    }
}
