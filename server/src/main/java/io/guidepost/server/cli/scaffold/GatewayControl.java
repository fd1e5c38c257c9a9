package io.guidepost.server.cli.scaffold;

import io.guidepost.base.AddressText;
import io.guidepost.base.Counters;
import io.guidepost.base.DurableFiles;
import io.guidepost.base.Malformed;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.scaffold.flow.FlowMachine;
import io.guidepost.scaffold.flow.GatewaySettings;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.flow.RouterClient;
import io.guidepost.scaffold.gateway.Gateway;
import io.guidepost.scaffold.gateway.GatewayWay;
import io.guidepost.scaffold.gateway.ZoneCount;
import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * The commands that a running gateway takes: a Unix socket in its folder, which its owner alone may use, with a line of JSON for each
 * request and each answer. What it offers is kept in the folder, and offered again after a restart.
 */
final class GatewayControl implements AutoCloseable {
    private static final Logger LOG = System.getLogger(GatewayControl.class.getName());
    private static final int PORT_MAX = 65_535;

    /** How long a registration waits for the object router: some of its round trips, with all that is sent again. */
    private static final long REGISTRATION_NANOS = 2_000_000_000;

    private static final long LOOK_NANOS = 2_000_000;

    /** Connections at a time: those of a few people and scripts. */
    private static final int CONNECTIONS_MAX = 16;

    private static final int REQUEST_BYTES_MAX = 16_384;

    private final Gateway gateway;
    private final GatewayMetrics metrics;
    private final GatewayFolder folder;
    private final ServerSocketChannel server;
    private final Semaphore free = new Semaphore(CONNECTIONS_MAX);
    private final Map<String, LocalService> services = new TreeMap<>();

