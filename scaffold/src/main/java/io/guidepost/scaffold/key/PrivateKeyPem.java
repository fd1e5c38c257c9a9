package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** Private keys in PEM, PKCS #8 (RFC 7468 section 10), as {@code openssl genpkey -algorithm X25519} writes them too. */
final class PrivateKeyPem {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final int LINE_CHARACTERS = 64;

    private PrivateKeyPem() {}

    static byte[] write(PrivateKey key) {
        String text = Base64.getMimeEncoder(LINE_CHARACTERS, new byte[] {'\n'}).encodeToString(key.getEncoded());
        return (BEGIN + '\n' + text + '\n' + END + '\n').getBytes(StandardCharsets.US_ASCII);
    }

    static PrivateKey read(byte[] file, String algorithm) throws Malformed {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END, Math.max(begin, 0));
        if (begin < 0 || end < 0) {
            throw refusal("there are no lines " + BEGIN + " and " + END, algorithm);
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw refusal("this is no private key of " + algorithm, algorithm);
        }
    }

    static Malformed refusal(String what, String algorithm) {
        return new Malformed(what + ": make one by openssl genpkey -algorithm " + algorithm, 0);
    }
}
