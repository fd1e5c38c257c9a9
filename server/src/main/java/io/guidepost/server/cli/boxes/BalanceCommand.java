package io.guidepost.server.cli.boxes;

import io.guidepost.middlebox.balance.LoadBalancer;
import io.guidepost.middlebox.balance.VirtualService;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.ip.LinkQueue;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost balance}: spreads the connections of a service over back ends. */
@Command(
        name = "balance",
        description = {
            "Spreads the connections of a service over back ends on the same link, which answer clients directly.",
            "Each back end has the service's address on lo, and must not answer ARP for it:",
            "  ip address add 192.0.2.80/32 dev lo",
            "  sysctl -w net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2",
            "Of IPv6 the address alone is enough:  ip address add 2001:db8::80/128 dev lo"
        },
        footer = {
            "Example:  guidepost balance packet:eth1 --address 192.0.2.5/24 --service 192.0.2.80:443"
                + " --to 192.0.2.11,192.0.2.12"
        })
public final class BalanceCommand extends BoxCommand {
    @Parameters(index = "0", paramLabel = "PORT", description = "Port to clients and back ends, as KIND:DEVICE.")
    private String port = "";

    @Option(
            names = "--address",
            required = true,
            paramLabel = "ADDRESS/LENGTH",
            description = "The balancer's own address on that link; it asks back ends for their health from there.")
    private String address = "";

    @Option(
            names = "--service",
            required = true,
            paramLabel = "ADDRESS:PORT",
            description = "What clients connect to, of IPv6 as [ADDRESS]:PORT; of UDP with udp: before it.")
    private String service = "";

    @Option(names = "--to", required = true, split = ",", paramLabel = "ADDRESS", description = "The back ends.")
    private List<String> backEnds = new ArrayList<>();

    @Option(
            names = "--drain",
            split = ",",
            paramLabel = "ADDRESS",
            description = "Back ends of --to that get no new connections.")
    private List<String> draining = new ArrayList<>();

    @Option(
            names = "--vlan",
            paramLabel = "NUMBER",
            description = "The VLAN, 0 to 4094, that clients and back ends are in (default: none).")
    private int vlan = LinkQueue.UNTAGGED;

    @SuppressWarnings("NullAway.Init") // Set before it is asked for a report.
    private LoadBalancer balancer;

    @Override
    void box() throws Exception {
        if (vlan < LinkQueue.UNTAGGED || vlan > 4094) {
            throw new IllegalArgumentException("--vlan is " + vlan + "; it must be 0 to 4094");
        }
        InterfaceAddress own = InterfaceAddress.parse(address);
        VirtualService offered = VirtualService.parse(service);
        List<LoadBalancer.BackEnd> list = new ArrayList<>();
        for (String each : backEnds) {
            InterfaceAddress host = InterfaceAddress.parseHost(each);
            list.add(new LoadBalancer.BackEnd(host.high(), host.low(), draining.contains(each)));
        }
        try (BoxRunner stage = open(List.of(port))) {
            balancer = new LoadBalancer(stage.port(0), own, vlan, offered, list);
            stage.start("balance", queue -> List.of(balancer.duty(queue)));
            run(stage);
        }
    }

    private static String address(LoadBalancer.Count count) {
        return InterfaceAddress.text(count.high(), count.low());
    }

    private static String state(LoadBalancer.Count count) {
        return (count.isUp() ? "up" : "down") + (count.isDraining() ? ", drains" : "");
    }

    @Override
    TextTable table() {
        TextTable table = new TextTable("back end", "state", "connections", "packets");
        for (LoadBalancer.Count each : balancer.backEnds()) {
            table.row(address(each), state(each), each.connections(), each.packets());
        }
        balancer.counts().forEach((name, number) -> table.row(name, "", "", number));
        return table;
    }

    @Override
    Object json() {
        return JsonWriter.object(
                "back-ends",
                balancer.backEnds().stream()
                        .map(each -> JsonWriter.object(
                                "address", address(each),
                                "up", each.isUp(),
                                "drains", each.isDraining(),
                                "connections", each.connections(),
                                "packets", each.packets()))
                        .toList(),
                "counts",
                balancer.counts());
    }
}
