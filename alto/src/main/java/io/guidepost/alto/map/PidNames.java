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
 * What the PIDs of a topology are called. A name follows from the routers at which the networks of its PID hang, and from
 * nothing else: it stays when other routers come and go. Immutable and thread-safe.
 *
 * <p>A router is called as the operator calls it, or by its address if that may be told. Where all routers of a PID have such
 * names, so has the PID: {@code berlin}, {@code r-10-1-0-1}, and for networks behind exits these with how many systems
 * away they are, {@code out-berlin@2_bonn@3}. All other PIDs have a hash with a key for a name, {@code in-k3fz2a7q}: whoever
 * has not the key cannot find out by trying addresses which router it is.
 */
public final class PidNames {
    /** Bytes of a key. */
    public static final int KEY_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int DIGIT_BITS = 5;

    /** Of 10,000 PIDs two would have the same with a chance of 1 in 20,000, and then still get names of their own. */
    private static final int HASH_DIGITS = 8;

    private final SecretKeySpec key;
    private final Map<Address, String> given;
    private final boolean tellsRouters;

    /**
     * Names of one deployment: servers with the same key and names call PIDs alike.
     *
     * @param key secret, {@link #KEY_BYTES} long
     * @param given what the operator calls routers, as {@link #given} reads it
     * @param tellsRouters whether others are called by their addresses
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
     * Reads what the operator calls routers: texts such as {@code 10.1.0.1=berlin}.
     *
     * @throws Malformed if one is of another form, or a router or a name comes twice
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

    /** The name of a PID by where its networks hang; {@code ways} is the same in a form that says nothing else. */
    String name(boolean inside, List<PrefixAttachment> hangs, String ways) {
        if (hangs.stream().allMatch(each -> tellsRouters || given.containsKey(each.router()))) {
            String told = hangs.stream()
                    .sorted(Comparator.comparing(PrefixAttachment::router))
                    .map(each -> router(each.router()) + (inside ? "" : "@" + each.asDistance()))
                    .distinct()
                    .collect(Collectors.joining("_", inside ? "" : "out-", ""));
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
