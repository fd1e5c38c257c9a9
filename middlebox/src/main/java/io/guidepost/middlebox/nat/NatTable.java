package io.guidepost.middlebox.nat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The NAT table (conntrack), in preallocated arrays. A mapping of an endpoint-independent protocol is that of an inside address
 * and port; it has an outside port of its own. A mapping of any other protocol is also that of the remote address and port
 * (address- and port-dependent, RFC 4787 section 4.1), and mappings with different remote endpoints share outside ports.
 *
 * <p>All workers share it: lookups of existing mappings are lock-free; only creation and removal hold this object's
 * lock. A version, odd during a change, tells a reader whether what it has read of a mapping belongs together. A packet that
 * arrives while its mapping expires may still use it.
 *
 * <pre>
 *  mapping   version 64 | holder 64 | path 64 | use 64
 *   holder   1 bit 56 | protocol 48 | inside address 16 | inside port 0; 0 if it is free
 *   path     remote address 32 | remote port 16 | outside port 0; no remote endpoint if the protocol is endpoint-independent
 *   use      milliseconds of its expiry 3 | state 0
 *
 *  numbers   for each protocol a range: if it is endpoint-independent a mapping for each port, else any number of any port
 * </pre>
 */
final class NatTable {
    static final int NONE = -1;

    /** No port is free, for the remote endpoint if the protocol shares ports. */
    static final int PORTS_FULL = -2;

    /** The inside host has as many mappings as it may. */
    static final int HOST_FULL = -3;

    /** The protocol shares ports, and has as many mappings as it may. */
    static final int TABLE_FULL = -4;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final NatProtocol[] PROTOCOLS = NatProtocol.values();
    private static final int VERSION = 0;
    private static final int HOLDER = 1;
    private static final int PATH = 2;
    private static final int USE = 3;
    private static final int CELLS = 4;
    private static final int STATE_BITS = 3;

    /** A prime above all numbers of ports, so that steps of it visit each port once. */
    private static final long PORT_STEP = 2_654_435_761L;

    private final int portMin;
    private final int ports;
    private final RandomGenerator random;
    private final long secret;
    private final boolean[] shares = new boolean[PROTOCOLS.length];

    /** The first mapping of each protocol, and behind them the number of all. */
    private final int[] first = new int[PROTOCOLS.length + 1];

    private final int[] used = new int[PROTOCOLS.length];

    /** The mappings of each protocol that shares ports: from the number of used ones on, those that are free. */
    private final int[][] free = new int[PROTOCOLS.length][0];

    private final long[] cells;

    /** From inside address and port, and the remote endpoint. */
    private final MappingIndex inside;

    /** From outside port and remote endpoint, of protocols that share ports. */
    private final MappingIndex outside;

    private final HostQuota hosts;
    private int swept;

    /**
     * Creates an empty table.
     *
     * @param sharedMax mappings that each protocol may have that shares ports
     */
    NatTable(int portMin, int portMax, Set<NatProtocol> independent, int sharedMax, int hostMappingsMax, RandomGenerator random) {
        this.portMin = portMin;
        this.ports = portMax - portMin + 1;
        this.random = random;
        this.secret = random.nextLong();
        for (NatProtocol protocol : PROTOCOLS) {
            int place = protocol.place;
            shares[place] = !independent.contains(protocol);
            first[place + 1] = first[place] + (shares[place] ? sharedMax : ports);
            if (shares[place]) {
                free[place] = new int[sharedMax];
                for (int i = 0; i < sharedMax; i++) {
                    free[place][i] = first[place] + i;
                }
            }
        }
        int all = first[PROTOCOLS.length];
        this.cells = new long[all * CELLS];
        this.inside = new MappingIndex(all);
        this.outside = new MappingIndex(all - independent.size() * ports);
        this.hosts = new HostQuota(all, hostMappingsMax);
    }

    /** Returns the number of mappings that there can be; those of TCP are the first. */
    int capacity(NatProtocol protocol) {
        return first[protocol.place + 1] - first[protocol.place];
    }

