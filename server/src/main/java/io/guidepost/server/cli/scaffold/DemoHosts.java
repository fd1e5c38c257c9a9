package io.guidepost.server.cli.scaffold;

import io.guidepost.scaffold.key.Delegation;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** The object router and the gateways of a {@link DemoNetwork}, and what its servers offer. */
public final class DemoHosts {
    private static final long READY_NANOS = 60_000_000_000L;
    private static final long LOOK_NANOS = 2_000_000;

    private final DemoNetwork network;
    private final Map<String, Process> gateways = new HashMap<>();
    private final Map<String, String> hostsOfInstances = new HashMap<>();
    private final Map<String, Delegation> delegations = new HashMap<>();
    private final List<String> clientOptions = new ArrayList<>();

    /**
     * What a server offers.
     *
     * @param name the object's, below the zone
     * @param udp whether clients send datagrams
     */
    public record Offer(String name, int port, boolean udp, boolean repeatable) {}

    /** What is waited for. */
    public interface Condition {
        /** Returns whether it is so; fails if what it asks is not there yet. */
        boolean holds() throws IOException;
    }

    /** Creates the hosts; nothing runs yet. */
    public DemoHosts(DemoNetwork network) {
        this.network = network;
    }

    /** Starts all, and waits until each gateway has joined. */
    public void begin(String... gatewayOptions) throws IOException {
        network.guidepost(
                DemoNetwork.OBJECT_ROUTER,
                "serve", "--set", "scaffold.enabled=true", "--set", "scaffold.hosts=10.0.0.0/8", "--set", "scaffold.listen=0.0.0.0",
                "--set", "scaffold.folder=" + network.path("router"), "--set", "store.folder=" + network.path("store"),
                "--set", "gnrs.enabled=false", "--set", "admin.port=-1");
        List<String> hosts = new ArrayList<>(DemoNetwork.SERVERS);
        hosts.add(DemoNetwork.CLIENT);
        for (String each : hosts) {
            startGateway(each, gatewayOptions);
        }
        for (String each : hosts) {
            awaitJoin(each);
        }
    }

    /** Has the client's gateway, when it is started, want sealed packets: those of the servers follow. */
    void sealAtClient() {
        clientOptions.addAll(List.of("--seal", "all"));
    }

    /** Starts the gateway of a host. */
    public void startGateway(String host, String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "scaffold", "gateway", "--router", DemoNetwork.OBJECT_ROUTER_ADDRESS,
                "--folder", network.gateway(host).path().toString()));
        words.addAll(List.of(options));
        words.addAll(host.equals(DemoNetwork.CLIENT) ? clientOptions : List.of());
        gateways.put(host, network.guidepost(host, words.toArray(String[]::new)));
    }

    /** Ends the gateway of a host at once, as kill -9 does. */
    public void killGateway(String host) {
        Process process = gateways.remove(host);
        if (process != null) {
            DemoNetwork.kill(process);
        }
    }

    /** Ends the gateway of a host in order, as SIGTERM does, and waits for that. */
    public void stopGateway(String host) {
        Process process = gateways.remove(host);
        if (process != null) {
            process.destroy();
            process.onExit().join();
        }
    }

    /** Returns the processes of all gateways. */
    public List<Process> gateways() {
        return List.copyOf(gateways.values());
    }

    /** Waits until the gateway of a host has joined. */
    public void awaitJoin(String host) throws IOException {
        await(
                host + "'s gateway does not join",
                () -> GatewayRequest.is(network.gateway(host).ask(JsonWriter.object("command", "ways")), "joined"));
    }

    /** Waits for something. */
    public static void await(String otherwise, Condition condition) throws IOException {
        long until = System.nanoTime() + READY_NANOS;
        while (System.nanoTime() < until) {
            try {
                if (condition.holds()) {
                    return;
                }
            } catch (IOException e) {
                // What is asked is not there yet.
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        throw new IOException(otherwise);
    }

    /** Has a host offer a program. */
    public void register(String host, Offer offer) throws IOException {
        String key = host + " " + offer.name();
        if (!delegations.containsKey(key)) {
            ObjectKey object = network.gateway(DemoNetwork.SERVERS.getFirst()).objectKey(offer.name());
            delegations.put(key, object.delegate(
                    network.gateway(host).hostKey().guid(), Instant.now().plus(Duration.ofDays(1)).getEpochSecond()));
        }
        Map<String, Object> answer = network.gateway(host).ask(JsonWriter.object(
                "command", "register", "name", offer.name(), "port", offer.port(), "udp", offer.udp(),
                "repeatable", offer.repeatable(), "delegation", delegations.get(key)));
        if (!GatewayRequest.is(answer, "registered")) {
            throw new IOException("the server on " + host + " is not registered: " + answer);
        }
        hostsOfInstances.put(AdminOptions.text(answer, "instance"), host);
    }

    /** Has a host offer a program no more; its flows go on elsewhere. */
    public void drain(String host, Offer offer) throws IOException {
        network.gateway(host).ask(JsonWriter.object("command", "drain", "name", offer.name()));
    }

    /** Returns what the gateways of the servers have counted. */
    List<Object> counts() throws IOException {
        List<Object> counts = new ArrayList<>();
        for (String each : DemoNetwork.SERVERS) {
            counts.add(network.gateway(each).ask(JsonWriter.object("command", "flows")).get("counts"));
        }
        return counts;
    }

    /** Returns the flows of the client, and what has happened to them. */
    public Map<String, Object> flows() throws IOException {
        return ask("flows");
    }

    /** Asks the client's gateway. */
    Map<String, Object> ask(String command) throws IOException {
        return network.gateway(DemoNetwork.CLIENT).ask(JsonWriter.object("command", command));
    }

    /** Returns the host that serves the client's open connection; empty if there is none. Flows of UDP end by time alone. */
    public String server() throws IOException {
        return AdminOptions.rows(flows(), "flows").stream()
                .filter(each -> AdminOptions.text(each, "state").equals("open") && AdminOptions.text(each, "protocol").equals("tcp"))
                .map(each -> hostsOfInstances.getOrDefault(AdminOptions.text(each, "instance"), ""))
                .findFirst()
                .orElse("");
    }
}
