package io.guidepost.server.cli.boxes;

import io.guidepost.middlebox.forward.IpRouter;
import io.guidepost.middlebox.forward.LearningBridge;
import io.guidepost.middlebox.forward.RoutingTable;
import io.guidepost.packet.ip.IpInterface;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost forward}: a bridge, or with routes a router. */
@Command(
        name = "forward",
        description = {
            "Forwards between ports: as a bridge that learns where Ethernet addresses are,",
            "or with --routes as a router of IPv4 and IPv6. A packet with a VLAN tag keeps",
            "it: ports have their addresses in every VLAN. A routes file has lines such as:",
            "  port 1 10.0.0.1/24           an address of the first port; every port has one",
            "  port 1 2001:db8:1::1/64      and may have one of the other family",
            "  0.0.0.0/0 via 192.0.2.7      a neighbour on the link of a port",
            "  10.9.0.0/16 unreachable"
        },
        footer = "Example:  guidepost forward packet:veth0 packet:veth1 packet:veth2")
public final class ForwardCommand extends BoxCommand {
    @Parameters(arity = "2..64", paramLabel = "PORT", description = "The ports, as KIND:DEVICE.")
    private List<String> ports = List.of();

    @Option(names = "--routes", paramLabel = "FILE", description = "Makes it a router: its addresses and its routes.")
    private @Nullable Path file;

    @Option(names = "--reload-on-change", description = "Reads the routes again when the file has changed.")
    private boolean reload;

    private @Nullable LearningBridge bridge;
    private @Nullable IpRouter router;

    @Override
    void box() throws Exception {
        Path path = file;
        RoutingTable read = path == null ? null : RoutingTable.read(path, ports.size());
        if (path != null) {
            watch(path);
        }
        try (BoxRunner stage = open(ports)) {
            if (read == null) {
                LearningBridge joined = new LearningBridge(stage.ports());
                bridge = joined;
                stage.start("bridge", queue -> List.of(joined.duty(queue)));
            } else {
                IpRouter started = new IpRouter(stage.ports(), read);
                router = started;
                stage.start("router", queue -> List.of(started.duty(queue)));
            }
            run(stage);
        }
    }

    @Override
    void turn() {
        IpRouter running = router;
        if (reload && running != null) {
            reloadIfChanged("routes", path -> running.publish(RoutingTable.read(path, ports.size())));
        }
    }

    @Override
    TextTable table() {
        IpRouter running = router;
        return running == null
                ? new TextTable("addresses learnt").row(bridge == null ? 0 : bridge.stations(System.currentTimeMillis()))
                : new TextTable("routes", "neighbours", "forgotten early")
                        .row(running.routes(), neighbours(running), crowded(running));
    }

    private static int neighbours(IpRouter router) {
        long now = System.currentTimeMillis();
        return router.interfaces().stream().mapToInt(each -> each.neighbours(now)).sum();
    }

    private static long crowded(IpRouter router) {
        return router.interfaces().stream().mapToLong(IpInterface::crowded).sum();
    }

    @Override
    Object json() {
        IpRouter running = router;
        return running == null
                ? JsonWriter.object("stations", bridge == null ? 0 : bridge.stations(System.currentTimeMillis()))
                : JsonWriter.object(
                        "routes", running.routes(),
                        "neighbours", neighbours(running),
                        "neighbours-forgotten-early", crowded(running));
    }
}
