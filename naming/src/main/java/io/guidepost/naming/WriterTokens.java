package io.guidepost.naming;

import io.guidepost.base.Sha256;
import io.guidepost.names.NameForm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.text.Normalizer;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tokens and certificates of writers, each bound to a prefix of names. The file has only their hashes, one a line: {@code sha256:}
 * for a token, {@code certificate:} for one of TLS, and 64 hexadecimal digits, a blank, and the prefix, to the end of the line; without
 * a prefix all names may be written. Lines that begin with {@code #} are comments. Immutable.
 */
public final class WriterTokens {
    /** There are none. */
    public static final WriterTokens NONE = new WriterTokens(Map.of());

    private static final String SCHEME = "gp_";
    private static final int TOKEN_BYTES = 32;
    private static final Pattern LINE = Pattern.compile("((?:sha256|certificate):[0-9a-f]{64})(?:[ \t]+(.*))?");

    private final Map<String, String> prefixes;

    private WriterTokens(Map<String, String> prefixes) {
        this.prefixes = prefixes;
    }

    /**
     * Reads a file of hashes.
     *
     * @throws IOException with file and line, if it cannot be read or a line is malformed
     */
    public static WriterTokens read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        Map<String, String> prefixes = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IOException(file + ":" + (i + 1) + ": a line is sha256: or certificate: and 64 hexadecimal digits, and a prefix"
                        + " of names; guidepost token new makes one");
            }
            if (prefixes.size() == NamingLimits.TOKENS_MAX) {
                throw new IOException(file + ":" + (i + 1) + ": there are at most " + NamingLimits.TOKENS_MAX + " lines");
            }
            String prefix = parts.group(2) == null ? "" : parts.group(2);
            prefixes.put(parts.group(1), Normalizer.normalize(prefix, Normalizer.Form.NFC));
        }
        return new WriterTokens(Map.copyOf(prefixes));
    }

    /** Returns a new token. */
    public static String create(RandomGenerator random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return SCHEME + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the line of the file for a token. */
    public static String line(String token, String prefix) {
        return (hash(token) + " " + prefix).strip();
    }

    /**
     * Returns the line of the file for a certificate.
     *
     * @throws CertificateEncodingException if it cannot be encoded
     */
    public static String line(X509Certificate certificate, String prefix) throws CertificateEncodingException {
        return (hash(certificate) + " " + prefix).strip();
    }

    private static String hash(String token) {
        return "sha256:" + HexFormat.of().formatHex(Sha256.of(token.getBytes(StandardCharsets.UTF_8)));
    }

    private static String hash(X509Certificate certificate) throws CertificateEncodingException {
        return "certificate:" + HexFormat.of().formatHex(Sha256.of(certificate.getEncoded()));
    }

    /** Returns the number of tokens and certificates. */
    public int size() {
        return prefixes.size();
    }

    /** Returns the prefix that a token may write; empty if it is not known. */
    Optional<String> prefix(String token) {
        return Optional.ofNullable(prefixes.get(hash(token)));
    }

    /** Returns whether clients are to be asked for certificates. */
    public boolean haveCertificates() {
        return prefixes.keySet().stream().anyMatch(each -> each.startsWith("certificate:"));
    }

    /** Returns the prefix that the client with a certificate may write, whose key TLS has seen to; empty if it is not known. */
    Optional<String> prefix(X509Certificate certificate) {
        try {
            return Optional.ofNullable(prefixes.get(hash(certificate)));
        } catch (CertificateEncodingException e) {
            return Optional.empty();
        }
    }

    /** Returns whether a prefix covers a name: one that is known by its GUID alone is covered by the empty prefix only. */
    static boolean covers(String prefix, NameForm name) {
        return prefix.isEmpty() || name.text().filter(each -> each.startsWith(prefix)).isPresent();
    }
}
