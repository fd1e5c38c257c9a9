package io.guidepost.middlebox.forward;

import io.guidepost.base.ExpiringHashTable;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;

/**
 * A learning bridge (IEEE 802.1Q clause 8.7): it forwards a frame to the port where its destination was last seen, or
 * floods it to all others. Addresses are learnt for each VLAN. There is no spanning tree: ports must not form a loop.
 *
 * <p>{@link #duty} makes a duty for each worker; they share the MAC table (FDB).
 */
public final class LearningBridge {
    private static final int ETHERNET_BYTES = 14;
    private static final int UNKNOWN = (int) ExpiringHashTable.NONE;
    private static final long GROUP_BIT = 1L << 40;

    /** Addresses of link-local protocols between bridges (IEEE 802.1Q table 8-1), which no bridge forwards. */
    private static final long RESERVED = 0x0180_c200_0000L;

    private final List<Port> ports;
    /** The MAC table (FDB): the port where an Ethernet address was last seen, by address and VLAN. */
    private final ExpiringHashTable stations = new ExpiringHashTable(ForwardLimits.STATIONS);

    /** Creates a bridge of 2 to 64 ports. */
    public LearningBridge(List<Port> ports) {
        if (ports.size() < 2 || ports.size() > ForwardLimits.PORTS_MAX) {
            throw new IllegalArgumentException(
                    "a bridge of " + ports.size() + " ports; it must have 2 to " + ForwardLimits.PORTS_MAX);
        }
        this.ports = List.copyOf(ports);
    }

    /** Returns the number of learnt Ethernet addresses. */
    public int stations(long nowMillis) {
        return stations.count(nowMillis);
    }

    /** Returns the duty of a worker with a queue of each port. */
    public DutyCycle duty(int queue) {
        return new Plane(queue);
    }

    private final class Plane implements DutyCycle {
        private final int queue;
        private final Burst[] in = new Burst[ports.size()];
        private final Burst[] out = new Burst[ports.size()];

        Plane(int queue) {
            this.queue = queue;
            for (int i = 0; i < in.length; i++) {
                in[i] = ports.get(i).rx(queue).burst();
                out[i] = ports.get(i).tx(queue).burst();
            }
        }

        @Override
        public int work(long nowMillis) {
            int moved = 0;
            for (int port = 0; port < in.length; port++) {
                int received = ports.get(port).rx(queue).receive(in[port]);
                for (int i = 0; i < received; i++) {
                    forward(port, i, nowMillis);
                }
                moved += received;
            }
            for (int port = 0; port < out.length; port++) {
                if (out[port].count() > 0) {
                    moved += tx(port).send(out[port]);
                }
            }
            return moved;
        }

        private TxQueue tx(int port) {
            return ports.get(port).tx(queue);
        }

        private void forward(int port, int index, long nowMillis) {
            Burst burst = in[port];
            if (burst.length(index) < ETHERNET_BYTES) {
                ports.get(port).rx(queue).statistics().drop(Drop.MALFORMED, 1);
                return;
            }
            long frame = burst.offset(index);
            long first = Memory.i64(frame);
            long second = Memory.i64(frame + 6);
            long destination = first >>> 16;
            long source = second >>> 16;
            int vlan = (second & 0xffff) == HeaderParser.VLAN && burst.length(index) >= ETHERNET_BYTES + 4
                    ? Memory.u16(frame + ETHERNET_BYTES) & 0xfff
                    : -1;
            if ((source & GROUP_BIT) == 0) {
                stations.put(0, source, vlan, port, nowMillis, ForwardLimits.STATION_MILLIS);
            }
            if ((destination & ~0xfL) == RESERVED) {
                ports.get(port).rx(queue).statistics().drop(Drop.NOT_OURS, 1);
                return;
            }
            int to = (destination & GROUP_BIT) == 0 ? (int) stations.find(0, destination, vlan, nowMillis) : UNKNOWN;
            if (to == UNKNOWN) {
                flood(port, index);
            } else if (to != port) {
                pass(to, burst, index);
            }
        }

        private void flood(int port, int index) {
            int last = port == out.length - 1 ? port - 1 : out.length - 1;
            for (int to = 0; to < last; to++) {
                if (to != port && (!hasPlace(to) || !out[to].copy(in[port], index))) {
                    tx(to).statistics().drop(Drop.NO_ROOM, 1);
                }
            }
            pass(last, in[port], index);
        }

        private void pass(int to, Burst burst, int index) {
            if (!hasPlace(to) || !out[to].take(burst, index)) {
                tx(to).statistics().drop(Drop.NO_ROOM, 1);
            }
        }

        private boolean hasPlace(int to) {
            return !out[to].isFull() || tx(to).send(out[to]) < out[to].capacity();
        }
    }
}
