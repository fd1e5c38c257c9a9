package io.guidepost.handle;

import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A handle: {@code prefix/suffix}, split at its first slash (RFC 3651 section 2). Its bytes should be UTF-8; bytes off
 * the wire are kept unchanged, so that a server answers in the client's spelling. Two handles are equal if their bytes
 * are; {@link #folded()} tells whether they name the same record. Immutable.
 *
 * <p>The handles {@code 0.NA/prefix} describe prefixes. A prefix may be derived from another: {@code 10.1000.5} from
 * {@code 10.1000}. A name without a slash stands for {@code 0.NA/name}, as in existing clients.
 */
public final class Handle implements Comparable<Handle> {
    /** No handle: some requests carry an empty one where it has no meaning. */
    public static final Handle NONE = new Handle(new byte[0]);

    /** What existing clients send where a handle has no meaning. */
    public static final Handle SLASH = new Handle(new byte[] {'/'});

    /** The prefix of the handles that describe prefixes. */
    public static final String PREFIX_OF_PREFIXES = "0.NA";

    private static final byte[] PREFIX_HANDLES = (PREFIX_OF_PREFIXES + "/").getBytes(StandardCharsets.US_ASCII);

    private final byte[] bytes;

    private Handle(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the handle of these bytes, which are not copied.
     *
     * @throws IllegalArgumentException if there are more than {@link HandleLimits#HANDLE_BYTES_MAX}
     */
    public static Handle of(byte[] bytes) {
        if (bytes.length > HandleLimits.HANDLE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a handle has at most " + HandleLimits.HANDLE_BYTES_MAX + " bytes, not " + bytes.length);
        }
        return new Handle(bytes);
    }

    /**
     * Returns the handle of a text.
     *
     * @throws IllegalArgumentException if it has more than {@link HandleLimits#HANDLE_BYTES_MAX} bytes in UTF-8
     */
    public static Handle of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses a handle that a person typed.
     *
     * @throws Malformed if it is empty or has more than {@link HandleLimits#HANDLE_BYTES_MAX} bytes in UTF-8
     */
    public static Handle parse(String text) throws Malformed {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > HandleLimits.HANDLE_BYTES_MAX) {
            throw new Malformed(
                    "a handle has 1 to " + HandleLimits.HANDLE_BYTES_MAX + " bytes, not " + bytes.length, 0);
        }
        return new Handle(bytes);
    }

    /** Returns the handle that describes a prefix: {@code 0.NA/prefix}. */
    public static Handle ofPrefix(String prefix) {
        return of(PREFIX_OF_PREFIXES + "/" + prefix);
    }

    /** Returns its bytes, in a new array. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns the number of its bytes. */
    public int length() {
        return bytes.length;
    }

    /** Returns whether its bytes are UTF-8, as those of a stored record are. */
    public boolean isUtf8() {
        return Utf8.decode(bytes).isPresent();
    }

    /** Returns whether it is {@code /} or empty: no handle. */
    public boolean isNone() {
        return bytes.length == 0 || bytes.length == 1 && bytes[0] == '/';
    }

    /** Returns the part before the first slash; {@code 0.NA} if there is none. */
    public String prefix() {
        int slash = slash(bytes);
        return slash < 0 ? PREFIX_OF_PREFIXES : new String(bytes, 0, slash, StandardCharsets.UTF_8);
    }

    /** Returns the part after the first slash; all of it if there is none. */
    public String suffix() {
        int slash = slash(bytes);
        return new String(bytes, slash + 1, bytes.length - slash - 1, StandardCharsets.UTF_8);
    }

    /** Returns whether it describes a prefix: it is {@code 0.NA/prefix} in any case, or has no slash. */
    public boolean isPrefixHandle() {
        return slash(bytes) < 0 || slash(bytes) == PREFIX_HANDLES.length - 1 && startsFolded(PREFIX_HANDLES);
    }

    /** Returns the folded handle of its prefix, which holds the rights over it: {@code 0.NA/PREFIX}. */
    public Handle prefixHandle() {
        int slash = slash(bytes);
        byte[] prefix = slash < 0
                ? PREFIX_OF_PREFIXES.getBytes(StandardCharsets.US_ASCII)
                : Arrays.copyOf(bytes, slash);
        byte[] whole = Arrays.copyOf(PREFIX_HANDLES, PREFIX_HANDLES.length + prefix.length);
        System.arraycopy(prefix, 0, whole, PREFIX_HANDLES.length, prefix.length);
        fold(whole, whole.length);
        // The prefix handle of a handle of full length without a suffix is longer by the length of "0.NA".
        return new Handle(whole);
    }

    /**
     * Returns the prefix handle that this prefix handle is derived from: for {@code 0.NA/10.1000.5} it is
     * {@code 0.NA/10.1000}. Empty for other handles, and for a prefix without a dot.
     */
    public Optional<Handle> parentPrefixHandle() {
        if (!isPrefixHandle()) {
            return Optional.empty();
        }
        byte[] whole = withSlash();
        for (int dot = whole.length - 1; dot >= PREFIX_HANDLES.length; dot--) {
            if (whole[dot] == '.') {
                return Optional.of(new Handle(Arrays.copyOf(whole, dot)));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the look-up key: ASCII letters in upper case, all other bytes unchanged; with {@code 0.NA/} in front if
     * there is no slash.
     */
    public byte[] folded() {
        byte[] folded = withSlash();
        fold(folded, folded.length);
        return folded;
    }

    /** Returns all of it folded, without {@code 0.NA/} in front: the input of hashes over whole handles. */
    public byte[] foldedAsGiven() {
        byte[] folded = bytes.clone();
        fold(folded, folded.length);
        return folded;
    }

    /** Returns the look-up key where suffixes are case-sensitive: only prefixes are folded, also the one after 0.NA. */
    public byte[] prefixFolded() {
        byte[] folded = withSlash();
        fold(folded, isPrefixHandle() ? folded.length : slash(folded));
        return folded;
    }

    /** Returns whether two handles name the same record on a server that folds case. */
    public boolean equalsFolded(Handle other) {
        return Arrays.equals(folded(), other.folded());
    }

    /**
     * Returns the key under which its record is kept.
     *
     * @param caseSensitive whether suffixes differ by case
     * @throws Malformed if it is empty, or too long with the prefix of prefixes before it
     */
    public Name name(boolean caseSensitive) throws Malformed {
        byte[] found = caseSensitive ? prefixFolded() : folded();
        byte[] key = new byte[1 + found.length];
        key[0] = Name.Namespace.HANDLE.code();
        System.arraycopy(found, 0, key, 1, found.length);
        return Name.ofKey(key);
    }

    /** Returns the GUID under which GNRS finds its locators: the first 20 bytes of SHA-256 of the folded handle. */
    public Guid guid() {
        return Guid.of(Arrays.copyOf(Sha256.of(folded()), Guid.BYTES));
    }

    private byte[] withSlash() {
        if (slash(bytes) >= 0) {
            return bytes.clone();
        }
        byte[] whole = Arrays.copyOf(PREFIX_HANDLES, PREFIX_HANDLES.length + bytes.length);
        System.arraycopy(bytes, 0, whole, PREFIX_HANDLES.length, bytes.length);
        return whole;
    }

    private boolean startsFolded(byte[] start) {
        byte[] mine = Arrays.copyOf(bytes, start.length);
        fold(mine, mine.length);
        return Arrays.equals(mine, start);
    }

    private static int slash(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '/') {
                return i;
            }
        }
        return -1;
    }

    private static void fold(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] >= 'a' && bytes[i] <= 'z') {
                bytes[i] = (byte) (bytes[i] - ('a' - 'A'));
            }
        }
    }

    /** Folds a text: ASCII letters in upper case. Names of types and prefixes are compared so. */
    public static String fold(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        fold(bytes, bytes.length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Orders by bytes, unsigned. */
    @Override
    public int compareTo(Handle other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Handle that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns its text; bytes that are not UTF-8 show as replacement characters. */
    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
