package io.guidepost.server.cli.scaffold;

import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.flow.GatewaySettings;
import io.guidepost.scaffold.gateway.Gateway;
import io.guidepost.scaffold.gateway.GatewayOptions;
import io.guidepost.scaffold.gateway.GatewayWay;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost scaffold gateway}: runs the gateway of this host. */
@Command(
        name = "gateway",
        description = {
            "Runs the gateway of this host until Ctrl-C or SIGTERM: a TUN device, and DNS for the names of objects.",
            "Programs connect to NAME.svc.internal as to any other host. Needs root or CAP_NET_ADMIN, or a namespace of your own"
                + " (unshare -rn)."
        },
        footer = {
            "Example:  guidepost scaffold gateway --router 192.0.2.1",
            "          guidepost scaffold gateway --router 192.0.2.1 --address 192.0.2.7 --address 198.51.100.7 --dns none"
        })
final class GatewayCommand extends ConsoleCommand {
    private static final int DNS_PORT = 53;

    @Option(
            names = "--router",
            required = true,
            paramLabel = "ADDRESS[:PORT]",
            description = "Object router to join; up to three.")
    private List<String> routers = new ArrayList<>();

    @Mixin
    private final FolderOption folder = new FolderOption();

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description = "Own address to send from, one for each link (default: those of all links, which may come and go).")
    private List<String> addresses = new ArrayList<>();

    @Option(names = "--port", paramLabel = "PORT", description = "UDP port of its sockets (default: ${DEFAULT-VALUE}).")
    private int port = FlowMachine.PORT;

    @Option(names = "--zone", paramLabel = "ZONE", description = "Names below it are objects (default: ${DEFAULT-VALUE}).")
    private String zone = "svc.internal";

    @Option(
            names = "--dns",
            paramLabel = "ADDRESS[:PORT]|none",
            description = "Where it answers questions for them (default: ${DEFAULT-VALUE}).")
    private String dns = "127.0.0.1:53";

    @Option(names = "--tun", paramLabel = "DEVICE", description = "Name of the TUN device (default: ${DEFAULT-VALUE}).")
    private String tun = "gp0";

    @Option(
            names = "--mtu",
            paramLabel = "BYTES",
            description = "MTU of that device: 60 less than that of each link, or less (default: ${DEFAULT-VALUE}).")
    private int mtu = 1_400;

    @Option(
            names = "--labels",
            description = "Carries by labels, without a header of its own, where both hosts have an IPv6 address with /128 and the network"
                + " leads all of its /64 to them; by UDP elsewhere. The kernel must forward IPv6.")
    private boolean labels;

    @Option(
            names = "--seal",
            paramLabel = "all|none",
            description = "Whether packets of flows are encrypted between gateways; one end is enough (default: ${DEFAULT-VALUE}).")
    private String seal = "none";

    @Option(
            names = "--metrics",
            paramLabel = "[ADDRESS:]PORT",
            description = "Where it gives /metrics and /health over HTTP, on loopback if only a port is given (default: nowhere).")
    private @Nullable String metrics;

    @Override
    public Integer call() throws Exception {
        GatewayOptions options;
        try {
            options = options();
        } catch (IllegalArgumentException | Malformed e) {
            throw wrong(e);
        }
        GatewayFolder own = folder.folder();
        own.make();
        Path alone = own.path().resolve("lock");
        try (FileChannel file = FileChannel.open(alone, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = lock(file, own.path())) {
            HostKey key = own.hostKey();
            List<AutoCloseable> opened = new ArrayList<>();
            Gateway gateway = Gateway.open(options, key);
            opened.add(gateway);
            GatewayMetrics told = new GatewayMetrics(gateway);
            opened.add(told);
            opened.add(new GatewayControl(gateway, told, own));
            CountDownLatch ended = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                opened.reversed().forEach(this::close);
                ended.countDown();
            }, "gateway-shutdown"));
            print(text(options, key, gateway));
            if (metrics != null) {
                AdminPort port = AdminPort.open(ClientOptions.local(metrics), "--metrics", Optional.empty(), told::pages);
                opened.add(port);
                print("metrics at http://" + AddressText.of(port.address()) + "/metrics, and /health\n");
            }
            ended.await();
            lock.release();
        }
        return ExitCode.DONE;
    }

    /** Locks the folder of a gateway or a proxy, as two with one key would take each other's place. */
    static FileLock lock(FileChannel file, Path folder) throws IOException {
        FileLock lock = file.tryLock();
        if (lock == null) {
            throw new IOException("another gateway or proxy runs in " + folder + ": name another with --folder");
        }
        return lock;
    }

    private void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            err().println("guidepost: the gateway did not end cleanly: " + e.getMessage());
        }
    }

    private GatewayOptions options() throws IOException, Malformed {
        List<HostLocator> to = new ArrayList<>();
        for (String each : routers) {
            to.add(HostLocator.of(ClientOptions.address(each, FlowMachine.PORT)));
        }
        List<InetAddress> from = new ArrayList<>();
        for (String each : addresses) {
            try {
                from.add(InetAddress.ofLiteral(each));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + each + "' is not an address: write one such as 192.0.2.7", e);
            }
        }
        InetSocketAddress answers = dns.equals("none") ? null : ClientOptions.address(dns, DNS_PORT);
        Path flows = folder.folder().path().resolve("flows");
        return new GatewayOptions(tun, mtu, port, to, from, zone, answers, GatewaySettings.DEFAULT, seals(), labels, flows);
    }

    private boolean seals() {
        if (!seal.equals("all") && !seal.equals("none")) {
            throw new IllegalArgumentException("--seal is '" + seal + "'; it must be all or none");
        }
        return seal.equals("all");
    }

    private String text(GatewayOptions options, HostKey key, Gateway gateway) throws IOException {
        TextTable table = new TextTable("way", "address", "link");
        for (GatewayWay each : gateway.status().ways()) {
            table.row(each.device(), each.own(), each.up() ? "up" : "down");
        }
        return table + "host " + key.guid() + " is " + AddressText.ipv4(options.machine().identity()) + " on " + options.tun()
                + "; object router " + String.join(", ", routers) + "; commands at " + folder.folder().socket() + "\n"
                + names(options.dns());
    }

    private String names(@Nullable InetSocketAddress at) {
        if (at == null) {
            return "names below " + zone + " are not answered: --dns is none\n";
        }
        return "names below " + zone + " are answered at " + AddressText.of(at) + "; point the resolver of this host there:\n"
                + "  systemd-resolved   [Resolve] DNS=" + AddressText.of(at) + " Domains=~" + zone
                + "   (a file in /etc/systemd/resolved.conf.d)\n"
                + "  dnsmasq            server=/" + zone + "/" + AddressText.of(at.getAddress()) + "#" + at.getPort() + "\n"
                + "  /etc/resolv.conf   nameserver " + AddressText.of(at.getAddress()) + "   (port 53; the gateway refuses other names)\n";
    }
}
