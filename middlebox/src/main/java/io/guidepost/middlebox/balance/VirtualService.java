package io.guidepost.middlebox.balance;

import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.packet.ip.InterfaceAddress;

/**
 * A virtual service: the address and port that clients connect to.
 *
 * @param protocol 6 for TCP, 17 for UDP
 * @param high high half of its address, see {@link Addresses}
 * @param low low half of its address
 * @param port 1 to 65,535
 */
public record VirtualService(int protocol, long high, long low, int port) {
    /** Creates a service at an IPv4 address. */
    public VirtualService(int protocol, int address, int port) {
        this(protocol, 0, Addresses.ipv4Low(address), port);
    }

    /**
     * Parses {@code 192.0.2.80:443}, {@code [2001:db8::80]:443}, or {@code udp:192.0.2.80:53}.
     *
     * @throws Malformed if it is none of these
     */
    public static VirtualService parse(String text) throws Malformed {
        String rest = text.startsWith("udp:") || text.startsWith("tcp:") ? text.substring(4) : text;
        int colon = rest.lastIndexOf(':');
        String host = rest.substring(0, Math.max(0, colon));
        String port = rest.substring(colon + 1);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        if (isBracketed != host.contains(":")
                || !port.matches("[0-9]{1,5}")
                || Integer.parseInt(port) < 1
                || Integer.parseInt(port) > 0xffff) {
            throw new Malformed("\"" + text + "\" is no service; write an address and a port such as 192.0.2.80:443,"
                    + " [2001:db8::80]:443, or udp:192.0.2.80:53", 0);
        }
        try {
            InterfaceAddress address = InterfaceAddress.parseHost(isBracketed ? host.substring(1, host.length() - 1) : host);
            return new VirtualService(text.startsWith("udp:") ? 17 : 6, address.high(), address.low(), Integer.parseInt(port));
        } catch (IllegalArgumentException e) {
            throw new Malformed(String.valueOf(e.getMessage()), 0);
        }
    }

    /** Returns whether it is at an address. */
    boolean is(long otherHigh, long otherLow) {
        return low == otherLow && high == otherHigh;
    }
}
