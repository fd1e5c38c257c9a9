package io.guidepost.proximity.bgp;

import io.guidepost.base.Malformed;
import java.io.ByteArrayOutputStream;
import java.util.EnumSet;
import java.util.Set;

/**
 * Capabilities of one side of a session (RFC 5492): rows of code, length and value in the optional parameters of OPEN.
 *
 * @param families of routes (RFC 4760); IPv4 also without a capability
 * @param wideAs the 32-bit AS number (RFC 6793); -1 without the capability
 * @param extendedMessages whether messages longer than 4,096 bytes are accepted (RFC 8654)
 * @param sendsPaths families for which several paths per prefix may be sent (ADD-PATH, RFC 7911)
 * @param takesPaths families for which several paths per prefix are accepted
 */
record BgpCapabilities(
        Set<AddressFamily> families,
        long wideAs,
        boolean extendedMessages,
        Set<AddressFamily> sendsPaths,
        Set<AddressFamily> takesPaths) {
    private static final int MULTIPROTOCOL = 1;
    private static final int ROUTE_REFRESH = 2;
    private static final int EXTENDED_MESSAGE = 6;
    private static final int GRACEFUL_RESTART = 64;
    private static final int WIDE_AS = 65;
    private static final int ADD_PATH = 69;

    private static final int TAKES = 1;
    private static final int SENDS = 2;

    /** Returns the capabilities of this server: all of them, but ADD-PATH only to receive. */
    static BgpCapabilities own(long as) {
        return new BgpCapabilities(
                EnumSet.allOf(AddressFamily.class), as, true, EnumSet.noneOf(AddressFamily.class), EnumSet
                        .allOf(AddressFamily.class));
    }

    /** Reads the capabilities of one or several optional parameters, and skips unknown ones. */
    static final class Reader {
        private final Set<AddressFamily> families = EnumSet.noneOf(AddressFamily.class);
        private final Set<AddressFamily> sends = EnumSet.noneOf(AddressFamily.class);
        private final Set<AddressFamily> takes = EnumSet.noneOf(AddressFamily.class);
        private boolean multiprotocol;
        private long wideAs = -1;
        private boolean extended;

        void read(BgpCursor in) throws Malformed {
            while (in.left() > 0) {
                int code = in.u8("code of a capability");
                BgpCursor value = in.part(in.u8("length of a capability"), "capability " + code);
                switch (code) {
                    case MULTIPROTOCOL -> {
                        multiprotocol = true;
                        int afi = value.u16("address family");
                        value.skip(1, "reserved byte");
                        AddressFamily.of(afi, value.u8("subsequent address family")).ifPresent(families::add);
                    }
                    case WIDE_AS -> wideAs = value.u32("AS number");
                    case EXTENDED_MESSAGE -> extended = true;
                    case ADD_PATH -> paths(value);
                    default -> {}
                }
            }
        }

        private void paths(BgpCursor value) throws Malformed {
            while (value.left() > 0) {
                int afi = value.u16("address family");
                int safi = value.u8("subsequent address family");
                int way = value.u8("direction of ADD-PATH");
                AddressFamily.of(afi, safi).ifPresent(family -> {
                    if ((way & SENDS) != 0 && way <= (SENDS | TAKES)) {
                        sends.add(family);
                    }
                    if ((way & TAKES) != 0 && way <= (SENDS | TAKES)) {
                        takes.add(family);
                    }
                });
            }
        }

        BgpCapabilities done() {
            if (!multiprotocol) {
                families.add(AddressFamily.IPV4);
            }
            return new BgpCapabilities(families, wideAs, extended, sends, takes);
        }
    }

    /** Encodes all of them as the value of one optional parameter. */
    byte[] write() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (AddressFamily each : families) {
            put(out, MULTIPROTOCOL, 0, each.afi, 0, AddressFamily.UNICAST);
        }
        put(out, ROUTE_REFRESH);
        if (extendedMessages) {
            put(out, EXTENDED_MESSAGE);
        }
        // No family and no time: this server keeps nothing over its own restart, but heeds End-of-RIB (RFC 4724 section 3).
        put(out, GRACEFUL_RESTART, 0, 0);
        if (wideAs >= 0) {
            int as = (int) wideAs;
            put(out, WIDE_AS, as >>> 24, as >>> 16, as >>> 8, as);
        }
        ByteArrayOutputStream paths = new ByteArrayOutputStream();
        for (AddressFamily each : AddressFamily.values()) {
            int way = (takesPaths.contains(each) ? TAKES : 0) | (sendsPaths.contains(each) ? SENDS : 0);
            if (way != 0) {
                paths.writeBytes(new byte[] {0, (byte) each.afi, AddressFamily.UNICAST, (byte) way});
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
