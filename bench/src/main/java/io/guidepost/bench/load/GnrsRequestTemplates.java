package io.guidepost.bench.load;

import io.guidepost.names.Guid;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;

/**
 * Encodes requests about {@link SyntheticRecords}: a template of each kind, with request id, GUID and locator patched
 * in.
 *
 * <pre>
 *  offset size
 *     0    16  header; the id at 4
 *    16     n  origin: n = 6 (IPv4, port) or 18 (IPv6, port)
 *  16+n    20  GUID
 *  36+n     4  number of bindings, 1        ┐
 *  40+n     4  type 0, length 6             │ INSERT and UPDATE alone
 *  44+n     6  the place                    ┘
 *     .     4  option RECURSION, if the server may ask others
 * </pre>
 */
public final class GnrsRequestTemplates {
    /** Kinds of requests. */
    public enum Kind {
        /** Looks up the locators of a record. */
        LOOKUP(1),
        /** Adds a locator to a record. */
        INSERT(0),
        /** Replaces the locators of a record. */
        UPDATE(2);

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    /** The longest request, one with an IPv6 origin. */
    public static final int BYTES_MAX = 72;

    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final int ID = 4;
    private static final int HEADER_BYTES = 16;
    private static final int GUID_BYTES = 20;
    private static final int BINDING_BYTES = 14;

    /** Offset of the locator after the GUID: after count, type and length. */
    private static final int PLACE = 8;

    private static final int IPV4_TYPE = 0;
    private static final int IPV6_TYPE = 0xF006;

    private final MemorySegment lookup;
    private final MemorySegment insert;
    private final MemorySegment update;
    private static final int RECURSION_BYTES = 4;

    /** The last option, RECURSION, of two bytes, 1. */
    private static final int RECURSION = 0x80020001;

    private final int guidAt;
    private final boolean recursive;

    /** Creates templates with a socket as their origin. */
    public GnrsRequestTemplates(InetSocketAddress origin) {
        this(origin, false);
    }

    /**
     * Creates templates with a socket as their origin.
     *
     * @param recursive whether the server may ask other servers
     */
    public GnrsRequestTemplates(InetSocketAddress origin, boolean recursive) {
        this.recursive = recursive;
        this.guidAt = HEADER_BYTES + origin.getAddress().getAddress().length + 2;
        this.lookup = template(Kind.LOOKUP, origin);
        this.insert = template(Kind.INSERT, origin);
        this.update = template(Kind.UPDATE, origin);
    }

    private MemorySegment template(Kind kind, InetSocketAddress origin) {
        InetAddress address = origin.getAddress();
        byte[] host = address.getAddress();
        int options = guidAt + GUID_BYTES + (kind == Kind.LOOKUP ? 0 : BINDING_BYTES);
        int length = options + (recursive ? RECURSION_BYTES : 0);
        MemorySegment template = Arena.global().allocate(length, 8);
        template.set(ValueLayout.JAVA_BYTE, 1, (byte) kind.code);
        template.set(SHORT, 2, (short) length);
        template.set(SHORT, 8, (short) (recursive ? options : 0));
        template.set(SHORT, 10, (short) guidAt);
        template.set(SHORT, 12, (short) (host.length == 4 ? IPV4_TYPE : IPV6_TYPE));
        template.set(SHORT, 14, (short) (host.length + 2));
        MemorySegment.copy(host, 0, template, ValueLayout.JAVA_BYTE, HEADER_BYTES, host.length);
        template.set(SHORT, HEADER_BYTES + host.length, (short) origin.getPort());
        if (recursive) {
            template.set(INT, options, RECURSION);
        }
        if (kind != Kind.LOOKUP) {
            template.set(INT, guidAt + GUID_BYTES, 1);
            template.set(INT, guidAt + GUID_BYTES + 4, 6);
        }
        return template;
    }

    /** Writes a LOOKUP of a record and returns its length; the caller has {@link #BYTES_MAX} bytes of room. */
    public int lookup(MemorySegment to, long offset, int id, long record) {
        return write(lookup, to, offset, id, record);
    }

    /** Writes an INSERT or UPDATE that binds a record to its address and a port. */
    public int change(Kind kind, MemorySegment to, long offset, int id, long record, int port) {
        MemorySegment template = kind == Kind.INSERT ? insert : update;
        int length = write(template, to, offset, id, record);
        long place = offset + guidAt + GUID_BYTES + PLACE;
        to.set(INT, place, SyntheticRecords.address(record));
        to.set(SHORT, place + 4, (short) port);
        return length;
    }

    private int write(MemorySegment template, MemorySegment to, long offset, int id, long record) {
        int length = (int) template.byteSize();
        MemorySegment.copy(template, 0, to, offset, length);
        to.set(INT, offset + ID, id);
        long guid = offset + guidAt;
        to.set(LONG, guid, SyntheticRecords.high(record));
        to.set(LONG, guid + 8, SyntheticRecords.middle(record));
        to.set(INT, guid + 16, SyntheticRecords.low(record));
        return length;
    }

    /** Replaces the name of an encoded request. */
    public void name(MemorySegment to, long offset, Guid name) {
        name.write(to, offset + guidAt);
    }
}
