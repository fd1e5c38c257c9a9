package io.guidepost.scaffold.flow;

import io.guidepost.base.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.LongConsumer;

/**
 * What a gateway's flows need to go on when its process is killed and started again, in memory that outlives the process: hosts
 * with what was agreed, flows that stand, and the addresses that stand for objects and hosts. Requests and responses are not in it: a
 * flow that is taken up again goes on to another instance no more. A row counts when its first word is not 0, which is written
 * last. Belongs to one thread.
 *
 * <pre>
 *  header   0 rows that were used: of flows (4)  4 of hosts (4)  8 of aliases (4)     64 for the owner of the memory (4,032)
 *
 *  flow     0 id (8)      8 tuple: addresses (32)  40 ports (4)  44 protocol (1)  45 1 = the client's end, + 2 = sealed (1)
 *          48 object (20) 68 peer (20)             88 id at the peer (8)          96 epoch (4)
 *         100 instance (20)                       120 splice (16)               136 newest numbers of both ends (12)
 *
 *  host     0 how often it has moved, + 2^32 (8)    8 association (148)
 *         156 number of locators (4)                160 locators (18 each, 8 at most), the one in use first
 *
 *  alias    0 address << 1 | whether of an object (8)       8 GUID (20)
 * </pre>
 */
public final class FlowMemory {
    /** Where the bytes begin that are the owner's of the memory. */
    public static final int OWNER_AT = 64;

    /** Bytes before the rows. */
    public static final int HEADER_BYTES = 4_096;

    static final int FLOW_BYTES = 152;
    static final int HOST_BYTES = 304;
    static final int ALIAS_BYTES = 32;

    static final int HOSTS_MAX = 1 << 16;
    private static final int ROWS_OF_CHUNK = 1_024;

    final Rows flows;
    final Rows hosts;
    final Rows aliases;

    private final long header;
    private final Growth growth;

    /** Makes a part of the memory usable, before anything is written there. */
    @FunctionalInterface
    public interface Growth {
        /** Returns whether there are bytes up to an offset: as they were, or zeros. */
        boolean grow(long from, long end);
    }

    /** Takes memory: {@link #bytes} of zeros, or what another gateway has left there. */
    public FlowMemory(MemorySegment memory, Growth growth, GatewaySettings settings) {
        this.header = memory.address();
        this.growth = growth;
        this.flows = new Rows(0, HEADER_BYTES, FLOW_BYTES, settings.flowsMax());
        this.hosts = new Rows(Integer.BYTES, flows.end, HOST_BYTES, hosts(settings));
        this.aliases = new Rows(2 * Integer.BYTES, hosts.end, ALIAS_BYTES, aliases(settings));
    }

    /** Returns the memory of a gateway that keeps nothing. */
    public static FlowMemory none() {
        return new FlowMemory(MemorySegment.NULL, (_, _) -> false, GatewaySettings.DEFAULT);
    }

    /** Returns how much memory there must be; most of it is never used. */
    public static long bytes(GatewaySettings settings) {
        return HEADER_BYTES
                + (long) settings.flowsMax() * FLOW_BYTES
                + (long) hosts(settings) * HOST_BYTES
                + (long) aliases(settings) * ALIAS_BYTES;
    }

    private static int hosts(GatewaySettings settings) {
        return Math.min(settings.flowsMax(), HOSTS_MAX);
    }

    private static int aliases(GatewaySettings settings) {
        return Math.min(settings.flowsMax(), AddressAliases.ALIASES_MAX);
    }

    /** Rows of one length; those that were freed are taken first. */
    final class Rows {
        private final int countAt;
        private final long first;
        private final long end;
        private final int rowBytes;
        private final ArrayDeque<Long> free = new ArrayDeque<>();
        private long next;
        private long ready;

        private Rows(int countAt, long first, int rowBytes, int rowsMax) {
            this.countAt = countAt;
            this.first = first;
            this.end = first + (long) rowsMax * rowBytes;
            this.rowBytes = rowBytes;
            this.next = first;
            this.ready = first;
        }

        /** Returns the address of a free row; 0 if there is no room. */
        long take() {
            Long freed = free.poll();
            if (freed != null) {
                return freed;
            }
            if (next == end || !isReady(next)) {
                return 0;
            }
            long row = header + next;
            next += rowBytes;
            Memory.put32(header + countAt, (int) ((next - first) / rowBytes));
            return row;
        }

        private boolean isReady(long row) {
            if (row == ready) {
                long more = Math.min(end, ready + (long) ROWS_OF_CHUNK * rowBytes);
                if (!growth.grow(ready, more)) {
                    return false;
                }
                ready = more;
            }
            return true;
        }

        /** Has a row count no more. */
        void clear(long row) {
            Memory.slot(row, 0);
        }

        /** Frees a row, if it is one; keys that stood in it are there no more. */
        void free(long row) {
            if (row != 0) {
                clear(row);
                MemorySegment.ofAddress(row).reinterpret(rowBytes).fill((byte) 0);
                free.add(row);
            }
        }

        /** Shows the rows that count, which another gateway has left. */
        void forEach(LongConsumer reader) {
            int rows = header == 0 ? 0 : Memory.i32(header + countAt);
            for (int i = 0; i < rows && next < end && isReady(next); i++) {
                long row = header + next;
                next += rowBytes;
                if (Memory.slot(row) == 0) {
                    free.add(row);
                } else {
                    reader.accept(row);
                }
            }
        }
    }
}
