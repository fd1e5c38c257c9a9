package io.guidepost.names;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The key of a record: a namespace and bytes. The store sorts by the namespace byte followed by the bytes. Immutable;
 * the arrays passed in and out are copies.
 */
public final class Name implements Comparable<Name> {
    /**
     * The namespaces, one row each; the code is the first byte of every key in the store. No lookup of a door finds a record of
     * those that are only scanned, some for each name: the store keeps them out of its read index.
     */
    public enum Namespace {
        /** 20-byte flat names of GNRS and SCAFFOLD. */
        GUID(1, false),
        /** Handles, {@code prefix/suffix} in UTF-8, folded. */
        HANDLE(2, false),
        /** Internal state of the Handle door: prefixes that are homed here, search entries, transactions, positions of mirrors. */
        HANDLE_STATE(3, true),
        /** Internal state of SCAFFOLD's object router: hosts, and the instances of objects; each is compared before it is written. */
        SCAFFOLD_STATE(4, false),
        /** Texts of names, which follow from the records of GUIDs: what is listed. */
        NAME_TEXT(5, true),
        /** What leases of names hold, which follows from the records of GUIDs. */
        LEASE(6, true);

        /** By code, which begins at 1. */
        private static final Namespace[] ALL = values();

        private static final long SCANNED = Arrays.stream(ALL)
                .filter(each -> each.scanned)
                .mapToLong(each -> 1L << each.code)
                .reduce(0, (one, other) -> one | other);

        private final byte code;
        private final boolean scanned;

        Namespace(int code, boolean scanned) {
            this.code = (byte) code;
            this.scanned = scanned;
        }

        /** Returns whether records are only scanned of the namespace that a key's first byte names. */
        public static boolean isScanned(byte code) {
            return code >= 0 && code < Long.SIZE && (SCANNED >>> code & 1) != 0;
        }

        /** Returns the first byte of a key. */
        public byte code() {
            return code;
        }

        static Namespace ofCode(byte code) throws Malformed {
            if (code < 1 || code > ALL.length) {
                throw new Malformed("namespace " + code + " is unknown", 0);
            }
            return ALL[code - 1];
        }
    }

    private final byte[] key;

    private Name(byte[] key) {
        this.key = key;
    }

    /** Returns the name of a GUID. */
    public static Name of(Guid guid) {
        byte[] key = new byte[1 + Guid.BYTES];
        key[0] = Namespace.GUID.code;
        System.arraycopy(guid.toBytes(), 0, key, 1, Guid.BYTES);
        return new Name(key);
    }

    /**
     * Returns the name of a key.
     *
     * @throws Malformed if the namespace is unknown, or the length is outside what {@code CommonLimits} allows
     */
    public static Name ofKey(byte[] key) throws Malformed {
        if (key.length < 2 || key.length > 1 + CommonLimits.NAME_BYTES_MAX) {
            throw new Malformed(
                    "a key has 2 to " + (1 + CommonLimits.NAME_BYTES_MAX) + " bytes, not " + key.length, 0);
        }
        if (Namespace.ofCode(key[0]) == Namespace.GUID && key.length != 1 + Guid.BYTES) {
            throw new Malformed("the key of a GUID has 21 bytes, not " + key.length, 0);
        }
        return new Name(key.clone());
    }

    /** Returns the key by which a name's text is listed. */
    public static byte[] textKey(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[1 + bytes.length];
        key[0] = Namespace.NAME_TEXT.code;
        System.arraycopy(bytes, 0, key, 1, bytes.length);
        return key;
    }

    /** Returns the text of such a key. */
    public static String text(byte[] textKey) {
        return new String(textKey, 1, textKey.length - 1, StandardCharsets.UTF_8);
    }

    /** Returns the namespace byte and the bytes of the name, in a new array. */
    public byte[] key() {
        return key.clone();
    }

    /** Returns the namespace of the bytes. */
    public Namespace namespace() {
        try {
            return Namespace.ofCode(key[0]);
        } catch (Malformed e) {
            throw new AssertionError("a Name is made of checked keys only", e);
        }
    }

    /** Orders by key, bytes unsigned: the order of a scan. */
    @Override
    public int compareTo(Name other) {
        return Arrays.compareUnsigned(key, other.key);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Name that && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(key);
    }

    /** Returns the namespace and the bytes in hexadecimal, for logs. */
    @Override
    public String toString() {
        return namespace().name().toLowerCase(java.util.Locale.ROOT) + ":"
                + HexFormat.of().formatHex(key, 1, key.length);
    }
}
