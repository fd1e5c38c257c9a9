package io.guidepost.handle.value;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A typed datum of a record (RFC 3651 section 3.1).
 *
 * <pre>
 *  offset size
 *     0     4  index
 *     4     4  last changed, seconds since 1970
 *     8     1  kind of TTL: 0 relative, 1 absolute
 *     9     4  TTL, seconds
 *    13     1  permissions, see Permissions
 *    14   4+n  type, text
 *     .   4+n  data
 *     .     4  r, number of references
 *     .     .  r references, each a handle and an index, see ValueReference
 * </pre>
 *
 * @param index its number within the record; positive in a stored record, any 32 bits on the wire
 * @param type its type, compared ignoring ASCII case, see {@link ValueType}
 * @param data its bytes; treated as immutable
 * @param permissions who may read and change it
 * @param ttl how long a cache may keep it
 * @param changedSeconds time of the last change, seconds since 1970, 0 to 2^32-1
 * @param references other values that this one refers to
 */
public record HandleValue(
        int index,
        String type,
        byte[] data,
        Permissions permissions,
        Ttl ttl,
        long changedSeconds,
        List<ValueReference> references)
        implements WireRecord {
    /** Bytes of the shortest value: no type, data or references. */
    public static final int BYTES_MIN = 26;

    private static final int RELATIVE = 0;
    private static final int ABSOLUTE = 1;

    /** Copies the list, and refuses a time that 32 bits do not hold. */
    public HandleValue {
        references = List.copyOf(references);
        if (changedSeconds >>> 32 != 0) {
            throw new IllegalArgumentException("a timestamp has 32 bits, " + changedSeconds + " has more");
        }
    }

    /** Returns a value with the usual permissions and TTL, never changed. */
    public static HandleValue of(int index, String type, byte[] data) {
        return new HandleValue(index, type, data, Permissions.USUAL, Ttl.usual(), 0, List.of());
    }

    /** Returns a text value with the usual permissions and TTL, never changed. */
    public static HandleValue of(int index, String type, String text) {
        return of(index, type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the value with another time of change: a server replaces the client's time by its own clock. */
    public HandleValue changedAt(long seconds) {
        return new HandleValue(index, type, data, permissions, ttl, seconds, references);
    }

    /** Returns whether the value is of a type; subtypes of types that decide on rights are. */
    public boolean is(ValueType wanted) {
        return wanted.isOf(type);
    }

    /** Reads one value, and leaves the bytes after it. */
    public static HandleValue readPrefix(WireReader in) throws Malformed {
        int index = in.u32();
        long changed = in.seconds();
        Ttl ttl = readTtl(in);
        Permissions permissions = new Permissions(in.u8());
        String type = in.text(HandleLimits.TYPE_BYTES_MAX);
        byte[] data = in.bytes();
        return new HandleValue(index, type, data, permissions, ttl, changed, ValueReference.readList(in));
    }

    private static Ttl readTtl(WireReader in) throws Malformed {
        int at = in.position();
        return switch (in.u8()) {
            case RELATIVE -> new Ttl.Relative(in.seconds());
            case ABSOLUTE -> new Ttl.Until(in.seconds());
            default -> throw new Malformed("the kind of a TTL is 0 (relative) or 1 (absolute)", at);
        };
    }

    /** Reads bytes that are one value. */
    public static HandleValue read(byte[] bytes) throws Malformed {
        return WireReader.whole(bytes, HandleValue::readPrefix);
    }

    /** Reads the values of a record after their count, and leaves the bytes after them. */
    public static List<HandleValue> readList(WireReader in) throws Malformed {
        return in.list(BYTES_MIN, HandleLimits.VALUES_MAX, HandleValue::readPrefix);
    }

    @Override
    public void write(WireWriter out) {
        out.u32(index).seconds(changedSeconds).u8(ttl.kind()).seconds(ttl.seconds()).u8(permissions.bits());
        out.text(type).bytes(data).list(references, ValueReference::write);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HandleValue that
                && index == that.index
                && type.equals(that.type)
                && Arrays.equals(data, that.data)
                && permissions.equals(that.permissions)
                && ttl.equals(that.ttl)
                && changedSeconds == that.changedSeconds
                && references.equals(that.references);
    }

    @Override
    public int hashCode() {
        return 31 * index + Arrays.hashCode(data);
    }

    /** Returns index, type and permissions, but no data, which may be a secret. */
    @Override
    public String toString() {
        return Integer.toUnsignedString(index) + " " + type + " " + permissions + " (" + data.length + " bytes)";
    }
}