    /** Returns whether mappings of a protocol depend on the remote endpoint, and share ports. */
    boolean shares(NatProtocol protocol) {
        return shares[protocol.place];
    }

    /** Returns the key of an inside address and port; 0 means none. */
    static long holder(NatProtocol protocol, int address, int port) {
        return protocolBits(protocol) | (address & 0xffff_ffffL) << 16 | port;
    }

    private static long protocolBits(NatProtocol protocol) {
        return 1L << 56 | (long) protocol.place << 48;
    }

    /** Returns the path of a remote endpoint, without an outside port; 0 if mappings of the protocol do not depend on it. */
    long path(NatProtocol protocol, int remoteAddress, int remotePort) {
        if (!shares[protocol.place]) {
            return 0;
        }
        // The identifier of an ICMP query is a port of the inside alone.
        int port = protocol == NatProtocol.ICMP ? 0 : remotePort;
        return (long) remoteAddress << 32 | (long) port << 16;
    }

    private int hash(long holder, long path) {
        long mixed = (holder ^ secret) * 0x9e37_79b9_7f4a_7c15L;
        mixed = (mixed ^ mixed >>> 32 ^ path) * 0xbf58_476d_1ce4_e5b9L;
        return (int) ((mixed ^ mixed >>> 29) * 0x94d0_49bb_1331_11ebL >>> 32);
    }

    /**
     * Returns the mapping of an inside address and port, or {@link #NONE}, and copies it.
     *
     * @param holder inside address and port
     * @param path remote endpoint
     */
    int find(long holder, long path, NatMapping copy) {
        return find(inside, holder, -1, path, ~0xffffL, copy);
    }

    /**
     * Returns the mapping of an outside port, or {@link #NONE}, and copies it.
     *
     * @param path remote endpoint
     */
    int findOutside(NatProtocol protocol, int port, long path, NatMapping copy) {
        if (shares[protocol.place]) {
            return find(outside, protocolBits(protocol), -1L << 48, path | port, -1, copy);
        }
        int offset = port - portMin;
        if (offset < 0 || offset >= ports) {
            return NONE;
        }
        int mapping = first[protocol.place] + offset;
        return read(mapping, copy) && copy.holder() != 0 ? mapping : NONE;
    }

    /** Finds a mapping of which some bits of holder and path are known, those that are its hash in an index. */
    private int find(MappingIndex index, long holder, long holderBits, long path, long pathBits, NatMapping copy) {
        int hash = hash(holder, path);
        for (int look = 0; look < NatLimits.LOOKS; look++) {
            int moves = index.moves();
            int at = index.home(hash);
            for (long row = index.row(at); row != 0; row = index.row(at)) {
                int mapping = MappingIndex.mapping(row);
                if (MappingIndex.hash(row) == hash
                        && read(mapping, copy)
                        && (copy.holder() & holderBits) == holder
                        && (copy.path() & pathBits) == path) {
                    return mapping;
                }
                at = index.after(at);
            }
            if (index.isStill(moves)) {
                return NONE;
            }
            Thread.onSpinWait();
        }
        return NONE;
    }

    /** Copies a mapping; returns false if it changes meanwhile. */
    private boolean read(int mapping, NatMapping copy) {
        int cell = mapping * CELLS;
        long version = (long) CELL.getAcquire(cells, cell + VERSION);
        copy.set((long) CELL.getOpaque(cells, cell + HOLDER), (long) CELL.getOpaque(cells, cell + PATH));
        VarHandle.acquireFence();
        return (version & 1) == 0 && (long) CELL.getOpaque(cells, cell + VERSION) == version;
    }

    private void write(int mapping, long holder, long path) {
        int cell = mapping * CELLS;
        long version = cells[cell + VERSION];
        CELL.setOpaque(cells, cell + VERSION, version + 1);
        VarHandle.storeStoreFence();
        CELL.setOpaque(cells, cell + HOLDER, holder);
        CELL.setOpaque(cells, cell + PATH, path);
        CELL.setRelease(cells, cell + VERSION, version + 2);
    }

