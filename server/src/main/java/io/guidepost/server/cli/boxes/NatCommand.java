package io.guidepost.server.cli.boxes;

import io.guidepost.middlebox.nat.Nat;
import io.guidepost.middlebox.nat.NatProtocol;
import io.guidepost.middlebox.nat.NatSettings;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.server.cli.support.TextTable;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost nat}: translates a network to one address outside (NAPT). */
@Command(
        name = "nat",
        description = {
            "Translates addresses and ports of IPv4 (NAPT): all hosts inside share one address outside.",
            "A packet with a VLAN tag keeps it, and so must its answers."
        },
        footer = {
            "Example:  guidepost nat packet:veth0 packet:veth1 --inside 10.0.0.1/8 --address 192.0.2.2/24"
                + " --gateway 192.0.2.1",
            "          guidepost nat xdp:eth1 xdp:eth0 --inside 10.0.0.1/8 --address 192.0.2.2/24 --gateway 192.0.2.1"
                + " --endpoint-independent none   # most flows for one address"
        })
public final class NatCommand extends BoxCommand {
    @Parameters(index = "0", paramLabel = "INSIDE", description = "Port to the hosts that are translated, as KIND:DEVICE.")
    private String insidePort = "";

    @Parameters(index = "1", paramLabel = "OUTSIDE", description = "Port to the others.")
    private String outsidePort = "";

    @Option(
            names = "--address",
            required = true,
            paramLabel = "ADDRESS/LENGTH",
            description = "Its address outside, and the length of the prefix on that link.")
    private String address = "";

    @Option(
            names = "--inside",
            required = true,
            paramLabel = "ADDRESS/LENGTH",
            description = "Its address inside, which hosts there use as gateway, and the length of their prefix.")
    private String inside = "";

    @Option(names = "--gateway", paramLabel = "ADDRESS", description = "Next hop for what is not on the outside link.")
    private String gateway = "";

    @Option(
            names = "--ports",
            paramLabel = "MIN-MAX",
            defaultValue = "1024-65535",
            description = "Ports outside that it uses (default: ${DEFAULT-VALUE}).")
    private String ports = "";

    @Option(
            names = "--host-mappings",
            paramLabel = "NUMBER",
            defaultValue = "4096",
            description = "Mappings that one host inside may have (default: ${DEFAULT-VALUE}).")
    private int hostMappings;

    @Option(
            names = "--endpoint-independent",
            paramLabel = "PROTOCOLS",
            defaultValue = "udp,icmp",
            description = {
                "Protocols of tcp, udp and icmp, or none, of which an address and port inside keeps one port outside, whatever it"
                    + " talks to (RFC 4787): calls and games need it, and there are as many mappings as ports.",
                "Flows of the others share ports outside if their destinations differ (address- and port-dependent mapping), and"
                    + " only their destination may answer (default: ${DEFAULT-VALUE})."
            })
    private String endpointIndependent = "";

    @Option(
            names = "--filter",
            paramLabel = "address|none",
            defaultValue = "address",
            description = "Who may send to an endpoint-independent mapping: addresses that it has sent to, or everyone (default:"
                + " ${DEFAULT-VALUE}).")
    private String filter = "";

    @SuppressWarnings("NullAway.Init") // Set before it is asked for a report.
    private Nat nat;

    @Override
    void box() throws Exception {
        NatSettings settings = settings();
        try (BoxRunner stage = open(List.of(insidePort, outsidePort))) {
            nat = new Nat(stage.port(0), stage.port(1), settings, new SecureRandom());
            stage.start("nat", queue -> List.of(nat.duty(queue)));
            run(stage);
        }
    }

    NatSettings settings() {
        String[] range = ports.split("-", -1);
        try {
            return new NatSettings(
                    InterfaceAddress.parse(inside),
                    InterfaceAddress.parse(address),
                    gateway.isEmpty() ? 0 : InterfaceAddress.parseIpv4(gateway),
                    Integer.parseInt(range[0]),
                    Integer.parseInt(range[range.length - 1]),
                    hostMappings,
                    endpointIndependent(),
                    filter());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--ports is \"" + ports + "\"; it must be a range such as 1024-65535", e);
        }
    }

    private Set<NatProtocol> endpointIndependent() {
        Set<NatProtocol> protocols = EnumSet.noneOf(NatProtocol.class);
        if (endpointIndependent.equals("none")) {
            return protocols;
        }
        for (String name : endpointIndependent.split(",", -1)) {
            protocols.add(switch (name) {
                case "tcp" -> NatProtocol.TCP;
                case "udp" -> NatProtocol.UDP;
                case "icmp" -> NatProtocol.ICMP;
                default -> throw new IllegalArgumentException("--endpoint-independent is \"" + endpointIndependent
                        + "\"; it must be none, or a list of tcp, udp and icmp such as udp,icmp");
            });
        }
        return protocols;
    }

    private boolean filter() {
        return switch (filter) {
            case "address" -> true;
            case "none" -> false;
            default -> throw new IllegalArgumentException("--filter is \"" + filter + "\"; it must be address or none");
        };
    }

    @Override
    TextTable table() {
        TextTable table = new TextTable("count", "packets");
        nat.counts().forEach(table::row);
        return table;
    }

    @Override
    Object json() {
        return nat.counts();
    }
}
