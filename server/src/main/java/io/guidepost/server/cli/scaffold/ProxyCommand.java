package io.guidepost.server.cli.scaffold;

import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.flow.RouterClient;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.object.AllowedHosts;
import io.guidepost.scaffold.stream.RouterLink;
import io.guidepost.scaffold.stream.ServiceChannel;
import io.guidepost.scaffold.stream.ServiceListener;
import io.guidepost.scaffold.stream.SocksDoor;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code guidepost scaffold proxy}: streams to and from names for those without rights. */
@Command(
        name = "proxy",
        description = {
            "Leads connections to names, and from them to programs of this host, until Ctrl-C or SIGTERM: without root, without TUN.",
            "Streams outlive their TCP connections; a proxy reaches what other proxies and programs serve by streams."
        },
        footer = {
            "Example:  guidepost scaffold proxy --router 192.0.2.1 --socks 1080 --listen 8080=web",
            "          guidepost scaffold proxy --router 192.0.2.1 --serve web=127.0.0.1:8080 --allow 192.0.2.0/24",
            "          curl --socks5-hostname 127.0.0.1:1080 http://web.svc.internal/"
        })
final class ProxyCommand extends ConsoleCommand {
    private static final long REGISTRATION_NANOS = 5_000_000_000L;
    private static final long LOOK_NANOS = 100_000_000;

    @Option(names = "--router", required = true, paramLabel = "ADDRESS[:PORT]", description = "Object router to join; up to three.")
    private List<String> routers = new ArrayList<>();

    @Option(
            names = {"-f", "--folder"},
            paramLabel = "FOLDER",
            description = "Folder of its keys, not that of a gateway (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("guidepost-proxy");

    @Option(names = "--socks", paramLabel = "[ADDRESS:]PORT", description = "Where it takes SOCKS 5; on loopback if only a port is given.")
    private @Nullable String socks;

    @Option(names = "--listen", paramLabel = "[ADDRESS:]PORT=NAME", description = "A port whose connections lead to an object.")
    private Map<String, String> listen = new LinkedHashMap<>();

    @Option(
            names = "--serve",
            paramLabel = "NAME=ADDRESS:PORT",
            description = "A program that is offered under a name; of an object of another owner with FOLDER/NAME.delegation.pem.")
    private Map<String, String> serve = new LinkedHashMap<>();

    @Option(names = "--port", paramLabel = "PORT", description = "TCP and UDP port where it is reached (default: ${DEFAULT-VALUE}).")
    private int port = FlowMachine.PORT + 1;

    @Option(names = "--address", paramLabel = "ADDRESS", description = "Own address where it is reached (default: those of all links).")
    private List<String> addresses = new ArrayList<>();

    @Option(
            names = "--allow",
            paramLabel = "GUID|PREFIX",
            description = "Host whose streams to its programs it takes; others are refused. --serve needs it; ::/0 is all.")
    private List<String> allow = new ArrayList<>();

    @Option(names = "--zone", paramLabel = "ZONE", description = "Names below it are objects (default: ${DEFAULT-VALUE}).")
    private String zone = "svc.internal";

    @Override
    public Integer call() throws Exception {
        if (socks == null && listen.isEmpty() && serve.isEmpty()) {
            throw wrong("say what to do: --socks, --listen or --serve");
        }
        if (!serve.isEmpty() && allow.isEmpty()) {
            throw wrong("--serve needs --allow, the hosts whose streams come to the program: --allow 192.0.2.0/24, or the GUID of a host");
        }
        AllowedHosts allowed = allowed();
        List<HostLocator> to = new ArrayList<>();
        for (String each : routers) {
            to.add(HostLocator.of(ClientOptions.address(each, FlowMachine.PORT)));
        }
        List<InetAddress> at = new ArrayList<>();
        for (String each : addresses) {
            at.add(ClientOptions.address(each).getAddress());
        }
        GatewayFolder own = new GatewayFolder(folder);
        own.make();
        List<AutoCloseable> opened = new ArrayList<>();
        try (FileChannel file = FileChannel.open(
                        folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = GatewayCommand.lock(file, folder)) {
            RouterLink link = RouterLink.open(own.hostKey(), at, serve.isEmpty() ? 0 : port, to.toArray(HostLocator[]::new));
            opened.add(link);
            CountDownLatch ended = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                opened.reversed().forEach(this::close);
                ended.countDown();
            }, "proxy-shutdown"));
            open(link, own, allowed, opened);
            print("host " + link.host() + "; object router " + String.join(", ", routers) + "\n");
            ended.await();
            lock.release();
        }
        return ExitCode.DONE;
    }

    private AllowedHosts allowed() {
        try {
            return AllowedHosts.parse(allow);
        } catch (Malformed e) {
            throw wrong(e);
        }
    }

    private void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            err().println("guidepost: the proxy did not end cleanly: " + e.getMessage());
        }
    }

    private void open(RouterLink link, GatewayFolder own, AllowedHosts allowed, List<AutoCloseable> opened) throws Exception {
        if (socks != null) {
            SocksDoor door = SocksDoor.open(link, ClientOptions.local(socks), zone.toLowerCase(Locale.ROOT));
            opened.add(door);
            print("SOCKS 5 for names below " + zone + " at " + AddressText.of(door.at()) + "\n");
        }
        for (Map.Entry<String, String> each : listen.entrySet()) {
            SocksDoor door = SocksDoor.forward(link, ClientOptions.local(each.getKey()), GatewayFolder.name(each.getValue()));
            opened.add(door);
            print(AddressText.of(door.at()) + " leads to " + each.getValue() + "\n");
        }
        if (!serve.isEmpty()) {
            boolean one = addresses.size() == 1;
            InetSocketAddress at = one ? link.locators().getFirst().toSocketAddress() : new InetSocketAddress(port);
            ServiceListener listener = ServiceListener.open(link, allowed, at);
            opened.add(listener);
            for (Map.Entry<String, String> each : serve.entrySet()) {
                offer(link, listener, own, GatewayFolder.name(each.getKey()), ClientOptions.address(each.getValue(), 0));
            }
        }
    }

    private void offer(RouterLink link, ServiceListener listener, GatewayFolder own, String name, InetSocketAddress program)
            throws Exception {
        Path shown = folder.resolve(name + ".delegation.pem");
        Delegation delegation = Files.exists(shown)
                ? GatewayFolder.delegation(shown)
                : own.objectKey(name).delegate(link.host(), Instant.now().plus(RegisterCommand.YEAR).getEpochSecond());
        LocalService service = new LocalService(name, delegation, ServiceChannel.PROTOCOL, program.getPort(), false, 0, 1);
        listener.offer(service, null, ServiceListener.forwardTo(program));
        long until = System.nanoTime() + REGISTRATION_NANOS;
        RouterClient.Registration told = listener.registration(service);
        while (told.isOpen() && System.nanoTime() < until) {
            LockSupport.parkNanos(LOOK_NANOS);
            told = listener.registration(service);
        }
        print(name + " is " + AddressText.of(program) + (told.taken()
                ? ": registered, object " + service.object() + "\n"
                : ": not registered yet: " + (told.isOpen() ? "no object router has answered" : told.refusal()) + "\n"));
    }
}