    /**
     * Opens the socket; what was offered before is offered again.
     *
     * @throws IOException if another gateway has it
     */
    GatewayControl(Gateway gateway, GatewayMetrics metrics, GatewayFolder folder) throws IOException {
        this.gateway = gateway;
        this.metrics = metrics;
        this.folder = folder;
        for (Path file : folder.services()) {
            try {
                offer(JsonValue.read(Files.readAllBytes(file)).whole());
            } catch (Malformed | IOException e) {
                LOG.log(Level.WARNING, "{0} is not offered: {1}", file, e.getMessage());
            }
        }
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Files.deleteIfExists(folder.socket());
        server.bind(UnixDomainSocketAddress.of(folder.socket()));
        Files.setPosixFilePermissions(folder.socket(), PosixFilePermissions.fromString("rw-------"));
        Thread.ofVirtual().name("gateway-control").start(this::accept);
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel channel = server.accept();
                if (free.tryAcquire()) {
                    Thread.ofVirtual().start(() -> serve(channel));
                } else {
                    channel.close();
                }
            } catch (AsynchronousCloseException e) {
                return;
            } catch (IOException e) {
                LOG.log(Level.WARNING, "a command did not get through: {0}", e.getMessage());
            }
        }
    }

    private void serve(SocketChannel channel) {
        try (channel) {
            BufferedReader in = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
            OutputStream out = Channels.newOutputStream(channel);
            for (String line = in.readLine(); line != null && line.length() <= REQUEST_BYTES_MAX; line = in.readLine()) {
                out.write((JsonWriter.line(answer(line)) + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a command has gone: {0}", e.getMessage());
        } finally {
            free.release();
        }
    }

    private Map<String, Object> answer(String line) {
        try {
            JsonField request = JsonValue.read(line.getBytes(StandardCharsets.UTF_8), REQUEST_BYTES_MAX).whole();
            return switch (request.member("command").text()) {
                case "register" -> register(request);
                case "drain" -> drain(request.member("name").text());
                case "flows" -> flows();
                case "ways" -> ways();
                case "metrics" -> JsonWriter.object("metrics", metrics.text());
                case "health" -> metrics.health();
                case "resolve" -> resolve(request.member("name").text());
                default -> throw request.member("command").refused("is none of register, drain, flows, ways, metrics, health and resolve");
            };
        } catch (Malformed e) {
            return JsonWriter.object("error", e.reason());
        } catch (IOException e) {
            return JsonWriter.object("error", String.valueOf(e.getMessage()));
        }
    }

    private static LocalService service(JsonField request) throws Malformed {
        return new LocalService(
                request.member("name").text(),
                Delegation.parse(request.member("delegation").text()),
                request.read("udp", false, JsonField::truth) ? HeaderParser.UDP : HeaderParser.TCP,
                (int) request.member("port").integer(1, PORT_MAX),
                request.read("repeatable", false, JsonField::truth),
                (int) (long) request.read("priority", 0L, each -> each.integer(0, 255)),
                (int) (long) request.read("weight", 1L, each -> each.integer(1, PORT_MAX)));
    }

    private synchronized LocalService offer(JsonField request) throws Malformed, IOException {
        LocalService service = service(request);
        LocalService before = services.put(service.name(), service);
        if (before != null && !before.equals(service)) {
            gateway.machine().ask(machine -> machine.drain(before));
        }
        gateway.machine().tell(machine -> machine.register(service));
        return service;
    }

    private Map<String, Object> register(JsonField request) throws Malformed, IOException {
        LocalService service = offer(request);
        Map<String, Object> kept = new LinkedHashMap<>(request.object());
        kept.remove("command");
        DurableFiles.write(folder.service(service.name()), JsonWriter.text(kept).getBytes(StandardCharsets.UTF_8));
        long until = System.nanoTime() + REGISTRATION_NANOS;
        RouterClient.Registration told = registration(service);
        while (told.isOpen() && System.nanoTime() < until) {
            LockSupport.parkNanos(LOOK_NANOS);
            told = registration(service);
        }
        return JsonWriter.object(
                "name", service.name(),
                "object", service.object(),
                "instance", service.instance(),
                "registered", told.taken(),
                "joined", isJoined(),
                "refusal", told.refusal());
    }

    private RouterClient.Registration registration(LocalService service) throws IOException {
        return gateway.machine().ask(machine -> machine.registration(service));
    }

    private boolean isJoined() throws IOException {
        return gateway.machine().ask(FlowMachine::isJoined);
    }

    private synchronized Map<String, Object> drain(String name) throws IOException {
        LocalService service = services.remove(name);
        if (service == null) {
            throw new IOException("this gateway does not offer '" + name + "'; it offers "
                    + (services.isEmpty() ? "nothing" : String.join(", ", services.keySet())));
        }
        Files.deleteIfExists(folder.service(name));
        return JsonWriter.object("name", name, "flows", gateway.machine().ask(machine -> machine.drain(service)));
    }

    private Map<String, Object> flows() throws IOException {
        List<Map<String, Object>> flows = gateway.machine().ask(FlowMachine::flows).stream().map(GatewayControl::row).toList();
        List<Map<String, Object>> failovers = gateway.machine().ask(FlowMachine::failovers).stream()
                .map(each -> JsonWriter.object(
                        "at", Instant.ofEpochMilli(each.atMillis()),
                        "flow", Long.toHexString(each.flow()),
                        "object", each.object(),
                        "cause", each.cause(),
                        "millis", each.millis(),
                        "resumed", each.resumed()))
                .toList();
        Map<String, Long> counts = Counters.sum(FlowCount.class, List.of(gateway.status().tally().counts()));
        return JsonWriter.object("flows", flows, "failovers", failovers, "counts", counts);
    }

    private static Map<String, Object> row(FlowMachine.FlowRow flow) {
        return JsonWriter.object(
                "id", Long.toHexString(flow.id()),
                "object", flow.object(),
                "role", flow.client() ? "client" : "server",
                "protocol", flow.protocol() == HeaderParser.TCP ? "tcp" : "udp",
                "state", flow.state(),
                "own", flow.own(),
                "peer", flow.peer(),
                "epoch", flow.epoch(),
                "instance", flow.instance());
    }

    private Map<String, Object> ways() throws IOException {
        List<Map<String, Object>> own = gateway.status().ways().stream().map(GatewayControl::row).toList();
        List<Map<String, Object>> peers = gateway.machine().ask(FlowMachine::ways).stream()
                .map(each -> JsonWriter.object(
                        "host", each.host(),
                        "own", each.own(),
                        "peer", each.peer(),
                        "current", each.current(),
                        "round_trip_millis", each.roundTripMillis() < 0 ? null : each.roundTripMillis(),
                        "flows", each.flows()))
                .toList();
        return JsonWriter.object("joined", isJoined(), "own", own, "peers", peers);
    }

    private static Map<String, Object> row(GatewayWay way) {
        return JsonWriter.object("device", way.device(), "own", way.own(), "up", way.up());
    }

    private Map<String, Object> resolve(String name) throws IOException {
        FlowMachine.Resolved found = gateway.machine().await((machine, answer) -> machine.resolve(name, answer::complete));
        return JsonWriter.object(
                "name", name,
                "known", found.known(),
                "joined", isJoined(),
                "address", found.address() == 0 ? null : AddressText.ipv4(found.address()),
                "ipv6", found.address() == 0 || !gateway.hasIpv6()
                        ? null
                        : AddressText.of(GatewaySettings.high(false), GatewaySettings.low(false, found.address())),
                "dns", Counters.sum(ZoneCount.class, List.of(gateway.status().zone())));
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(folder.socket());
    }
}
