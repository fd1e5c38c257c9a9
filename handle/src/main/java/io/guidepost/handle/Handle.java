package io.guidepost.handle;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;

/**
 * A handle: {@code prefix/suffix}, split at its first slash (RFC 3651 section 2). Its bytes should be UTF-8, but what
 * came by wire is kept as it came, so that a server can answer in the caller's spelling. Two handles are equal if their
 * bytes are; whether they name the same record is a question for {@link #folded()}. Immutable.
 *
 * <p>The handles {@code 0.NA/prefix} describe prefixes. A prefix may be derived from another: {@code 10.1000.5} is from
 * {@code 10.1000}. A name without a slash stands for {@code 0.NA/name}, as existing clients have it.
 */
public final class Handle implements Comparable<Handle> {
    /** No handle at all: some requests carry an empty one where it has no meaning. */
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
     * The handle of these bytes, which are not copied.
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
     * The handle of a text.
     *
     * @throws IllegalArgumentException if it has more than {@link HandleLimits#HANDLE_BYTES_MAX} bytes in UTF-8
     */
    public static Handle of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Reads the handle that somebody typed.
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

    /** The handle that describes a prefix: {@code 0.NA/prefix}. */
    public static Handle ofPrefix(String prefix) {
        return of(PREFIX_OF_PREFIXES + "/" + prefix);
    }

    /** Its bytes, in a new array. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Number of its bytes. */
    public int length() {
        return bytes.length;
    }

    /** Whether its bytes are UTF-8; those of a record are. */
    public boolean isUtf8() {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** Whether it is {@code /} or empty, which stands for no handle in requests that have no use for one. */
    public boolean isNone() {
        return bytes.length == 0 || bytes.length == 1 && bytes[0] == '/';
    }

    /** What stands before the first slash; {@code 0.NA} if there is none. */
    public String prefix() {
        int slash = slash(bytes);
        return slash < 0 ? PREFIX_OF_PREFIXES : new String(bytes, 0, slash, StandardCharsets.UTF_8);
    }

    /** What stands behind the first slash; all of it if there is none. */
    public String suffix() {
        int slash = slash(bytes);
        return new String(bytes, slash + 1, bytes.length - slash - 1, StandardCharsets.UTF_8);
    }

    /** Whether it describes a prefix: it is {@code 0.NA/prefix} in any case, or has no slash. */
    public boolean isPrefixHandle() {
        return slash(bytes) < 0 || slash(bytes) == PREFIX_HANDLES.length - 1 && startsFolded(PREFIX_HANDLES);
    }

    /** The folded handle that describes its prefix and has the rights over it: {@code 0.NA/PREFIX}. */
    public Handle prefixHandle() {
        int slash = slash(bytes);
        byte[] prefix = slash < 0
                ? PREFIX_OF_PREFIXES.getBytes(StandardCharsets.US_ASCII)
                : Arrays.copyOf(bytes, slash);
        byte[] whole = Arrays.copyOf(PREFIX_HANDLES, PREFIX_HANDLES.length + prefix.length);
        System.arraycopy(prefix, 0, whole, PREFIX_HANDLES.length, prefix.length);
        fold(whole, whole.length);
        // The longest handles have no suffix but a slash, and their prefix handle is longer by the length of "0.NA".
        return new Handle(whole);
    }

    /**
     * For a prefix handle, that of the prefix it is derived from: of {@code 0.NA/10.1000.5} it is {@code 0.NA/10.1000}.
     * Empty for others, and where the prefix has no dot.
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

    /** Whether one prefix is derived from another, over any number of dots: {@code 10.1000.5.1} is from {@code 10}. */
    public static boolean isDerived(String prefix, String from) {
        return prefix.length() > from.length() + 1
                && prefix.charAt(from.length()) == '.'
                && fold(prefix.substring(0, from.length())).equals(fold(from));
    }

    /** What records are found by: ASCII letters in upper case, all else byte for byte; {@code 0.NA/} if it has no slash. */
    public byte[] folded() {
        byte[] folded = withSlash();
        fold(folded, folded.length);
        return folded;
    }

    /** All of it folded, and nothing put before it if it has no slash: what hashes over whole handles are taken of. */
    public byte[] foldedAsGiven() {
        byte[] folded = bytes.clone();
        fold(folded, folded.length);
        return folded;
    }

    /** What records are found by where suffixes differ by case: only prefixes are folded, also the one after 0.NA. */
    public byte[] prefixFolded() {
        byte[] folded = withSlash();
        fold(folded, isPrefixHandle() ? folded.length : slash(folded));
        return folded;
    }

    /** Whether two handles name the same record on a server that folds case. */
    public boolean equalsFolded(Handle other) {
        return Arrays.equals(folded(), other.folded());
    }

    /**
     * The key under which its record is kept.
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

    /** The GUID by which its places are found through GNRS: the first 20 bytes of SHA-256 of the folded handle. */
    public Guid guid() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(folded());
            return Guid.of(Arrays.copyOf(digest, Guid.BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
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

    /** A text with its ASCII letters in upper case: how names of types and prefixes are compared. */
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

    /** Its text; bytes that are no UTF-8 show as replacement characters. */
    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
