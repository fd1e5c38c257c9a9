package io.guidepost.scaffold.resume;

import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The head of an HTTP/1 message (RFC 9112): its first line and its fields. Strict: what is not plainly right is no head, and a
 * flow with it is not repeated.
 *
 * @param line the first line, without its end
 * @param fields names in lower case, and values, in the order in which they came
 * @param bytes of the head, the empty line at its end included
 */
record HttpHead(String line, List<Field> fields, int bytes) {
    /** Bytes of a head; a longer one is none. */
    static final int BYTES_MAX = 64 << 10;

    /** A field of a head. */
    record Field(String name, String value) {}

    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    /**
     * Reads a head from the front of some bytes.
     *
     * @return null if its end has not come yet
     * @throws Malformed if this becomes none
     */
    static @Nullable HttpHead read(byte[] bytes, int length) throws Malformed {
        int end = end(bytes, length);
        if (end < 0) {
            if (length >= BYTES_MAX) {
                throw new Malformed("the head is longer than 64 KiB", BYTES_MAX);
            }
            return null;
        }
        String[] lines = new String(bytes, 0, end - 4, StandardCharsets.ISO_8859_1).split("\r\n", -1);
        List<Field> fields = new ArrayList<>();
        int at = lines[0].length() + 2;
        for (int i = 1; i < lines.length; i++) {
            fields.add(field(lines[i], at));
            at += lines[i].length() + 2;
        }
        return new HttpHead(lines[0], List.copyOf(fields), end);
    }

    private static int end(byte[] bytes, int length) {
        for (int i = 3; i < Math.min(length, BYTES_MAX); i++) {
            if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
                return i + 1;
            }
        }
        return -1;
    }

    private static Field field(String line, int at) throws Malformed {
        int colon = line.indexOf(':');
        if (colon < 1 || line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0) {
            throw new Malformed("a line of the head is no field", at);
        }
        for (int i = 0; i < colon; i++) {
            char c = line.charAt(i);
            boolean token = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || TOKEN_MARKS.indexOf(c) >= 0;
            if (!token) {
                throw new Malformed("a field has a name that is no token", at + i);
            }
        }
        return new Field(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }

    boolean has(String name) {
        return fields.stream().anyMatch(each -> each.name().equals(name));
    }

    /** Returns the value of a field; null if the head has none, or several. */
    @Nullable
    String only(String name) {
        List<Field> all = fields.stream().filter(each -> each.name().equals(name)).toList();
        return all.size() == 1 ? all.getFirst().value() : null;
    }

    /** Returns the number that a field is; -1 if the head has none or several, or it is no number of up to 18 digits. */
    long number(String name) {
        String text = only(name);
        return text != null && text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }

    /** Returns a strong entity tag (RFC 9110 section 8.8.3); null if there is none. */
    @Nullable
    String strongTag() {
        String tag = only("etag");
        return tag != null && tag.length() >= 2 && tag.startsWith("\"") && tag.endsWith("\"") ? tag : null;
    }
}
