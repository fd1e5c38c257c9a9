package io.guidepost.lab.trace;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.names.Locator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Parses the places of traces, which have forms of their own. */
final class TraceLocators {
    /** Port of a place that names none: the servers' own. */
    private static final int PORT = 5001;

    /** Bytes before the local part of a network address: its network's name, padded with zeros. */
    private static final int NETWORK_BYTES = 16;

    private TraceLocators() {}

    /**
     * Reads {@code address[:port]}, or a bare number N, which is the IPv4 address N: 258 is 0.0.1.2.
     *
     * @throws Malformed if the text is neither
     */
    static Locator address(String text) throws Malformed {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? text : text.substring(0, colon);
        String port = colon < 0 ? Integer.toString(PORT) : text.substring(colon + 1);
        return Locator.parse((isNumber(host) ? dotted(host) : host) + ":" + port);
    }

    /**
     * Reads what {@link #address} does, or the name of a network, {@code name[:number]}, which is an address of the
     * type that the C++ clients use.
     *
     * @throws Malformed if the text is neither
     */
    static Locator network(String text) throws Malformed {
        if (Character.isDigit(text.charAt(0)) || text.startsWith("[")) {
            return address(text);
        }
        int colon = text.indexOf(':');
        byte[] name = (colon < 0 ? text : text.substring(0, colon)).getBytes(StandardCharsets.US_ASCII);
        if (name.length == 0 || name.length >= NETWORK_BYTES) {
            throw new Malformed("'" + text + "' is not a network's name of 1 to 15 characters", 0);
        }
        byte[] data = Arrays.copyOf(name, NETWORK_BYTES + 4);
        int local = colon < 0 ? 0 : (int) number(text.substring(colon + 1));
        for (int i = 0; i < 4; i++) {
            data[NETWORK_BYTES + i] = (byte) (local >> (24 - 8 * i));
        }
        return new Locator(Locator.Type.NETWORK_ADDRESS.code(), data);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(each -> each >= '0' && each <= '9');
    }

    private static String dotted(String number) throws Malformed {
        return Addresses.ofIpv4((int) number(number)).getHostAddress();
    }

    private static long number(String text) throws Malformed {
        try {
            return Integer.toUnsignedLong(Integer.parseUnsignedInt(text));
        } catch (NumberFormatException e) {
            throw new Malformed("'" + text + "' is not a number from 0 to 4294967295", 0);
        }
    }
}
