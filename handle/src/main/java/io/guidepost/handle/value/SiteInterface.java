package io.guidepost.handle.value;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;

/**
 * An interface of a server: its transport, its port and its role.
 *
 * <pre>
 *  +0  1  role: bit 0 administration, bit 1 resolution
 *  +1  1  transport
 *  +2  4  port
 * </pre>
 *
 * @param admin whether it accepts administration
 * @param query whether it accepts resolution
 * @param transport the transport of its messages
 * @param port 0 to 65535
 */
public record SiteInterface(boolean admin, boolean query, Transport transport, int port) implements WireRecord {
    /** Transports, in the order of their numbers on the wire. */
    public enum Transport {
        /** UDP datagrams. */
        UDP,
        /** A TCP connection. */
        TCP,
        /** HTTP over TCP. */
        HTTP,
        /** HTTP over TLS. */
        HTTPS
    }

    static final int BYTES = 6;

    private static final int ADMIN = 1;
    private static final int QUERY = 2;

    /** Refuses a port outside 0 to 65535. */
    public SiteInterface {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("a port is 0 to 65535, not " + port);
        }
    }

    /** Reads one, and leaves the bytes after it. */
    static SiteInterface readPrefix(WireReader in) throws Malformed {
        int at = in.position();
        int role = in.u8();
        int transport = in.u8();
        int port = in.u32();
        if (role > (ADMIN | QUERY)) {
            throw new Malformed("the role of an interface is 0 to 3, not " + role, at);
        }
        if (transport >= Transport.values().length) {
            throw new Malformed("the transport of an interface is 0 (UDP) to 3 (HTTPS), not " + transport, at + 1);
        }
        if (port < 0 || port > 0xffff) {
            throw new Malformed("a port is 0 to 65535, not " + Integer.toUnsignedString(port), at + 2);
        }
        return new SiteInterface((role & ADMIN) != 0, (role & QUERY) != 0, Transport.values()[transport], port);
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // The order of the constants is the order of their numbers.
    public void write(WireWriter out) {
        out.u8((admin ? ADMIN : 0) | (query ? QUERY : 0)).u8(transport.ordinal()).u32(port);
    }
}
