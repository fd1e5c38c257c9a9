package io.guidepost.lab.simulation;

import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts, for each name, the client requests that reached a server, and the requests between servers that they caused.
 */
final class MessageCounts {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    static final int INSERT = 0;
    static final int LOOKUP = 1;
    static final int UPDATE = 2;
    private static final int FETCH = 0x60;
    private static final int MERGE = 0x61;
    private static final int DIGESTS = 0x62;
    private static final int COMPARE = 0x63;
    private static final int PING = 0x64;
    private static final int FORGET = 0x65;
    private static final int SYNDROMES = 0x66;

    /** Header; flags of MERGE; header of an image; namespace of its key. */
    private static final int MERGE_GUID = 16 + 4 + 40 + 1;

    private static final int FETCH_GUID = 16;

    private static final class Count {
        private long requests;
        private long questions;
    }

    private final Map<Guid, Count> counts = new TreeMap<>();
    private long fetches;

    /** Returns the id of a message. */
    static int id(byte[] bytes) {
        return bytes.length < 8 ? 0 : MemorySegment.ofArray(bytes).get(INT, 4);
    }

    /** Returns the type of a message, or of the request that it responds to. */
    static int type(byte[] bytes) {
        return bytes.length < 2 ? -1 : bytes[1] & 0x7f;
    }

    /** Returns whether a message writes or compares. */
    static boolean writes(byte[] bytes) {
        return switch (bytes.length < 2 ? -1 : bytes[1] & 0xff) {
            case INSERT, UPDATE, MERGE, DIGESTS, SYNDROMES, COMPARE -> true;
            default -> false;
        };
    }

    /** Returns the name of a message's type. */
    static String name(byte[] bytes) {
        int type = bytes.length < 2 ? -1 : bytes[1] & 0xff;
        String name = switch (type(bytes)) {
            case INSERT -> "INSERT";
            case LOOKUP -> "LOOKUP";
            case UPDATE -> "UPDATE";
            case FETCH -> "FETCH";
            case MERGE -> "MERGE";
            case DIGESTS -> "DIGESTS";
            case COMPARE -> "COMPARE";
            case PING -> "PING";
            case FORGET -> "FORGET";
            case SYNDROMES -> "SYNDROMES";
            default -> "type " + type;
        };
        return (type & 0x80) == 0 ? name : name + "_RESPONSE";
    }

    /** Returns the GUID of a request, or null. Clients and servers here give no origin. */
    static @Nullable Guid guid(byte[] bytes) {
        int at = switch (bytes.length < 2 ? -1 : bytes[1] & 0xff) {
            case INSERT, LOOKUP, UPDATE -> FETCH_GUID;
            case FETCH, FORGET -> FETCH_GUID;
            case MERGE -> MERGE_GUID;
            default -> -1;
        };
        return at < 0 || bytes.length < at + Guid.BYTES ? null : Guid.read(MemorySegment.ofArray(bytes), at);
    }

    /** Counts a client request that reached a server. */
    void request(Guid guid) {
        counts.computeIfAbsent(guid, none -> new Count()).requests++;
    }

    /** Counts a message between servers. */
    void question(byte[] bytes) {
        Guid guid = guid(bytes);
        fetches += guid != null && type(bytes) == FETCH ? 1 : 0;
        if (guid != null) {
            counts.computeIfAbsent(guid, none -> new Count()).questions++;
        }
    }

    /** Returns the number of records that servers asked of others for clients. */
    long fetches() {
        return fetches;
    }

    /**
     * Returns the bound of requests between servers per client request for any name. A record is asked of, or written at,
     * K servers, as often as the settings allow, and for a write once more where its stamp was not the newest; during a
     * change of tables at twice as many; and each of the K invalidates a cache.
     */
    static double perRequestMax(SimulationScenario scenario, boolean tablesChanged) {
        int attempts = Math.max(2, scenario.settings().attemptsMax());
        return scenario.replicas() * ((tablesChanged ? 2 : 1) * attempts + 1);
    }

    /** Returns the requests per client request, of the name that has the most. */
    double perRequestMax() {
        return counts.values().stream()
                .filter(each -> each.requests > 0)
                .mapToDouble(each -> (double) each.questions / each.requests)
                .max()
                .orElse(0);
    }
}
