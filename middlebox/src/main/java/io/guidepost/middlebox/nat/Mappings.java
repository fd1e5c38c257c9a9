package io.guidepost.middlebox.nat;

import java.util.random.RandomGenerator;

/**
 * Which address and port of the inside has which port of the outside: at most one of each protocol and port, in arrays
 * that are made once. One thread's.
 *
 * <pre>
 *  mapping   number = protocol's place &lt;&lt; 16 | outside port
 *  key[m]    1 bit 56 | protocol's place 48 | inside address 16 | inside port 0; 0 if the port is free
 *  table     from key to mapping: open addressing, the next row if one is taken; what is removed lets others move back
 * </pre>
 */
final class Mappings {
    static final int NONE = -1;
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

    Mappings(int portMin, int portMax, RandomGenerator random) {
        this.portMin = portMin;
        this.ports = portMax - portMin + 1;
        this.random = random;
    }

    private static long key(int protocol, int address, int port) {
        return 1L << 56 | (long) protocol << 48 | (address & 0xffff_ffffL) << 16 | port;
    }

    private static int row(long of) {
        return (int) (of * 0x9e37_79b9_7f4a_7c15L >>> 45) & MASK;
    }

    /** The mapping of an inside address and port, or {@link #NONE}. */
    int find(int protocol, int address, int port) {
        long wanted = key(protocol, address, port);
        for (int at = row(wanted); table[at] != 0; at = at + 1 & MASK) {
            if (key[table[at] - 1] == wanted) {
                return table[at] - 1;
            }
        }
        return NONE;
    }

    /** The mapping that has an outside port, or {@link #NONE}. */
    int findOutside(int protocol, int port) {
        int mapping = protocol << 16 | port;
        return key[mapping] == 0 ? NONE : mapping;
    }

    /** Makes a mapping: the same port outside if that is free, else one by chance; {@link #NONE} if none was found. */
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
        key[mapping] = key(protocol, address, port);
        untilMillis[mapping] = until;
        state[mapping] = 0;
        used[protocol]++;
        int at = row(key[mapping]);
        while (table[at] != 0) {
            at = at + 1 & MASK;
        }
        table[at] = mapping + 1;
        return mapping;
    }

    private int freePort(int protocol) {
        int first = random.nextInt(ports);
        for (int i = 0; i < Math.min(ports, Limits.PORT_TRIES); i++) {
            int offset = (first + i) % ports;
            if (key[protocol << 16 | portMin + offset] == 0) {
                return offset;
            }
        }
        return -1;
    }

    /** What has a mapping, as one number. */
    long holder(int mapping) {
        return key[mapping];
    }

    int insideAddress(int mapping) {
        return (int) (key[mapping] >>> 16);
    }

    int insidePort(int mapping) {
        return (int) key[mapping] & 0xffff;
    }

    int outsidePort(int mapping) {
        return mapping & 0xffff;
    }

    int state(int mapping) {
        return state[mapping];
    }

    /** Notes that a mapping was used, and until when it lasts. */
    void use(int mapping, int newState, long until) {
        state[mapping] = (byte) newState;
        untilMillis[mapping] = until;
    }

    /** Whether a mapping is over. */
    boolean isOver(int mapping, long nowMillis) {
        return nowMillis >= untilMillis[mapping];
    }

    int count() {
        return used[TCP] + used[UDP] + used[ICMP];
    }

    /** Looks at some mappings, and ends those that are over: how many. */
    int sweep(int number, long nowMillis) {
        int ended = 0;
        for (int i = 0; i < number; i++) {
            int mapping = swept;
            swept = swept + 1 == key.length ? 0 : swept + 1;
            if (key[mapping] != 0 && nowMillis >= untilMillis[mapping]) {
                remove(mapping);
                ended++;
            }
        }
        return ended;
    }

    /** Frees a port. */
    void remove(int mapping) {
        int hole = row(key[mapping]);
        while (table[hole] != mapping + 1) {
            hole = hole + 1 & MASK;
        }
        for (int at = hole + 1 & MASK; table[at] != 0; at = at + 1 & MASK) {
            // One moves back into the hole if that is on its way from where it belongs to where it is.
            if ((at - row(key[table[at] - 1]) & MASK) >= (at - hole & MASK)) {
                table[hole] = table[at];
                hole = at;
            }
        }
        table[hole] = 0;
        key[mapping] = 0;
        used[mapping >>> 16]--;
    }
}
