package io.guidepost.packet.host;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.TxQueue;
import java.util.function.LongSupplier;

/**
 * What the receive and the transmit queue of one number share: who they are, whom they know, and the frames that answer
 * for the host itself. One thread's, as its queues are.
 */
final class HostQueue {
    final OwnAddresses own;
    final long mac;
    final HostCounts counts = new HostCounts();
    final ReturnPaths paths = new ReturnPaths();
    final Neighbours neighbours;

    private final TxQueue out;
    private final Burst answers;
    private final LongSupplier clockNanos;
    private final Waiting waiting;
    private final Arp arp;
    private final NeighbourDiscovery discovery;
    private long nowNanos;

    HostQueue(OwnAddresses own, long mac, Neighbours neighbours, TxQueue out, LongSupplier clockNanos) {
        this.own = own;
        this.mac = mac;
        this.neighbours = neighbours;
        this.out = out;
        this.answers = out.burst();
        this.clockNanos = clockNanos;
        this.waiting = new Waiting(answers.memory());
        this.arp = new Arp(this);
        this.discovery = new NeighbourDiscovery(this);
    }

    Arp arp() {
        return arp;
    }

    NeighbourDiscovery discovery() {
        return discovery;
    }

    /** The time of this turn. */
    long nowNanos() {
        return nowNanos;
    }

    /** Begins a turn. */
    void begin() {
        nowNanos = clockNanos.getAsLong();
    }

    /** Looks whether neighbours have answered for whom something waits. */
    void work() {
        if (waiting.count() > 0) {
            waiting.work(this);
        }
    }

    /** A burst with place for one more frame to make in it; null if there is none now. */
    boolean hasRoom() {
        if (answers.isFull()) {
            out.send(answers);
        }
        if (answers.hasRoom()) {
            return true;
        }
        counts.add(HostCount.ANSWER_NO_ROOM);
        return false;
    }

    /** The frames that leave for the host itself. */
    Burst answers() {
        return answers;
    }

    /** Sends a frame that has been made an answer where it was. */
    boolean answer(Burst from, int index) {
        if (answers.isFull()) {
            out.send(answers);
        }
        boolean taken = answers.take(from, index);
        if (!taken) {
            counts.add(HostCount.ANSWER_NO_ROOM);
        }
        return taken;
    }

    /** Sends what was answered. */
    void flush() {
        if (answers.count() > 0) {
            out.send(answers);
        }
    }

    /** The way back to where an address was heard of lately; {@link LinkPath#NONE} if it was not. */
    long back(long high, long low) {
        return paths.find(high, low, nowNanos);
    }

    /** The way to the neighbour that leads to an address; {@link LinkPath#NONE} while that has not answered. */
    long forward(long high, long low) {
        boolean near = own.isOnLink(high, low);
        boolean ipv4 = Addresses.isIpv4(high, low);
        return neighbour(near ? high : own.gatewayHigh(ipv4), near ? low : own.gatewayLow(ipv4));
    }

    /** The way to a neighbour, who is asked for if that is needed. */
    long neighbour(long high, long low) {
        if ((high | low) == 0) {
            return LinkPath.NONE;
        }
        if (neighbours.mustAsk(high, low, nowNanos)) {
            if (Addresses.isIpv4(high, low)) {
                arp.ask(low);
            } else {
                discovery.ask(high, low);
            }
        }
        return neighbours.find(high, low, nowNanos);
    }

    /** Keeps a datagram of a sender until its neighbour has answered; false if it cannot wait. */
    boolean await(Burst burst, int index, HostTx sender) {
        long high = burst.peerHigh(index);
        long low = burst.peerLow(index);
        boolean near = own.isOnLink(high, low);
        boolean ipv4 = Addresses.isIpv4(high, low);
        long hopHigh = near ? high : own.gatewayHigh(ipv4);
        long hopLow = near ? low : own.gatewayLow(ipv4);
        boolean kept = (hopHigh | hopLow) != 0 && waiting.add(burst, index, hopHigh, hopLow, nowNanos, sender);
        counts.add(kept ? HostCount.NEIGHBOUR_AWAITED : HostCount.NEIGHBOUR_MISSING);
        return kept;
    }
}
