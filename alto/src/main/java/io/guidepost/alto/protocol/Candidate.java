package io.guidepost.alto.protocol;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;

/**
 * An address or prefix to be ranked. A prefix is as near as its first address.
 *
 * @param block its addresses
 * @param isPrefix whether it is written with a length
 */
public record Candidate(Prefix block, boolean isPrefix) {
    /** Creates a candidate of one address. */
    public static Candidate of(Address address) {
        return new Candidate(address.prefix(), false);
    }

    /** Creates a candidate of a prefix. */
    public static Candidate of(Prefix prefix) {
        return new Candidate(prefix, true);
    }

    /**
     * Reads {@code 10.1.0.1}, {@code 2001:db8::1}, {@code 10.1.0.0/16} or {@code 2001:db8::/32}.
     *
     * @throws Malformed if the text is none of these
     */
    public static Candidate parse(String text) throws Malformed {
        return text.indexOf('/') < 0 ? of(Address.parse(text)) : of(Prefix.parse(text));
    }

    /** Returns the form that {@link #parse} reads. */
    @Override
    public String toString() {
        String text = block.toString();
        return isPrefix ? text : text.substring(0, text.indexOf('/'));
    }
}
