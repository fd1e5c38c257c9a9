package io.guidepost.alto.map;

import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Names of the PIDs of a topology. A name depends only on the routers at which the networks of its PID are attached, so
 * it stays when other routers come and go. Immutable and thread-safe.
 *
 * <p>A router has the name that the operator gives it, or its address if that may be published. If all routers of a PID
 * have such names, the PID has one too: {@code berlin}, {@code r-10-1-0-1}, and for external networks the exits with
 * the AS distance, {@code out-berlin@2_bonn@3}, and with a hash behind that if the AS numbers of its networks count too.
 * All other PIDs have a keyed hash as name, {@code in-k3fz2a7q}: without the key a client cannot find the router by trying
 * addresses.
 */
public final class PidNames {
    /** Bytes of the key. */
    public static final int KEY_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int DIGIT_BITS = 5;

    /** Of 10,000 PIDs, two collide with a probability of 1 in 20,000, and then still get distinct names. */
    private static final int HASH_DIGITS = 8;

    private final SecretKeySpec key;
    private final Map<Address, String> given;
    private final boolean tellsRouters;

    /**
     * Creates the names of one deployment: servers with the same key and router names name PIDs alike.
     *
     * @param key secret, {@link #KEY_BYTES} long
     * @param given names of routers, as {@link #given} parses them
     * @param tellsRouters whether other routers are named by their addresses
     */
    public PidNames(byte[] key, Map<Address, String> given, boolean tellsRouters) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key has " + KEY_BYTES + " bytes, not " + key.length);
        }
        this.key = new SecretKeySpec(key, ALGORITHM);
        this.given = Map.copyOf(given);
        this.tellsRouters = tellsRouters;
    }

    /**
     * Parses router names such as {@code 10.1.0.1=berlin}.
     *
     * @throws Malformed if one has another form, or a router or a name comes twice
     */
    public static Map<Address, String> given(List<String> texts) throws Malformed {
        Map<Address, String> given = new HashMap<>();
        for (String each : texts) {
            int mark = each.indexOf('=');
            String name = each.substring(mark + 1).strip();
            if (mark < 0 || !AltoIdentifiers.isName(name) || name.indexOf('.') >= 0) {
                throw new Malformed("'" + each + "' does not name a router: write its address and 1 to 64 letters, digits and"
                        + " -:@_, such as 10.1.0.1=berlin", 0);
            }
            boolean reserved = name.equals(TopologyMapBuilder.ELSEWHERE) || name.startsWith("in-") || name.startsWith("out-");
            if (reserved || given.containsValue(name)) {
                throw new Malformed("'" + name + "' is taken, as are " + TopologyMapBuilder.ELSEWHERE + " and all that begins with in-"
                        + " or out-: give each router a name of its own", 0);
            }
            if (given.put(Address.parse(each.substring(0, mark).strip()), name) != null) {
                throw new Malformed("the router of '" + each + "' has a name already", 0);
            }
        }
        return given;
    }

    /** Returns the name of a PID by its attachments; {@code ways} is their canonical form. */
    String name(boolean inside, List<PrefixAttachment> hangs, String ways) {
        if (hangs.stream().allMatch(each -> tellsRouters || given.containsKey(each.router()))) {
            String told = hangs.stream()
                    .sorted(Comparator.comparing(PrefixAttachment::router))
                    .map(each -> router(each.router()) + (inside ? "" : "@" + each.asDistance()))
                    .distinct()
                    .collect(Collectors.joining("_", inside ? "" : "out-", ""))
                    + (hangs.stream().anyMatch(each -> each.asNumber() != 0) ? "-" + hash(ways) : "");
            if (AltoIdentifiers.isName(told)) {
                return told;
            }
        }
        return (inside ? "in-" : "out-") + hash(inside + ways);
    }

    /** Dots are reserved in names of PIDs (RFC 7285 section 10.1). */
    private String router(Address id) {
        String name = given.get(id);
        return name != null ? name : "r-" + id.toString().replace('.', '-');
    }

    private String hash(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] hash = mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
            StringBuilder digits = new StringBuilder();
            long bits = 0;
            for (int i = 0; i < HASH_DIGITS * DIGIT_BITS / Byte.SIZE; i++) {
                bits = bits << Byte.SIZE | hash[i] & 0xff;
            }
            for (int i = HASH_DIGITS - 1; i >= 0; i--) {
                digits.append(DIGITS.charAt((int) (bits >>> i * DIGIT_BITS) & DIGITS.length() - 1));
            }
            return digits.toString();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every Java has HMAC", e);
        }
    }
}
