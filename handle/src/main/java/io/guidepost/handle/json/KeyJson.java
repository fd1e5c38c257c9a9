package io.guidepost.handle.json;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonWriter;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/**
 * Keys as JSON web keys (JWK; RFC 7517, RFC 7518 section 6.3), and DSA keys in the same manner, as in existing servers.
 * Integers are unsigned, big-endian, in base64url without padding.
 *
 * <pre>
 *  {"kty":"RSA","n":modulus,"e":exponent}
 *  {"kty":"DSA","y":key,"p":prime,"q":order,"g":generator}
 * </pre>
 */
public final class KeyJson {
    private KeyJson() {}

    /** Returns whether a key has a JSON form: Diffie-Hellman keys have none. */
    public static boolean has(PublicKeyRecord key) {
        return !(key instanceof PublicKeyRecord.Dh);
    }

    /**
     * Returns the JSON form of a public key, as {@link io.guidepost.web.JsonWriter#write} takes it.
     *
     * @throws IllegalArgumentException if it has none, see {@link #has}
     */
    public static Map<String, Object> of(PublicKeyRecord key) {
        return switch (key) {
            case PublicKeyRecord.Rsa rsa -> of("RSA", "n e", rsa.modulus(), rsa.exponent());
            case PublicKeyRecord.Dsa dsa -> of("DSA", "y p q g", dsa.y(), dsa.p(), dsa.q(), dsa.g());
            case PublicKeyRecord.Dh _ -> throw new IllegalArgumentException("a DH key has no form in JSON");
        };
    }

    private static Map<String, Object> of(String kind, String names, BigInteger... values) {
        Map<String, Object> key = JsonWriter.object("kty", kind);
        String[] name = names.split(" ", -1);
        for (int i = 0; i < name.length; i++) {
            byte[] bytes = values[i].toByteArray();
            byte[] unsigned = bytes[0] == 0 && bytes.length > 1 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
            key.put(name[i], Base64.getUrlEncoder().withoutPadding().encodeToString(unsigned));
        }
        return key;
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
