package io.guidepost.handle.value;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/**
 * A site: the servers that together hold the records of a prefix (RFC 3651 section 3.2.2). Data of HS_SITE, body of the
 * response to GET_SITE_INFO, and the file {@code siteinfo.bin}.
 *
 * <pre>
 *  offset size
 *     0     2  format, 1
 *     2     1  protocol version, major
 *     3     1  protocol version, minor
 *     4     2  serial number of the site's description
 *     6     1  flags: 80 primary, 40 several primaries
 *     7     1  hashed part: 0 prefix, 1 suffix, 2 the whole handle
 *     8   4+n  hash filter, unused
 *     .     .  list of attributes, each a name and a value, both text
 *     .     .  list of servers, see SiteServer
 * </pre>
 *
 * @param majorVersion of the protocol, 0 to 255
 * @param minorVersion of the protocol, 0 to 255
 * @param serial grows when the description changes, 0 to 65535
 * @param primary whether its servers accept changes
 * @param multiPrimary whether other sites accept changes too
 * @param hash the part of a handle whose hash selects the server
 * @param hashFilter unused; treated as immutable
 * @param attributes such as {@code desc}, in order
 * @param servers in order, which the hash depends on
 */
public record SiteRecord(
        int majorVersion,
        int minorVersion,
        int serial,
        boolean primary,
        boolean multiPrimary,
        Hash hash,
        byte[] hashFilter,
        List<Attribute> attributes,
        List<SiteServer> servers)
        implements WireRecord {
    /** The part of a handle whose hash selects the server, in the order of the numbers on the wire. */
    public enum Hash {
        /** The part before the first slash. */
        PREFIX,
        /** The part after it. */
        SUFFIX,
        /** The whole handle. */
        HANDLE;

        /** Returns its number on the wire. */
        @SuppressWarnings("EnumOrdinal") // The order of the constants is the order of their numbers.
        public int code() {
            return ordinal();
        }

        /**
         * Returns the hash with a number that was read.
         *
         * @param at its offset
         * @throws Malformed if there is none with that number
         */
        public static Hash ofCode(int code, int at) throws Malformed {
            if (code < 0 || code >= values().length) {
                throw new Malformed(
                        "the hash of a site is over prefix (0), suffix (1) or handle (2), not " + code, at);
            }
            return values()[code];
        }

        /** Returns the index of the server that holds a handle, from 0, see {@link SiteRecord#serverOf}. */
        public int serverOf(Handle handle, int servers) {
            byte[] folded = handle.folded();
            int slash = 0;
            while (folded[slash] != '/') {
                slash++;
            }
            byte[] part = switch (this) {
                case PREFIX -> Arrays.copyOf(folded, slash);
                case SUFFIX -> Arrays.copyOfRange(folded, slash + 1, folded.length);
                case HANDLE -> handle.foldedAsGiven();
            };
            try {
                int last = ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(part)).getInt(12);
                return (int) (Math.abs((long) last) % servers);
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("every JDK has MD5", e);
            }
        }
    }

    /**
     * An attribute of a site.
     *
     * @param name such as {@code desc} or {@code alt_addr.1}
     * @param value its text
     */
    public record Attribute(String name, String value) {}

    private static final int FORMAT = 1;
    private static final int PRIMARY = 0x80;
    private static final int MULTI_PRIMARY = 0x40;
    private static final int ATTRIBUTE_BYTES_MIN = 8;

    /** Copies the lists, and refuses numbers that their fields do not hold. */
    public SiteRecord {
        attributes = List.copyOf(attributes);
        servers = List.copyOf(servers);
        if (majorVersion >>> 8 != 0 || minorVersion >>> 8 != 0 || serial >>> 16 != 0) {
            throw new IllegalArgumentException("a version has 8 bits a part and a serial 16, not "
                    + majorVersion + "." + minorVersion + " and " + serial);
        }
    }

    /** Reads the data of a value or a file. */
    public static SiteRecord read(byte[] data) throws Malformed {
        return WireReader.whole(data, SiteRecord::readPrefix);
    }

    /** Reads a site, and leaves the bytes after it. */
    public static SiteRecord readPrefix(WireReader in) throws Malformed {
        int at = in.position();
        int format = in.u16();
        if (format != FORMAT) {
            throw new Malformed("the format of a site is 1, not " + format, at);
        }
        int major = in.u8();
        int minor = in.u8();
        int serial = in.u16();
        int flags = in.u8();
        Hash hash = Hash.ofCode(in.u8(), at + 7);
        return new SiteRecord(
                major,
                minor,
                serial,
                (flags & PRIMARY) != 0,
                (flags & MULTI_PRIMARY) != 0,
                hash,
                in.bytes(),
                in.list(ATTRIBUTE_BYTES_MIN, HandleLimits.ATTRIBUTES_MAX, SiteRecord::readAttribute),
                in.list(SiteServer.BYTES_MIN, HandleLimits.SERVERS_MAX, SiteServer::readPrefix));
    }

    private static Attribute readAttribute(WireReader in) throws Malformed {
        return new Attribute(in.text(HandleLimits.ARRAY_BYTES_MAX), in.text(HandleLimits.ARRAY_BYTES_MAX));
    }

    @Override
    public void write(WireWriter out) {
        out.u16(FORMAT).u8(majorVersion).u8(minorVersion).u16(serial);
        out.u8((primary ? PRIMARY : 0) | (multiPrimary ? MULTI_PRIMARY : 0)).u8(hash.code());
        out.bytes(hashFilter);
        out.list(attributes, (each, to) -> to.text(each.name()).text(each.value()));
        out.list(servers, SiteServer::write);
    }

    /**
     * Returns the index of the server that holds a handle, from 0: the last 32 bits of MD5 of the folded part, without
     * their sign, modulo the number of servers.
     *
     * @throws IllegalStateException if the site has no servers
     */
    public int serverOf(Handle handle) {
        if (servers.isEmpty()) {
            throw new IllegalStateException("a site without servers holds nothing");
        }
        return hash.serverOf(handle, servers.size());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SiteRecord that && Arrays.equals(write(), that.write());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(write());
    }

    /** Returns its version, serial, number of servers, and the first descriptive attribute. */
    @Override
    public String toString() {
        String description = attributes.stream()
                .filter(each -> each.name().equals("desc"))
                .map(each -> " " + each.value())
                .findFirst()
                .orElse("");
        return "site " + majorVersion + "." + minorVersion + " serial " + serial + ", " + servers.size() + " servers"
                + description;
    }
}
