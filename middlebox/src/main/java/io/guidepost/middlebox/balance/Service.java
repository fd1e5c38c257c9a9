package io.guidepost.middlebox.balance;

import io.guidepost.middlebox.ipv4.InterfaceAddress;
import io.guidepost.names.Malformed;

/**
 * What clients connect to.
 *
 * @param protocol 6 for TCP, 17 for UDP
 * @param address of IPv4
 * @param port 1 to 65,535
 */
public record Service(int protocol, int address, int port) {
    /**
     * Reads {@code 192.0.2.80:443}, or {@code udp:192.0.2.80:53}.
     *
     * @throws Malformed if it is not that
     */
    public static Service parse(String text) throws Malformed {
        String rest = text.startsWith("udp:") || text.startsWith("tcp:") ? text.substring(4) : text;
        int colon = rest.indexOf(':');
        String port = rest.substring(colon + 1);
        if (colon < 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > 0xffff) {
            throw new Malformed("\"" + text + "\" is no service; write an address and a port such as 192.0.2.80:443, or"
                    + " udp:192.0.2.80:53", 0);
        }
        int address = InterfaceAddress.parseAddress(rest.substring(0, colon));
        return new Service(text.startsWith("udp:") ? 17 : 6, address, Integer.parseInt(port));
    }
}
