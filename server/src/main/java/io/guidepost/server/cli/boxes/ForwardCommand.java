package io.guidepost.server.cli.boxes;

import io.guidepost.base.FaultyFile;
import io.guidepost.middlebox.forward.IpRouter;
import io.guidepost.middlebox.forward.LearningBridge;
import io.guidepost.middlebox.forward.RoutingTable;
import io.guidepost.packet.ip.IpInterface;
import io.guidepost.server.cli.support.ExceptionText;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  guidepost forward packet:veth0 packet:veth1 packet:veth2"})
public final class ForwardCommand implements Callable<Integer>, BoxRunner.Report {
    @Parameters(arity = "2..64", paramLabel = "PORT", description = "The ports, as KIND:DEVICE.")
    private List<String> ports = List.of();

    @Option(names = "--routes", paramLabel = "FILE", description = "Makes it a router: its addresses and its routes.")
    private @Nullable Path file;

    @Option(names = "--reload-on-change", description = "Reads the routes again when the file has changed.")
    private boolean reload;

    @Mixin
    private BoxOptions options = new BoxOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private @Nullable LearningBridge bridge;
    private @Nullable IpRouter router;
    private String seen = "";

    @Override
    public Integer call() throws Exception {
        Path path = file;
        RoutingTable read = path == null ? null : RoutingTable.read(path, ports.size());
        seen = stamp();
        try (BoxRunner stage = new BoxRunner(ports, options)) {
            if (read == null) {
                LearningBridge joined = new LearningBridge(stage.ports());
                bridge = joined;
                stage.start("bridge", queue -> List.of(joined.duty(queue)));
            } else {
                IpRouter started = new IpRouter(stage.ports(), read);
                router = started;
                stage.start("router", queue -> List.of(started.duty(queue)));
            }
            stage.run(spec.commandLine().getOut(), spec.commandLine().getErr(), this);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return ExitCode.DONE;
    }

    private String stamp() throws IOException {
        return file == null ? "" : Files.getLastModifiedTime(file) + " " + Files.size(file);
    }

    @Override
    public void turn() {
        IpRouter running = router;
        Path path = file;
        if (!reload || running == null || path == null) {
            return;
        }
        PrintWriter err = spec.commandLine().getErr();
        try {
            String now = stamp();
            if (!now.equals(seen)) {
                seen = now;
                running.publish(RoutingTable.read(path, ports.size()));
                err.println("guidepost: " + path + " was read again");
            }
        } catch (FaultyFile e) {
            e.faults().forEach(each -> err.println("guidepost: " + each));
            err.println("guidepost: " + e.total() + " faults; the routes from before stay");
        } catch (IllegalArgumentException e) {
            err.println("guidepost: " + e.getMessage() + "; the routes from before stay");
        } catch (IOException e) {
            err.println("guidepost: " + ExceptionText.of(e) + "; the routes from before stay");
        }
        err.flush();
    }

    @Override
    public TextTable table() {
        IpRouter running = router;
        return running == null
                ? new TextTable("addresses learnt").row(bridge == null ? 0 : bridge.stations())
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
    public Object json() {
        IpRouter running = router;
        return running == null
                ? JsonWriter.object("stations", bridge == null ? 0 : bridge.stations())
                : JsonWriter.object(
                        "routes", running.routes(),
                        "neighbours", neighbours(running),
                        "neighbours-forgotten-early", crowded(running));
    }
}
