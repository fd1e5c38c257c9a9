package io.guidepost.handle.value;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A reference to a value of a record: an administrator, a member of a group, a key.
 *
 * <pre>
 *  +0  4+n  handle
 *  +4+n  4  index; 0 = any value of the record, in references to administrators
 * </pre>
 *
 * @param handle the record
 * @param index the value's number in it, 32 bits
 */
public record ValueReference(Handle handle, int index) implements WireRecord {
    /** Bytes of the shortest reference. */
    static final int BYTES_MIN = 8;

    /** The index of a client that does not identify itself. */
    public static final int ANONYMOUS = 0xffffffff;

    /**
     * Reads one, and leaves the bytes after it.
     *
     * @throws Malformed if it is cut off
     */
    public static ValueReference readPrefix(WireReader in) throws Malformed {
        return new ValueReference(in.handle(), in.u32());
    }

    /** Reads references behind their count, and leaves the bytes after them. */
    static List<ValueReference> readList(WireReader in) throws Malformed {
        return in.list(BYTES_MIN, HandleLimits.REFERENCES_MAX, ValueReference::readPrefix);
    }

    /**
     * Parses the textual forms of several, separated by a character; blank ones are skipped.
     *
     * @throws Malformed if one has no index or no handle
     */
    public static List<ValueReference> parseAll(String text, String separator) throws Malformed {
        List<ValueReference> references = new ArrayList<>();
        for (String each : text.split(separator, -1)) {
            if (!each.isBlank()) {
                references.add(parse(each.strip()));
            }
        }
        return references;
    }

    /**
     * Parses the textual form: {@code 300:1234/ADMIN}.
     *
     * @throws Malformed if it has no index or no handle
     */
    public static ValueReference parse(String text) throws Malformed {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new Malformed("an identity is an index, a colon, and a handle, as 300:1234/ADMIN is", 0);
        }
        try {
            return new ValueReference(
                    Handle.parse(text.substring(colon + 1)), Integer.parseUnsignedInt(text.substring(0, colon)));
        } catch (NumberFormatException e) {
            throw new Malformed("'" + text.substring(0, colon) + "' is not an index", 0);
        }
    }

    @Override
    public void write(WireWriter out) {
        out.handle(handle).u32(index);
    }

    /** Returns the textual form: {@code 300:1234/ADMIN}. */
    @Override
    public String toString() {
        return Integer.toUnsignedString(index) + ":" + handle;
    }
}
