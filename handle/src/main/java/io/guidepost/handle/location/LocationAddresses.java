package io.guidepost.handle.location;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Address literals in attributes of locations; host names are never resolved. */
final class LocationAddresses {
    private LocationAddresses() {}

    /** Parses an address literal; empty for host names and other texts. */
    static Optional<InetAddress> literal(String text) {
        String host = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        boolean dotted = host.chars().filter(each -> each == '.').count() == 3;
        if (!dotted && host.indexOf(':') < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.ofLiteral(host));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Returns the address of a location: its attribute {@code near}, or the host of its URL if that is a literal. */
    static Optional<InetAddress> of(HandleLocation location) {
        Optional<String> near = location.attribute("near");
        if (near.isPresent()) {
            return literal(near.get().strip());
        }
        try {
            String host = new URI(location.href()).getHost();
            return host == null ? Optional.empty() : literal(host);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** Returns whether an address is in a list of addresses and blocks, separated by commas or white space. */
    static boolean contain(String list, InetAddress address) {
        for (String each : list.strip().split("[\\s,]+", -1)) {
            if (each.indexOf('/') >= 0) {
                if (inBlock(each, address)) {
                    return true;
                }
            } else if (literal(each).filter(address::equals).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static boolean inBlock(String block, InetAddress address) {
        try {
            return Prefix.parse(block).contains(Addresses.high(address), Addresses.low(address));
        } catch (Malformed e) {
            return false;
        }
    }
}
