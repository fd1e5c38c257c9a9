package io.guidepost.gnrs.peer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What servers of a deployment say to each other, on the same port as GNRS. All numbers are big-endian.
 *
 * <pre>
 *  header, as of any GNRS message              60 FETCH            e0 FETCH_RESPONSE
 *  offset size                                  +0 20 GUID          +0  2 flags: 1 found, 2 placed here,
 *     0    1  version, 0                                                   4 catching up
 *     1    1  type                                                  +2  2 zero
 *     2    2  length, seal included                                 +4  . image, if found
 *     4    4  id, echoed by the response
 *     8    2  options offset, 0                61 MERGE            e1 MERGE_RESPONSE
 *    10    2  payload offset, 16                +0  2 flags:        +0  2 code, see below
 *    12    4  zero: no origin                         1 strict      +2  2 zero
 *    16    .  payload                           +2  2 zero          +4  8 newest stamp there
 *     .   16  seal, if the deployment has       +4  . image        +12  8 digest there
 *             a key: HMAC-SHA-256 of all
 *             before it, cut to 16 bytes       62 DIGESTS          e2 DIGESTS_RESPONSE
 *                                               +0  8 fingerprint   +0  8 fingerprint of the tables there
 *  64 PING        e4 PING_RESPONSE              +8  2 first range   +8  2 first range
 *   +0  8 finger-  +0  8 fingerprint           +10  2 n            +10  2 n, 0: not counted yet
 *         print    +8  8 clock, a stamp        +12 18 asker         +12 8n digests there
 *   +8  8 clock   +16  8 records shared        +30 8n digests
 *  +16  2 flags         with the asker
 *  +18 18 asker   +24  2 flags                 63 COMPARE          e3 COMPARE_RESPONSE
 *                                               +0  2 n             +0  2 n
 *  65 FORGET (no response)                      +2  2 zero          +2  2 zero
 *   +0 20 GUID                                  +4 28n GUID,        +4  n  0 same, 1 differs, 2 not there
 *  +20  8 newest stamp                                 digest 8
 *
 *                                              66 SYNDROMES        e6 SYNDROMES_RESPONSE
 *                                               +0  8 fingerprint   +0  8 fingerprint of the tables there
 *                                               +8  4 groups        +8  4 groups, 0: not counted yet
 *                                              +12 18 asker        +12 32n sums there
 *                                              +30 32n zero
 * </pre>
 *
 * An image is a record's stored form ({@link io.guidepost.store.RecordImage}) with stamps and without values. MERGE carries a
 * change: the record that the receiver is to merge into its own. A strict one is refused as BEHIND if the receiver
 * knows a stamp that is not older: the sender takes a later one and sends it again.
 *
 * <p>Flags of PING: 4 catching up, 8 has records that are placed elsewhere now, 16 was down for longer than the tombstone
 * lifetime; the response alone has 32, answers SYNDROMES. The asker is the address under which it stands in the bindings: 16 bytes,
 * IPv4 in its mapped form, and a port; it may ask from another port.
 *
 * <p>The groups of SYNDROMES are bits, that of group 0 the lowest; n of them are set, and their sums stand in this order ({@link
 * io.guidepost.gnrs.replica.Syndromes}). The zeros make the request longer than its response.
 *
 * <p>Codes of MERGE_RESPONSE: 0 durable there; 1 BEHIND; 2 the disk refused, or too much is under way; 3 too many
 * bindings; 4 too many bytes; 5 a stamp too far ahead.
 */
public final class PeerWire {
    public static final int FETCH = 0x60;
    public static final int MERGE = 0x61;
    public static final int DIGESTS = 0x62;
    public static final int COMPARE = 0x63;
    public static final int PING = 0x64;
    public static final int FORGET = 0x65;
    public static final int SYNDROMES = 0x66;

    /** Set in the type of every response. */
    public static final int RESPONSE_BIT = 0x80;

    public static final int TYPE = 1;
    public static final int LENGTH = 2;
    public static final int ID = 4;
    static final int PAYLOAD_OFFSET = 10;
    public static final int HEADER_BYTES = 16;
    public static final int SEAL_BYTES = 16;
    public static final int GUID_BYTES = 20;
    public static final int FORGET_BYTES = HEADER_BYTES + GUID_BYTES + 8;

    public static final int FOUND = 1;
    public static final int PLACED_HERE = 2;
    public static final int CATCHING_UP = 4;
    public static final int MOVING = 8;
    public static final int AWAY_LONG = 16;
    public static final int HAS_SYNDROMES = 32;

    static final int ASKER_BYTES = 18;
    public static final int PING_BYTES = 18 + ASKER_BYTES;
    public static final int PING_RESPONSE_BYTES = 26;
    public static final int DIGESTS_AT = 12 + ASKER_BYTES;
    public static final int DIGESTS_RESPONSE_AT = 12;
    public static final int SYNDROMES_AT = 12 + ASKER_BYTES;
    public static final int SYNDROMES_RESPONSE_AT = 12;
    public static final int SYNDROMES_BYTES = 32;
    public static final int COMPARED_BYTES = GUID_BYTES + 8;

    public static final int STRICT = 1;

    public static final int DONE = 0;
    public static final int BEHIND = 1;
    public static final int REFUSED = 2;
    public static final int BINDINGS_MAX = 3;
    public static final int BYTES_MAX = 4;
    public static final int STAMP_AHEAD = 5;

    public static final int SAME = 0;
    public static final int DIFFERS = 1;
    public static final int NOT_THERE = 2;

    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private PeerWire() {}

    /** Writes the header of a message. */
    public static void header(MemorySegment out, long at, int type, int length, int id) {
        out.set(LONG, at, (long) type << 48 | (long) length << 32 | id & 0xffffffffL);
        out.set(LONG, at + 8, (long) HEADER_BYTES << 32);
    }

    /** Writes the address of a server; zeros for one that keeps nothing. */
    public static void asker(MemorySegment out, long at, @Nullable Peer own) {
        out.set(LONG, at, own == null ? 0 : own.high());
        out.set(LONG, at + 8, own == null ? 0 : own.low());
        out.set(SHORT, at + 16, (short) (own == null ? 0 : own.port()));
    }

    /** Returns whether a message is the response to a type of request. */
    public static boolean isResponse(MemorySegment segment, long at, int type) {
        return (segment.get(BYTE, at + TYPE) & 0xff) == (type | RESPONSE_BIT);
    }
}