    /**
     * Creates a mapping under the lock, and copies it: with the inside port outside too if that is free, else a random one.
     *
     * @param path remote endpoint
     * @return the mapping; {@link #PORTS_FULL}, {@link #HOST_FULL} or {@link #TABLE_FULL} if it is refused
     */
    int add(NatProtocol protocol, int address, int port, long path, long until, NatMapping copy) {
        int place = protocol.place;
        if (used[place] == capacity(protocol)) {
            return shares[place] ? TABLE_FULL : PORTS_FULL;
        }
        if (!hosts.hasRoom(address)) {
            return HOST_FULL;
        }
        int offset = port - portMin;
        if (offset < 0 || offset >= ports || !isFree(protocol, port, path, copy)) {
            offset = freePort(protocol, path, copy);
        }
        if (offset < 0) {
            return PORTS_FULL;
        }
        int mapping = shares[place] ? free[place][used[place]] : first[place] + offset;
        long holder = holder(protocol, address, port);
        long whole = path | portMin + offset;
        use(mapping, TcpTracking.OPENING, until);
        write(mapping, holder, whole);
        copy.set(holder, whole);
        used[place]++;
        hosts.took(address);
        inside.add(hash(holder, path), mapping);
        if (shares[place]) {
            outside.add(hash(protocolBits(protocol), whole), mapping);
        }
        return mapping;
    }

    private boolean isFree(NatProtocol protocol, int port, long path, NatMapping copy) {
        return findOutside(protocol, port, path, copy) == NONE;
    }

    private int freePort(NatProtocol protocol, long path, NatMapping copy) {
        int from = random.nextInt(ports);
        int tries = Math.min(ports, shares(protocol) ? NatLimits.SHARED_PORT_TRIES : NatLimits.PORT_TRIES);
        for (int i = 0; i < tries; i++) {
            int offset = (int) ((from + i * PORT_STEP) % ports);
            if (isFree(protocol, portMin + offset, path, copy)) {
                return offset;
            }
        }
        return -1;
    }

    int state(int mapping) {
        return (int) (long) CELL.getOpaque(cells, mapping * CELLS + USE) & (1 << STATE_BITS) - 1;
    }

    /** Sets the state and expiry of a used mapping. */
    void use(int mapping, int newState, long until) {
        CELL.setOpaque(cells, mapping * CELLS + USE, until << STATE_BITS | newState);
    }

    /** Returns whether a mapping has expired. */
    boolean isOver(int mapping, long nowMillis) {
        return nowMillis >= (long) CELL.getOpaque(cells, mapping * CELLS + USE) >> STATE_BITS;
    }

    synchronized int count() {
        int count = 0;
        for (int each : used) {
            count += each;
        }
        return count;
    }

    /** Checks some mappings and removes expired ones; returns their number. */
    synchronized int sweep(int number, long nowMillis) {
        int ended = 0;
        for (int i = 0; i < number; i++) {
            int mapping = swept;
            swept = (swept + 1) * CELLS == cells.length ? 0 : swept + 1;
            if (cells[mapping * CELLS + HOLDER] != 0 && isOver(mapping, nowMillis)) {
                remove(mapping);
                ended++;
            }
        }
        return ended;
    }

    /** Ends a mapping under the lock. */
    private void remove(int mapping) {
        long holder = cells[mapping * CELLS + HOLDER];
        long path = cells[mapping * CELLS + PATH];
        int place = (int) (holder >>> 48) & 0xff;
        write(mapping, 0, 0);
        inside.remove(hash(holder, path & ~0xffffL), mapping);
        hosts.freed((int) (holder >>> 16));
        used[place]--;
        if (shares[place]) {
            outside.remove(hash(holder & -1L << 48, path), mapping);
            free[place][used[place]] = mapping;
        }
    }
}
