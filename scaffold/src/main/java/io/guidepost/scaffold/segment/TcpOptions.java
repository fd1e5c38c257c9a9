package io.guidepost.scaffold.segment;

import io.guidepost.base.Memory;
import io.guidepost.packet.frame.Tcp;

/**
 * The options of one TCP segment: where those stand that a splice changes. A flyweight; {@link #read} points it at a segment.
 * Not thread-safe.
 *
 * <pre>
 *  kind 2  length 4   maximum segment size 2        (RFC 9293)
 *  kind 3  length 3   window scale 1                (RFC 7323)
 *  kind 4  length 2   SACK permitted                (RFC 2018)
 *  kind 5  length 2+8n  n blocks, each left and right edge 4 (RFC 2018)
 *  kind 8  length 10  TSval 4, TSecr 4              (RFC 7323)
 *  19 MD5, 29 TCP-AO, 30 MPTCP, 34 Fast Open cookie: bound to one server or one path
 * </pre>
 */
public final class TcpOptions {
    /** No position: the segment has no such option. */
    public static final int NONE = 0;

    /** Where the sender's timestamp stands in its option. */
    static final int TSVAL = 2;

    private static final int END = 0;
    private static final int NOP = 1;
    private static final int MSS = 2;
    private static final int WINDOW_SCALE = 3;
    private static final int SACK_PERMITTED = 4;
    private static final int SACK = 5;
    private static final int TIMESTAMPS = 8;
    private static final int MD5 = 19;
    private static final int AUTHENTICATION = 29;
    private static final int MPTCP = 30;
    private static final int FAST_OPEN = 34;
    private static final int FAST_OPEN_TRIAL = 254;
    private static final int WINDOW_SCALE_MAX = 14;

    private int windowScale;
    private boolean scales;
    private boolean sackPermitted;
    private int timestamps;
    private int sack;
    private int sackBlocks;

    /**
     * Reads the options of a segment, whose header is there as a whole.
     *
     * @return false if an option is cut or has a length that it does not have
     */
    public boolean read(long tcp) {
        windowScale = 0;
        scales = false;
        sackPermitted = false;
        timestamps = NONE;
        sack = NONE;
        sackBlocks = 0;
        int end = headerBytes(tcp);
        int length;
        for (int at = Tcp.BYTES; at < end; at += length) {
            int kind = Memory.u8(tcp + at);
            if (kind == END) {
                return true;
            }
            length = length(tcp, at, end);
            if (length == 0 || !take(tcp, at, kind, length)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the bytes of an option; 0 if it is cut. */
    private static int length(long tcp, int at, int end) {
        if (Memory.u8(tcp + at) == NOP) {
            return 1;
        }
        int length = at + 1 < end ? Memory.u8(tcp + at + 1) : 0;
        return length < 2 || at + length > end ? 0 : length;
    }

    private boolean take(long tcp, int at, int kind, int length) {
        return switch (kind) {
            case MSS -> length == 4;
            case WINDOW_SCALE -> {
                windowScale = length == 3 ? Math.min(Memory.u8(tcp + at + 2), WINDOW_SCALE_MAX) : 0;
                scales = true;
                yield length == 3;
            }
            case SACK_PERMITTED -> {
                sackPermitted = true;
                yield length == 2;
            }
            case SACK -> {
                sack = at;
                sackBlocks = (length - 2) / 8;
                yield length % 8 == 2;
            }
            case TIMESTAMPS -> {
                timestamps = at;
                yield length == 10;
            }
            default -> true;
        };
    }

    /**
     * Overwrites options of a SYN with ones that mean nothing: those that bind it to one server or one path, and of the others
     * those that are not to be kept. The checksum is to be computed anew.
     */
    static void retain(long tcp, boolean windowScale, boolean sack, boolean timestamps) {
        int end = headerBytes(tcp);
        int length;
        for (int at = Tcp.BYTES; at < end; at += length) {
            int kind = Memory.u8(tcp + at);
            length = length(tcp, at, end);
            if (kind == END || length == 0) {
                return;
            }
            boolean kept =
                    switch (kind) {
                        case WINDOW_SCALE -> windowScale;
                        case SACK_PERMITTED -> sack;
                        case TIMESTAMPS -> timestamps;
                        case MD5, AUTHENTICATION, MPTCP, FAST_OPEN, FAST_OPEN_TRIAL -> false;
                        default -> true;
                    };
            if (!kept) {
                erase(tcp, at, length);
            }
        }
    }

    /** Overwrites an option with ones that mean nothing. */
    static void erase(long tcp, int at, int length) {
        for (int i = 0; i < length; i++) {
            Memory.put8(tcp + at + i, NOP);
        }
    }

    /** Returns the bytes of a header with its options. */
    static int headerBytes(long tcp) {
        return Memory.u8(tcp + 12) >>> 4 << 2;
    }

    /** Returns by how many bits the sender's window fields are shifted. */
    public int windowScale() {
        return windowScale;
    }

    /** Returns whether the sender scales windows. */
    public boolean scales() {
        return scales;
    }

    /** Returns whether the sender takes SACK blocks. */
    boolean sackPermitted() {
        return sackPermitted;
    }

    /** Returns where the option of timestamps stands, in bytes from the start of the header; {@link #NONE} if nowhere. */
    public int timestamps() {
        return timestamps;
    }

    /** Returns the sender's timestamp; a segment without one has {@code otherwise}. */
    public int clock(long tcp, int otherwise) {
        return timestamps == NONE ? otherwise : Memory.i32(tcp + timestamps + TSVAL);
    }

    /** Returns where the option of SACK blocks stands; {@link #NONE} if nowhere. */
    int sack() {
        return sack;
    }

    /** Returns how many SACK blocks there are. */
    int sackBlocks() {
        return sackBlocks;
    }
}
