package io.guidepost.names;

import java.util.Arrays;
import java.util.List;

/**
 * A typed value of a record beside its locators: the Handle value (RFC 3651 section 3.1), the richest of those that our
 * doors use.
 *
 * @param index its number within the record, unsigned 32 bits
 * @param type its type, such as {@code HS_ADMIN} or {@code URL}
 * @param data its bytes; treated as immutable
 * @param ttlMillis how long a cache may keep it; 0 = not said
 * @param expiryMillis when it ends, milliseconds since 1970; 0 = never
 * @param permissions the permission bits of the Handle system
 * @param timestampMillis when it was last changed, milliseconds since 1970
 * @param references other values that this one points to
 */
public record Value(
        int index,
        String type,
        byte[] data,
        long ttlMillis,
        long expiryMillis,
        int permissions,
        long timestampMillis,
        List<Reference> references) {

    /**
     * A pointer to a value of another record.
     *
     * @param name the record
     * @param index the value's number in it
     */
    public record Reference(String name, int index) {}

    private static final String FORM = "";

    /**
     * Returns a whole record in the private form of the door that owns its namespace: the only value, of a type without
     * a name.
     */
    public static Value ofForm(byte[] form) {
        return new Value(0, FORM, form, 0, 0, 0, 0, List.of());
    }

    /** Returns whether this is a whole record in a door's private form, see {@link #ofForm}. */
    public boolean isForm() {
        return type.equals(FORM);
    }

    /** Copies the list of references, so that the value cannot change. */
    public Value {
        references = List.copyOf(references);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Value that
                && index == that.index
                && type.equals(that.type)
                && Arrays.equals(data, that.data)
                && ttlMillis == that.ttlMillis
                && expiryMillis == that.expiryMillis
                && permissions == that.permissions
                && timestampMillis == that.timestampMillis
                && references.equals(that.references);
    }

    @Override
    public int hashCode() {
        return 31 * index + Arrays.hashCode(data);
    }
}
