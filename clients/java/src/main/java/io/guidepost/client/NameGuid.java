package io.guidepost.client;

import io.guidepost.client.GuidepostException.Kind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/** From a name to its GUID, the 20 bytes under which GNRS knows it; docs/clients.md has the forms. */
public final class NameGuid {
    private static final String SCHEME = "guid:";
    private static final Pattern DIGITS = Pattern.compile("[0-9a-fA-F]{40}");
    private static final Pattern UUID = Pattern.compile("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final Pattern HANDLE = Pattern.compile("(?s)(?:[0-9]+(?:\\.[0-9]+)*|0\\.[nN][aA])/.+");
    private static final Pattern WORD = Pattern.compile("[!-~]{1,20}");
    private static final int NAME_BYTES_MAX = 2048;

    private NameGuid() {}

    /**
     * Returns the 20 bytes of a name: a GUID itself, a word of at most 20 characters, or the beginning of SHA-256 of its form.
     *
     * @throws GuidepostException if it is no name
     */
    public static byte[] of(String name) {
        boolean given = name.startsWith(SCHEME);
        String rest = given ? name.substring(SCHEME.length()) : name;
        if (DIGITS.matcher(rest).matches()) {
            return HexFormat.of().parseHex(rest);
        }
        boolean handle = HANDLE.matcher(name).matches();
        String form = handle ? Pattern.compile("[a-z]+").matcher(name).replaceAll(each -> each.group().toUpperCase(Locale.ROOT))
                : UUID.matcher(name).matches() ? name.toLowerCase(Locale.ROOT) : Normalizer.normalize(rest, Normalizer.Form.NFC);
        byte[] bytes = form.getBytes(StandardCharsets.UTF_8);
        boolean word = WORD.matcher(form).matches() && !handle;
        if (bytes.length < 1 || bytes.length > NAME_BYTES_MAX || given && !word) {
            throw new GuidepostException(Kind.INVALID, given
                    ? "guid: is followed by 40 hexadecimal digits or a word of at most 20 characters"
                    : "a name has 1 to " + NAME_BYTES_MAX + " bytes in UTF-8, not " + bytes.length);
        }
        try {
            return Arrays.copyOf(word ? bytes : MessageDigest.getInstance("SHA-256").digest(bytes), LookupCodec.GUID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
