package io.guidepost.proximity.bgp;

import io.guidepost.names.Malformed;
import java.io.ByteArrayOutputStream;
import java.util.EnumSet;
import java.util.Set;

/**
 * What one side of a session can do (RFC 5492): rows of code, length and value in the optional parameters of OPEN.
 *
 * @param families that routes may be told for (RFC 4760); IPv4 also where nobody says so
 * @param wideAs the AS number in 32 bits (RFC 6793); -1 if that is not spoken
 * @param extendedMessages whether messages longer than 4,096 bytes are taken (RFC 8654)
 * @param gracefulRestart whether End-of-RIB is told (RFC 4724)
 * @param sendsPaths families for which several ways to a prefix may be told (RFC 7911)
 * @param takesPaths families for which several ways to a prefix are taken
 */
record Capabilities(
        Set<Family> families,
        long wideAs,
        boolean extendedMessages,
        boolean gracefulRestart,
        Set<Family> sendsPaths,
        Set<Family> takesPaths) {
    private static final int MULTIPROTOCOL = 1;
    private static final int ROUTE_REFRESH = 2;
    private static final int EXTENDED_MESSAGE = 6;
    private static final int GRACEFUL_RESTART = 64;
    private static final int WIDE_AS = 65;
    private static final int ADD_PATH = 69;

    private static final int TAKES = 1;
    private static final int SENDS = 2;

    /** What we can do: all of it, and of several ways we only take. */
    static Capabilities own(long as) {
        return new Capabilities(
                EnumSet.allOf(Family.class), as, true, true, EnumSet.noneOf(Family.class), EnumSet.allOf(Family.class));
    }

    /** Reads the capabilities of one or several optional parameters, those that are not known left out. */
    static final class Reader {
        private final Set<Family> families = EnumSet.noneOf(Family.class);
        private final Set<Family> sends = EnumSet.noneOf(Family.class);
        private final Set<Family> takes = EnumSet.noneOf(Family.class);
        private boolean multiprotocol;
        private long wideAs = -1;
        private boolean extended;
        private boolean graceful;

        void read(Cursor in) throws Malformed {
            while (in.left() > 0) {
                int code = in.u8("code of a capability");
                Cursor value = in.part(in.u8("length of a capability"), "capability " + code);
                switch (code) {
                    case MULTIPROTOCOL -> {
                        multiprotocol = true;
                        int afi = value.u16("address family");
                        value.skip(1, "reserved byte");
                        Family.of(afi, value.u8("subsequent address family")).ifPresent(families::add);
                    }
                    case WIDE_AS -> wideAs = value.u32("AS number");
                    case EXTENDED_MESSAGE -> extended = true;
                    case GRACEFUL_RESTART -> graceful = true;
                    case ADD_PATH -> paths(value);
                    default -> {}
                }
            }
        }

        private void paths(Cursor value) throws Malformed {
            while (value.left() > 0) {
                int afi = value.u16("address family");
                int safi = value.u8("subsequent address family");
                int way = value.u8("direction of several ways");
                Family.of(afi, safi).ifPresent(family -> {
                    if ((way & SENDS) != 0 && way <= (SENDS | TAKES)) {
                        sends.add(family);
                    }
                    if ((way & TAKES) != 0 && way <= (SENDS | TAKES)) {
                        takes.add(family);
                    }
                });
            }
        }

        Capabilities done() {
            if (!multiprotocol) {
                families.add(Family.IPV4);
            }
            return new Capabilities(families, wideAs, extended, graceful, sends, takes);
        }
    }

    /** Writes all of them as one optional parameter's value. */
    byte[] write() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Family each : families) {
            put(out, MULTIPROTOCOL, 0, each.afi, 0, Family.UNICAST);
        }
        put(out, ROUTE_REFRESH);
        if (extendedMessages) {
            put(out, EXTENDED_MESSAGE);
        }
        if (gracefulRestart) {
            // No family and no time: we keep nothing over a restart of ours, but heed End-of-RIB (RFC 4724 section 3).
            put(out, GRACEFUL_RESTART, 0, 0);
        }
        if (wideAs >= 0) {
            int as = (int) wideAs;
            put(out, WIDE_AS, as >>> 24, as >>> 16, as >>> 8, as);
        }
        ByteArrayOutputStream paths = new ByteArrayOutputStream();
        for (Family each : Family.values()) {
            int way = (takesPaths.contains(each) ? TAKES : 0) | (sendsPaths.contains(each) ? SENDS : 0);
            if (way != 0) {
                paths.writeBytes(new byte[] {0, (byte) each.afi, Family.UNICAST, (byte) way});
            }
        }
        if (paths.size() > 0) {
            out.write(ADD_PATH);
            out.write(paths.size());
            out.writeBytes(paths.toByteArray());
        }
        return out.toByteArray();
    }

    private static void put(ByteArrayOutputStream out, int code, int... value) {
        out.write(code);
        out.write(value.length);
        for (int each : value) {
            out.write(each);
        }
    }
}
