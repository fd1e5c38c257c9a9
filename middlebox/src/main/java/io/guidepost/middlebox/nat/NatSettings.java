package io.guidepost.middlebox.nat;

import io.guidepost.base.Addresses;
import io.guidepost.packet.ip.InterfaceAddress;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;

/**
 * Settings of a translator.
 *
 * @param inside its inside address, whose prefix is the translated network
 * @param outside its outside address, the source of all translated packets
 * @param gateway next hop outside, 0 = all destinations are on that link
 * @param portMin lowest port outside, 1 or higher
 * @param portMax highest, up to 65,535
 * @param hostMappingsMax mappings that an inside host may have, 1 or more
 * @param endpointIndependent protocols of which an inside address and port has one outside port, whatever it talks to
 *     (RFC 4787 section 4.1: endpoint-independent mapping); flows of the others share outside ports if their remote
 *     endpoints differ (address- and port-dependent mapping, RFC 7857 section 3)
 * @param filterByAddress whether packets enter only from addresses that the mapping has sent to (RFC 4787 section 5:
 *     address-dependent filtering), or from any; where ports are shared they enter only from the remote endpoint itself
 */
public record NatSettings(
        InterfaceAddress inside,
        InterfaceAddress outside,
        int gateway,
        int portMin,
        int portMax,
        int hostMappingsMax,
        Set<NatProtocol> endpointIndependent,
        boolean filterByAddress) {
    /**
     * The default. UDP and ICMP as RFC 4787 REQ-1 and RFC 5508 REQ-1 want it: applications that learn their outside port
     * from one server and tell it to others (STUN, games, calls) need it. TCP shares ports, as of Linux: its clients open a port
     * for each connection, which is kept for minutes after the end; RFC 5382 REQ-1 wants it otherwise.
     */
    public static final Set<NatProtocol> ENDPOINT_INDEPENDENT = Set.of(NatProtocol.UDP, NatProtocol.ICMP);

    /** Checks the ports and the family. */
    public NatSettings {
        endpointIndependent = Set.copyOf(endpointIndependent);
        if (portMin < 1 || portMax > 0xffff || portMin > portMax) {
            throw new IllegalArgumentException(
                    "ports " + portMin + "-" + portMax + " are no range from 1 to 65535 such as 1024-65535");
        }
        if (hostMappingsMax < 1) {
            throw new IllegalArgumentException("an inside host may have " + hostMappingsMax + " mappings; it must be 1 or more");
        }
        if (!inside.isIpv4() || !outside.isIpv4()) {
            throw new IllegalArgumentException(
                    "inside " + inside + " and outside " + outside + "; both must be of IPv4, such as 10.0.0.1/8");
        }
        if (inside.isOnLink(outside.ipv4()) || outside.isOnLink(inside.ipv4())) {
            throw new IllegalArgumentException(
                    "inside " + inside + " and outside " + outside + " overlap; a translator needs two networks");
        }
    }

    List<InetAddress> gateways() {
        return gateway == 0 ? List.of() : List.of(Addresses.toInetAddress(0, Addresses.ipv4Low(gateway)));
    }
}
