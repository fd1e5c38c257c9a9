package io.guidepost.server.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The header lines of a request as nearly all are (RFC 9112 section 5).
 *
 * @param lines that it was read of, for a comparison with others
 * @param byName by name in lower case; immutable
 * @param bodyBytes of the body, {@link #NONE} if nothing is said
 */
@SuppressWarnings("ArrayRecordComponent") // Compared with others, never changed.
record Http11FastHeaders(byte[] lines, Map<String, List<String>> byName, int bodyBytes) {
    /** Said of a body whose length is not said. */
    static final int NONE = -1;

    private static final int LENGTH_DIGITS_MAX = 6;

    /** What changes how a message is read or answered: for the full codec. */
    private static final Set<String> UNUSUAL =
            Set.of("transfer-encoding", "upgrade", "expect", "te", "trailer", "http2-settings", "proxy-connection");

    /**
     * Reads lines, each with its end; null if anything in them is not plain: a control character, a byte above 126, a
     * line that goes on, space before a colon, one Host too many or too few, two lengths.
     *
     * @param to end of the last line
     */
    static @Nullable Http11FastHeaders read(byte[] in, int from, int to) {
        Map<String, List<String>> byName = new LinkedHashMap<>();
        int at = from;
        while (at < to) {
            int colon = at;
            while (colon < to && isToken(in[colon])) {
                colon++;
            }
            if (colon == at || colon == to || in[colon] != ':') {
                return null;
            }
            int end = colon + 1;
            while (end < to && (in[end] >= ' ' && in[end] < 127 || in[end] == '\t')) {
                end++;
            }
            if (end + 2 > to || in[end] != '\r' || in[end + 1] != '\n') {
                return null;
            }
            String name = text(in, at, colon).toLowerCase(Locale.ROOT);
            byName.computeIfAbsent(name, each -> new ArrayList<>(1)).add(text(in, colon + 1, end).strip());
            at = end + 2;
        }
        int bodyBytes = bodyBytes(byName.get("content-length"));
        List<String> hosts = byName.getOrDefault("host", List.of());
        boolean plain = bodyBytes >= NONE
                && hosts.size() == 1
                && RequestTarget.isHost(hosts.getFirst())
                && staysOpen(byName.getOrDefault("connection", List.of()))
                && Collections.disjoint(byName.keySet(), UNUSUAL);
        if (!plain) {
            return null;
        }
        byName.replaceAll((name, values) -> List.copyOf(values));
        byte[] lines = new byte[to - from];
        System.arraycopy(in, from, lines, 0, lines.length);
        return new Http11FastHeaders(lines, Collections.unmodifiableMap(byName), bodyBytes);
    }

    private static String text(byte[] in, int from, int to) {
        return new String(in, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** Whether a name may have this character (RFC 9110 section 5.6.2). */
    private static boolean isToken(byte each) {
        return each >= '0' && each <= '9'
                || each >= 'a' && each <= 'z'
                || each >= 'A' && each <= 'Z'
                || "!#$%&'*+-.^_`|~".indexOf(each) >= 0;
    }

    private static boolean staysOpen(List<String> connection) {
        return connection.isEmpty()
                || connection.size() == 1 && connection.getFirst().equalsIgnoreCase("keep-alive");
    }

    /** Below {@link #NONE} if it is no length. */
    private static int bodyBytes(@Nullable List<String> said) {
        if (said == null) {
            return NONE;
        }
        String digits = said.getFirst();
        boolean number = said.size() == 1
                && !digits.isEmpty()
                && digits.length() <= LENGTH_DIGITS_MAX
                && digits.chars().allMatch(each -> each >= '0' && each <= '9');
        return number ? Integer.parseInt(digits) : NONE - 1;
    }
}
