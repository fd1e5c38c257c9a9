package io.guidepost.handle.json;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.key.PrivateKeyRecord;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.web.JsonField;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import tools.jackson.core.JsonGenerator;

/**
 * Keys as JSON web keys (JWK; RFC 7517, RFC 7518 section 6.3), and DSA keys in the same manner, as in existing servers.
 * Integers are unsigned, big-endian, in base64url without padding.
 *
 * <pre>
 *  {"kty":"RSA","n":modulus,"e":exponent}                    with the private part: d, p, q, dp, dq, qi
 *  {"kty":"DSA","y":key,"p":prime,"q":order,"g":generator}   private: x instead of y
 * </pre>
 */
public final class KeyJson {
    private KeyJson() {}

    /** Returns whether a key has a JSON form: Diffie-Hellman keys have none. */
    public static boolean has(PublicKeyRecord key) {
        return !(key instanceof PublicKeyRecord.Dh);
    }

    /**
     * Writes a public key.
     *
     * @throws IllegalArgumentException if it has no JSON form, see {@link #has}
     */
    public static void write(PublicKeyRecord key, JsonGenerator out) {
        out.writeStartObject();
        switch (key) {
            case PublicKeyRecord.Rsa rsa -> {
                out.writeStringProperty("kty", "RSA");
                integer(out, "n", rsa.modulus());
                integer(out, "e", rsa.exponent());
            }
            case PublicKeyRecord.Dsa dsa -> {
                out.writeStringProperty("kty", "DSA");
                integer(out, "y", dsa.y());
                integer(out, "p", dsa.p());
                integer(out, "q", dsa.q());
                integer(out, "g", dsa.g());
            }
            case PublicKeyRecord.Dh _ -> throw new IllegalArgumentException("a DH key has no form in JSON");
        }
        out.writeEndObject();
    }

    /** Writes a private key. */
    public static void write(PrivateKeyRecord key, JsonGenerator out) {
        out.writeStartObject();
        switch (key) {
            case PrivateKeyRecord.RsaCrt rsa -> {
                out.writeStringProperty("kty", "RSA");
                integer(out, "n", rsa.n());
                integer(out, "e", rsa.e());
                integer(out, "d", rsa.d());
                integer(out, "p", rsa.p());
                integer(out, "q", rsa.q());
                integer(out, "dp", rsa.dP());
                integer(out, "dq", rsa.dQ());
                integer(out, "qi", rsa.qInv());
            }
            case PrivateKeyRecord.Rsa rsa -> {
                out.writeStringProperty("kty", "RSA");
                integer(out, "n", rsa.n());
                integer(out, "d", rsa.d());
            }
            case PrivateKeyRecord.Dsa dsa -> {
                out.writeStringProperty("kty", "DSA");
                integer(out, "x", dsa.x());
                integer(out, "p", dsa.p());
                integer(out, "q", dsa.q());
                integer(out, "g", dsa.g());
            }
        }
        out.writeEndObject();
    }

    /**
     * Reads a public key; ignores unknown members.
     *
     * @throws Malformed naming the first wrong field
     */
    public static PublicKeyRecord readPublic(JsonField key) throws Malformed {
        return switch (key.member("kty").text()) {
            case "RSA" -> new PublicKeyRecord.Rsa(integer(key, "e"), integer(key, "n"));
            case "DSA" ->
                new PublicKeyRecord.Dsa(integer(key, "q"), integer(key, "p"), integer(key, "g"), integer(key, "y"));
            default -> throw key.member("kty").refused("is RSA or DSA");
        };
    }

    /**
     * Reads a private key.
     *
     * @throws Malformed naming the first wrong field
     */
    public static PrivateKeyRecord readPrivate(JsonField key) throws Malformed {
        return switch (key.member("kty").text()) {
            case "RSA" ->
                key.find("p").isEmpty()
                        ? new PrivateKeyRecord.Rsa(integer(key, "n"), integer(key, "d"))
                        : new PrivateKeyRecord.RsaCrt(
                                integer(key, "n"),
                                integer(key, "e"),
                                integer(key, "d"),
                                integer(key, "p"),
                                integer(key, "q"),
                                integer(key, "dp"),
                                integer(key, "dq"),
                                integer(key, "qi"));
            case "DSA" ->
                new PrivateKeyRecord.Dsa(integer(key, "x"), integer(key, "p"), integer(key, "q"), integer(key, "g"));
            default -> throw key.member("kty").refused("is RSA or DSA");
        };
    }

    private static void integer(JsonGenerator out, String name, BigInteger value) {
        byte[] bytes = value.toByteArray();
        byte[] unsigned = bytes[0] == 0 && bytes.length > 1 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
        out.writeStringProperty(name, Base64.getUrlEncoder().withoutPadding().encodeToString(unsigned));
    }

    private static BigInteger integer(JsonField key, String name) throws Malformed {
        JsonField field = key.member(name);
        try {
            BigInteger value = new BigInteger(1, Base64.getUrlDecoder().decode(field.text()));
            if (value.signum() == 0 || value.bitLength() > 8 * (HandleLimits.KEY_INTEGER_BYTES_MAX - 1)) {
                throw field.refused("has 1 to " + 8 * (HandleLimits.KEY_INTEGER_BYTES_MAX - 1) + " bits");
            }
            return value;
        } catch (IllegalArgumentException e) {
            throw field.refused("is an integer in base64url");
        }
    }
}
