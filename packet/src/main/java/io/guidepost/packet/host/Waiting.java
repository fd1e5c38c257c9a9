package io.guidepost.packet.host;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketMemory;
import org.jspecify.annotations.Nullable;

/** Datagrams that wait for a neighbour's Ethernet address: one for each neighbour (RFC 1122 section 2.3.2.2), and few. */
final class Waiting {
    /** Neighbours waited for at a time. */
    static final int PLACES = 32;

    /** Three questions, a second apart; RFC 4861 section 10 has it so. */
    static final long WAIT_NANOS_MAX = 3 * Neighbours.ASK_NANOS;

    private final Burst[] places = new Burst[PLACES];
    private final long[] high = new long[PLACES];
    private final long[] low = new long[PLACES];
    private final long[] sinceNanos = new long[PLACES];
    private final @Nullable HostTx[] senders = new HostTx[PLACES];
    private int count;

    Waiting(PacketMemory memory) {
        for (int i = 0; i < PLACES; i++) {
            places[i] = Burst.ofFrames(memory, 1, 0);
        }
    }

    int count() {
        return count;
    }

    boolean add(Burst from, int index, long hopHigh, long hopLow, long nowNanos, HostTx sender) {
        int free = -1;
        for (int i = 0; i < PLACES; i++) {
            if (places[i].count() == 0) {
                free = i;
            } else if (low[i] == hopLow && high[i] == hopHigh) {
                return false;
            }
        }
        if (free < 0 || !places[free].take(from, index)) {
            return false;
        }
        // A frame is moved without what is of datagrams alone; the row that it left still has that.
        places[free].datagram(
                0,
                from.offset(index),
                from.length(index),
                from.peerHigh(index),
                from.peerLow(index),
                from.peerPort(index),
                from.localHigh(index),
                from.localLow(index));
        high[free] = hopHigh;
        low[free] = hopLow;
        sinceNanos[free] = nowNanos;
        senders[free] = sender;
        count++;
        return true;
    }

    /** Sends what can go now, and gives up what has waited too long. */
    void work(HostQueue host) {
        for (int i = 0; i < PLACES; i++) {
            Burst place = places[i];
            HostTx tx = senders[i];
            if (place.count() == 0 || tx == null) {
                continue;
            }
            long path = host.neighbour(high[i], low[i]);
            if (path != LinkPath.NONE) {
                tx.sendAwaited(place, path);
                count--;
            } else if (host.nowNanos() - sinceNanos[i] > WAIT_NANOS_MAX) {
                tx.statistics().drop(Drop.UNREACHABLE, 1);
                host.counts.add(HostCount.NEIGHBOUR_MISSING);
                place.clear();
                count--;
            }
        }
    }
}
