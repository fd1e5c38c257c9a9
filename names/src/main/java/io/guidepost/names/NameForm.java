package io.guidepost.names;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A name as people and programs write it, and its GUID. A name takes one of these forms, the first that fits:
 *
 * <pre>
 *  what is written                                     form                              GUID
 *  40 hexadecimal digits; guid: and 40 digits          none, the text is not known       the digits
 *  guid: and a word                                    the word                          its characters, zero bytes behind them
 *  a UUID                                              in lower case                     hash
 *  a handle: digits and dots, or 0.NA; slash; suffix   ASCII letters in upper case       hash, as the handle's locators have it
 *  a word: 1 to 20 printable ASCII characters          as it is                          its characters, zero bytes behind them
 *  other text of 1 to 2,048 bytes                      in NFC                            hash
 * </pre>
 *
 * The hash is the first 20 bytes of SHA-256 over the form in UTF-8. Immutable.
 *
 * @param text the form; empty if only the GUID is known
 * @param guid the GUID that servers keep its record under
 */
public record NameForm(Optional<String> text, Guid guid) {
    /** What a name that is given by its GUID begins with. */
    public static final String GUID_SCHEME = "guid:";

    private static final int UUID_CHARS = 36;
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private static final Pattern HANDLE = Pattern.compile("(?:[0-9]+(?:\\.[0-9]+)*|0\\.[nN][aA])/.+", Pattern.DOTALL);

    /**
     * Parses a name.
     *
     * @throws Malformed if it is empty, too long, or no text
     */
    public static NameForm parse(String name) throws Malformed {
        if (name.startsWith(GUID_SCHEME)) {
            return of(Guid.parse(name.substring(GUID_SCHEME.length())));
        }
        if (name.length() == 2 * Guid.BYTES && name.chars().allMatch(each -> Character.digit(each, 16) >= 0 && each <= 'f')) {
            return of(Guid.parse(name));
        }
        // Nearly all names are: they have no other form, and nothing in them that is no text.
        boolean printable = isPrintable(name);
        if (!printable) {
            check(name);
        }
        String form = name.length() == UUID_CHARS && UUID.matcher(name).matches()
                ? name.toLowerCase(Locale.ROOT)
                : isHandle(name) ? folded(name) : printable ? name : Normalizer.normalize(name, Normalizer.Form.NFC);
        byte[] bytes = form.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > CommonLimits.NAME_BYTES_MAX) {
            throw new Malformed(
                    "a name has at most " + CommonLimits.NAME_BYTES_MAX + " bytes of UTF-8, not " + bytes.length,
                    CommonLimits.NAME_BYTES_MAX);
        }
        boolean word = bytes.length <= Guid.BYTES && (printable || isPrintable(bytes, bytes.length)) && !isHandle(form);
        return new NameForm(Optional.of(form), word ? Guid.ofAscii(form) : hash(bytes));
    }

    /** Returns the name of a GUID: with its text if that is a word. */
    public static NameForm of(Guid guid) {
        return new NameForm(word(guid), guid);
    }

    /** Returns the word that a GUID is made of; empty for one that is a hash, or other bytes. */
    public static Optional<String> word(Guid guid) {
        byte[] bytes = guid.toBytes();
        int length = wordLength(bytes);
        if (length == 0) {
            return Optional.empty();
        }
        String word = new String(bytes, 0, length, StandardCharsets.US_ASCII);
        return word.startsWith(GUID_SCHEME) || isHandle(word) ? Optional.empty() : Optional.of(word);
    }

    /** Returns whether a GUID is made of a word, as {@link #word} tells. */
    public static boolean isWord(Guid guid) {
        char first = (char) (guid.high() >>> 56);
        boolean plain = first > ' ' && first <= '~' && first != GUID_SCHEME.charAt(0) && (first < '0' || first > '9');
        return plain ? wordLength(guid.toBytes()) > 0 : word(guid).isPresent();
    }

    /** Returns the characters of a word that fills 20 bytes with zeros behind it; 0 if it is none. */
    private static int wordLength(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return isPrintable(bytes, length) ? length : 0;
    }

    /** Returns whether a text in its form is that of a GUID, as a server checks that is told both. */
    public static boolean matches(String text, Guid guid) {
        try {
            NameForm form = parse(text);
            return form.guid.equals(guid) && form.text.equals(Optional.of(text));
        } catch (Malformed e) {
            return false;
        }
    }

    private static Guid hash(byte[] form) {
        return Guid.of(Arrays.copyOf(Sha256.of(form), Guid.BYTES));
    }

    private static boolean isHandle(String name) {
        char first = name.isEmpty() ? 0 : name.charAt(0);
        return first >= '0' && first <= '9' && HANDLE.matcher(name).matches();
    }

    private static boolean isPrintable(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) <= ' ' || name.charAt(i) > '~') {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= CommonLimits.NAME_BYTES_MAX;
    }

    private static String folded(String handle) {
        StringBuilder folded = new StringBuilder(handle);
        for (int i = 0; i < folded.length(); i++) {
            char each = folded.charAt(i);
            if (each >= 'a' && each <= 'z') {
                folded.setCharAt(i, (char) (each - 'a' + 'A'));
            }
        }
        return folded.toString();
    }

    private static boolean isPrintable(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[i] <= ' ' || bytes[i] > '~') {
                return false;
            }
        }
        return length > 0;
    }

    private static void check(String name) throws Malformed {
        if (name.isEmpty()) {
            throw new Malformed("a name has at least one character", 0);
        }
        if (name.length() > CommonLimits.NAME_BYTES_MAX) {
            throw new Malformed("a name has at most " + CommonLimits.NAME_BYTES_MAX + " bytes of UTF-8", CommonLimits.NAME_BYTES_MAX);
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                throw new Malformed(String.format(Locale.ROOT, "a name has no control characters such as U+%04X", (int) name.charAt(i)), i);
            }
        }
        CharBuffer in = CharBuffer.wrap(name);
        try {
            ByteBuffer _ = StandardCharsets.UTF_8.newEncoder().encode(in);
        } catch (CharacterCodingException e) {
            throw new Malformed("half of a surrogate pair is no character", in.position());
        }
    }

    /** Returns the text, or {@code guid:} and 40 digits where it is not known. */
    @Override
    public String toString() {
        return text.orElseGet(() -> GUID_SCHEME + guid);
    }
}
