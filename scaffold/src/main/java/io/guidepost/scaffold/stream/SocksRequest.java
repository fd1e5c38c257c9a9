package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import io.guidepost.scaffold.wire.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a client of SOCKS 5 (RFC 1928) asks for. Reads in place, and asks for more bytes by null, with the buffer as it was.
 *
 * <pre>
 *  greeting   5 | count 1 | methods
 *  request    5 | command 1 | 0 | kind of address 1 | address | port 2
 *  reply      5 | code 1 | 0 | 1 | 0.0.0.0 | 0
 * </pre>
 *
 * @param command 1 to connect
 * @param kind of the address: 1 for IPv4, 3 for a name, 4 for IPv6
 * @param name empty if the address is none
 */
record SocksRequest(int command, int kind, String name, int port) {
    static final int BYTES_MAX = 4 + 1 + 255 + 2;
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int NOT_ALLOWED = 2;
    static final int NETWORK_UNREACHABLE = 3;
    static final int HOST_UNREACHABLE = 4;
    static final int REFUSED = 5;
    static final int NO_SUCH_COMMAND = 7;
    static final int NO_SUCH_ADDRESS = 8;
    private static final Pattern OBJECT = Pattern.compile("[a-z0-9_-]{1,63}(\\.[a-z0-9_-]{1,63})*");
    private static final int VERSION = 5;
    private static final int CONNECT = 1;
    private static final int IPV4 = 1;
    private static final int NAME = 3;
    private static final int IPV6 = 4;

    /**
     * Reads a greeting.
     *
     * @return whether the client does without authentication; null if bytes are missing
     * @throws Malformed if it is none of SOCKS 5
     */
    static @Nullable Boolean readGreeting(ByteBuffer in) throws Malformed {
        int at = in.position();
        if (in.remaining() < 2) {
            return null;
        }
        checkVersion(in);
        int count = Byte.toUnsignedInt(in.get());
        if (in.remaining() < count) {
            in.position(at);
            return null;
        }
        boolean open = false;
        for (int i = 0; i < count; i++) {
            open |= in.get() == 0;
        }
        return open;
    }

    private static void checkVersion(ByteBuffer in) throws Malformed {
        if (in.get() != VERSION) {
            throw new Malformed("SOCKS has the version 5 here", 0);
        }
    }

    /**
     * Reads a request.
     *
     * @return null if bytes are missing
     * @throws Malformed if it is none; what is of another kind of address is left unread
     */
    static @Nullable SocksRequest read(ByteBuffer in) throws Malformed {
        int at = in.position();
        if (in.remaining() < 5) {
            return null;
        }
        checkVersion(in);
        int command = Byte.toUnsignedInt(in.get());
        in.get();
        int kind = Byte.toUnsignedInt(in.get());
        int length = switch (kind) {
            case IPV4 -> 4;
            case NAME -> Byte.toUnsignedInt(in.get());
            case IPV6 -> 16;
            default -> -1;
        };
        if (length < 0) {
            return new SocksRequest(command, kind, "", 0);
        }
        if (in.remaining() < length + Short.BYTES) {
            in.position(at);
            return null;
        }
        byte[] address = new byte[length];
        in.get(address);
        String name = kind == NAME ? new String(address, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT) : "";
        return new SocksRequest(command, kind, name, Short.toUnsignedInt(in.getShort()));
    }

    /** Returns the code of what is refused without a look at any object: what is no connection to a name of the zone; else 0. */
    int refusal(String zone) {
        if (kind != IPV4 && kind != NAME && kind != IPV6) {
            return NO_SUCH_ADDRESS;
        }
        if (command != CONNECT) {
            return NO_SUCH_COMMAND;
        }
        return object(zone).isEmpty() ? NOT_ALLOWED : DONE;
    }

    /** Returns the object's name: what stands before the zone, or a name without a dot; empty if it is neither. */
    String object(String zone) {
        String whole = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        String object = whole.endsWith("." + zone) ? whole.substring(0, whole.length() - zone.length() - 1) : whole;
        boolean known = !object.equals(whole) || whole.indexOf('.') < 0;
        return known && OBJECT.matcher(object).matches() ? object : "";
    }

    /** Returns the code for a stream that was not opened. */
    static int code(Reason reason) {
        return switch (reason) {
            case NO_OBJECT -> HOST_UNREACHABLE;
            case NO_INSTANCE, DEAD, DRAINED, NO_FLOW, BUSY -> REFUSED;
            case NOT_ALLOWED -> NOT_ALLOWED;
            default -> FAILED;
        };
    }

    /** Returns the answer to a request. */
    static byte[] reply(int code) {
        return new byte[] {VERSION, (byte) code, 0, IPV4, 0, 0, 0, 0, 0, 0};
    }
}
