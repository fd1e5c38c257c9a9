package io.guidepost.middlebox.nat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.random.RandomGenerator;

/**
 * The NAT table (conntrack): inside address and port to outside port, at most one mapping for each protocol and port,
 * in preallocated arrays.
 *
 * <p>All workers share it: lookups of existing mappings are lock-free; only creation and removal hold this object's
 * lock. A concurrent lookup may miss a mapping that moves in the table, and repeats under the lock before it creates
 * another; it cannot find a wrong one, as it compares the whole key. A packet that arrives while its mapping expires
 * may still use it.
 *
 * <pre>
 *  mapping   number = protocol's place &lt;&lt; 16 | outside port
 *  key[m]    1 bit 56 | protocol's place 48 | inside address 16 | inside port 0; 0 if the port is free
 *  table     from key to mapping: open addressing, the next row if one is taken; what is removed lets others move back
 * </pre>
 */
final class NatTable {
    static final int NONE = -1;

    /** The inside host has as many mappings as it may. */
    static final int HOST_FULL = -2;

    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle BYTE = MethodHandles.arrayElementVarHandle(byte[].class);
    static final int TCP = 0;
    static final int UDP = 1;
    static final int ICMP = 2;

    private static final int PORTS = 1 << 16;
    private static final int ROWS = 1 << 19;
    private static final int MASK = ROWS - 1;

    private final int portMin;
    private final int ports;
    private final RandomGenerator random;
    private final long[] key = new long[3 * PORTS];
    private final long[] untilMillis = new long[3 * PORTS];
    private final byte[] state = new byte[3 * PORTS];
    private final int[] used = new int[3];
    private final int[] table = new int[ROWS];
    private final HostQuota hosts;
    private int swept;

    NatTable(int portMin, int portMax, int hostMappingsMax, RandomGenerator random) {
        this.hosts = new HostQuota(hostMappingsMax);
        this.portMin = portMin;
        this.ports = portMax - portMin + 1;
        this.random = random;
    }

    /** Returns the key of an inside address and port; 0 means none. */
    static long holder(int protocol, int address, int port) {
        return 1L << 56 | (long) protocol << 48 | (address & 0xffff_ffffL) << 16 | port;
    }

    private static int row(long of) {
        return (int) (of * 0x9e37_79b9_7f4a_7c15L >>> 45) & MASK;
    }

    /** Returns the mapping of an inside address and port, or {@link #NONE}. */
    int find(int protocol, int address, int port) {
        long wanted = holder(protocol, address, port);
        int at = row(wanted);
        for (int there = there(at); there != 0; there = there(at)) {
            if (holder(there - 1) == wanted) {
                return there - 1;
            }
            at = at + 1 & MASK;
        }
        return NONE;
    }

    /** Returns a table row: a mapping plus 1, or 0. */
    private int there(int row) {
        return (int) INT.getOpaque(table, row);
    }

    private void there(int row, int what) {
        INT.setOpaque(table, row, what);
    }

    /** Returns the mapping of an outside port, in use or not. */
    static int outside(int protocol, int port) {
        return protocol << 16 | port;
    }

    /**
     * Creates a mapping under the lock: with the same outside port if it is free, else a random one; {@link #NONE} if
     * all are in use, {@link #HOST_FULL} if the host has its part.
     */
    int add(int protocol, int address, int port, long until) {
        if (used[protocol] == ports) {
            return NONE;
        }
        if (!hosts.hasRoom(address)) {
            return HOST_FULL;
        }
        int offset = port - portMin;
        if (offset < 0 || offset >= ports || key[protocol << 16 | port] != 0) {
            offset = freePort(protocol);
        }
        if (offset < 0) {
            return NONE;
        }
        int mapping = protocol << 16 | portMin + offset;
        long holder = holder(protocol, address, port);
        use(mapping, 0, until);
        LONG.setOpaque(key, mapping, holder);
        used[protocol]++;
        hosts.took(address);
        int at = row(holder);
        while (table[at] != 0) {
            at = at + 1 & MASK;
        }
        there(at, mapping + 1);
        return mapping;
    }

    private int freePort(int protocol) {
        int first = random.nextInt(ports);
        for (int i = 0; i < Math.min(ports, NatLimits.PORT_TRIES); i++) {
            int offset = (first + i) % ports;
            if (key[protocol << 16 | portMin + offset] == 0) {
                return offset;
            }
        }
        return -1;
    }

    /** Returns the key of a mapping, 0 if it is free. */
    long holder(int mapping) {
        return (long) LONG.getOpaque(key, mapping);
    }

    /** Returns the address of a key. */
    static int address(long holder) {
        return (int) (holder >>> 16);
    }

    /** Returns the port of a key. */
    static int port(long holder) {
        return (int) holder & 0xffff;
    }

    static int outsidePort(int mapping) {
        return mapping & 0xffff;
    }

    int state(int mapping) {
        return (byte) BYTE.getOpaque(state, mapping);
    }

    /** Sets the state and expiry of a used mapping. */
    void use(int mapping, int newState, long until) {
        BYTE.setOpaque(state, mapping, (byte) newState);
        LONG.setOpaque(untilMillis, mapping, until);
    }

    /** Returns whether a mapping has expired. */
    boolean isOver(int mapping, long nowMillis) {
        return nowMillis >= (long) LONG.getOpaque(untilMillis, mapping);
    }

    synchronized int count() {
        return used[TCP] + used[UDP] + used[ICMP];
    }

    /** Checks some mappings and removes expired ones; returns their number. */
    synchronized int sweep(int number, long nowMillis) {
        int ended = 0;
        for (int i = 0; i < number; i++) {
            int mapping = swept;
            swept = swept + 1 == key.length ? 0 : swept + 1;
            if (key[mapping] != 0 && isOver(mapping, nowMillis)) {
                remove(mapping);
                ended++;
            }
        }
        return ended;
    }

    /** Frees a port under the lock. */
    void remove(int mapping) {
        int hole = row(key[mapping]);
        while (table[hole] != mapping + 1) {
            hole = hole + 1 & MASK;
        }
        for (int at = hole + 1 & MASK; table[at] != 0; at = at + 1 & MASK) {
            // An entry moves back into the gap if that is between its home and its current row.
            if ((at - row(key[table[at] - 1]) & MASK) >= (at - hole & MASK)) {
                there(hole, table[at]);
                hole = at;
            }
        }
        there(hole, 0);
        hosts.freed(address(key[mapping]));
        LONG.setOpaque(key, mapping, 0L);
        used[mapping >>> 16]--;
    }
}
