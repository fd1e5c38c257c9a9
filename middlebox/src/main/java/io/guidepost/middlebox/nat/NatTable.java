package io.guidepost.middlebox.nat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.random.RandomGenerator;

/**
 * Which address and port of the inside has which port of the outside: at most one of each protocol and port, in arrays
 * that are made once.
 *
 * <p>All workers share them: who is asked for most often, a mapping that is there, is found without a lock. Only what makes
 * or ends mappings holds the lock of this object. Who looks meanwhile may miss one that moves in the table, and looks again
 * with the lock before it makes another; it cannot find a wrong one, as it compares the whole key. A packet that comes in
 * the moment in which its mapping ends may still go by it.
 *
 * <pre>
 *  mapping   number = protocol's place &lt;&lt; 16 | outside port
 *  key[m]    1 bit 56 | protocol's place 48 | inside address 16 | inside port 0; 0 if the port is free
 *  table     from key to mapping: open addressing, the next row if one is taken; what is removed lets others move back
 * </pre>
 */
final class NatTable {
    static final int NONE = -1;

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
    private int swept;

    NatTable(int portMin, int portMax, RandomGenerator random) {
        this.portMin = portMin;
        this.ports = portMax - portMin + 1;
        this.random = random;
    }

    /** Returns what has a mapping, as one number; 0 is nobody. */
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

    /** Returns what the table has in a row: a mapping and 1, or 0. */
    private int there(int row) {
        return (int) INT.getOpaque(table, row);
    }

    private void there(int row, int what) {
        INT.setOpaque(table, row, what);
    }

    /** Returns the mapping that an outside port is for, whether it is in use or not. */
    static int outside(int protocol, int port) {
        return protocol << 16 | port;
    }

    /** With the lock, makes a mapping: the same port outside if it is free, else one by chance; {@link #NONE} without any. */
    int add(int protocol, int address, int port, long until) {
        if (used[protocol] == ports) {
            return NONE;
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

    /** Returns what has a mapping, 0 if nobody. */
    long holder(int mapping) {
        return (long) LONG.getOpaque(key, mapping);
    }

    /** Returns the address of a holder. */
    static int address(long holder) {
        return (int) (holder >>> 16);
    }

    /** Returns the port of a holder. */
    static int port(long holder) {
        return (int) holder & 0xffff;
    }

    static int outsidePort(int mapping) {
        return mapping & 0xffff;
    }

    int state(int mapping) {
        return (byte) BYTE.getOpaque(state, mapping);
    }

    /** Notes that a mapping was used, and until when it lasts. */
    void use(int mapping, int newState, long until) {
        BYTE.setOpaque(state, mapping, (byte) newState);
        LONG.setOpaque(untilMillis, mapping, until);
    }

    /** Returns whether a mapping is over. */
    boolean isOver(int mapping, long nowMillis) {
        return nowMillis >= (long) LONG.getOpaque(untilMillis, mapping);
    }

    synchronized int count() {
        return used[TCP] + used[UDP] + used[ICMP];
    }

    /** Looks at some mappings, and ends those that are over: how many. */
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

    /** With the lock, frees a port. */
    void remove(int mapping) {
        int hole = row(key[mapping]);
        while (table[hole] != mapping + 1) {
            hole = hole + 1 & MASK;
        }
        for (int at = hole + 1 & MASK; table[at] != 0; at = at + 1 & MASK) {
            // One moves back into the hole if that is on its way from where it belongs to where it is.
            if ((at - row(key[table[at] - 1]) & MASK) >= (at - hole & MASK)) {
                there(hole, table[at]);
                hole = at;
            }
        }
        there(hole, 0);
        LONG.setOpaque(key, mapping, 0L);
        used[mapping >>> 16]--;
    }
}
