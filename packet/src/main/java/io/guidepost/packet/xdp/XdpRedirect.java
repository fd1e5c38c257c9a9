package io.guidepost.packet.xdp;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects the frames that a port takes from its interface; the kernel gets the others. A frame is taken if any term
 * matches.
 *
 * @param everything all frames
 * @param udpPorts destination ports of UDP datagrams to any address
 * @param ipv4 destination addresses, ARP included
 * @param ipv6 destination addresses, neighbour solicitations included
 */
record XdpRedirect(boolean everything, List<Integer> udpPorts, List<Integer> ipv4, List<Address> ipv6) {
    /** Terms of a filter: each is compared with every packet. */
    static final int TERMS_MAX = 64;

    static final XdpRedirect ALL = new XdpRedirect(true, List.of(), List.of(), List.of());

    /**
     * Parses {@code all}, or terms joined by plus signs: {@code udp:5001+5002+address:10.0.0.2}. A term without a kind
     * has that of the one before.
     *
     * @throws IOException in one line what is wrong
     */
    static XdpRedirect read(String text, String user) throws IOException {
        if (text.equals("all")) {
            return ALL;
        }
        List<Integer> ports = new ArrayList<>();
        List<Integer> four = new ArrayList<>();
        List<Address> six = new ArrayList<>();
        String[] terms = text.split("\\+", -1);
        String kind = "";
        for (String term : terms) {
            String value = term;
            if (term.startsWith("udp:") || term.startsWith("address:")) {
                kind = term.substring(0, term.indexOf(':'));
                value = term.substring(kind.length() + 1);
            }
            switch (kind) {
                case "udp" -> ports.add(port(value, user));
                case "address" -> add(value, user, four, six);
                default -> throw refused(user, text);
            }
        }
        if (terms.length > TERMS_MAX) {
            throw new IOException(user + ": redirect has " + terms.length + " terms; " + TERMS_MAX + " are the most");
        }
        return new XdpRedirect(false, List.copyOf(ports), List.copyOf(four), List.copyOf(six));
    }

    private static int port(String text, String user) throws IOException {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= 0xffff) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below as for numbers out of range.
        }
        throw new IOException(user + ": redirect=udp:" + text + " is no port number; it must be 1 to 65535");
    }

    private static void add(String text, String user, List<Integer> four, List<Address> six) throws IOException {
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            throw new IOException(user + ": redirect=address:" + text + " is no IP address");
        }
        if (address instanceof Inet4Address) {
            four.add((int) Addresses.low(address));
        } else {
            six.add(new Address(Addresses.high(address), Addresses.low(address)));
        }
    }

    private static IOException refused(String user, String text) {
        return new IOException(user + ": redirect is \"" + text + "\"; it must be all, or terms joined by +:"
                + " udp:PORT and address:IP, as udp:5001+5002 or address:10.0.0.2");
    }
}
