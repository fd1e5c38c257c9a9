package io.guidepost.bench.scaffold;

import io.guidepost.bench.process.NamespacePair;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.SceneOptions;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.server.cli.scaffold.DemoHosts;
import io.guidepost.server.cli.scaffold.DemoHosts.Offer;
import io.guidepost.server.cli.scaffold.DemoNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** The hosts and routers of the demonstration, with gateways of the product, and servers that the scenes break. */
final class NetworkUnderTest {
    // By both servers: with ranges; without, so that a response is repeated; by a process that is killed.
    static final Offer WEB = new Offer("web", 8080, false, true);
    static final Offer WHOLE = new Offer("whole", 8081, false, true);
    static final Offer MORTAL = new Offer("mortal", 8082, false, true);

    // By the server behind both routers alone.
    static final Offer FAR = new Offer("far", 8083, false, false);
    static final Offer DATAGRAMS = new Offer("datagrams", 9000, true, false);
    static final Offer ECHO = new Offer("echo", 9001, true, false);
    static final String FAR_HOST = DemoNetwork.SERVERS.getLast();
    static final String FAR_ADDRESS = "10.2.2.2";

    /** So that packets as long as those of an Ethernet fit into a carriage. */
    private static final int LINK_MTU = 1_600;

    private static final List<String> GATEWAY_OPTIONS = List.of("--mtu", "1500");

    final BenchStage stage;
    final SceneOptions options;
    final FigureTable table;
    final DemoHosts hosts;
    final boolean labels;
    private final String[] gatewayOptions;
    private final DemoNetwork network;
    private final List<HttpOrigin> origins = new ArrayList<>();
    private final Map<String, Process> mortals = new HashMap<>();

    /** Makes all, in the namespaces of this process; its packets are carried by labels, or by UDP. */
    NetworkUnderTest(BenchStage stage, SceneOptions options, FigureTable table, boolean labels) throws IOException {
        this.stage = stage;
        this.options = options;
        this.table = table;
        this.labels = labels;
        List<String> words = new ArrayList<>(GATEWAY_OPTIONS);
        if (labels) {
            words.add("--labels");
        }
        gatewayOptions = words.toArray(String[]::new);
        network = stage.keep(new DemoNetwork(stage.folder(), ServerUnderTest.server(), LINK_MTU, labels));
        hosts = new DemoHosts(network);
        stage.progress().say("starting gateways");
        hosts.begin(gatewayOptions);
        for (String host : DemoNetwork.SERVERS) {
            serve(host, WEB);
            serve(host, WHOLE);
        }
        serve(FAR_HOST, FAR);
        hosts.register(FAR_HOST, DATAGRAMS);
        hosts.register(FAR_HOST, ECHO);
    }

    private void serve(String host, Offer offer) throws IOException {
        boolean ranges = !offer.equals(WHOLE);
        origins.add(NamespacePair.within(host, () -> new HttpOrigin(offer.port(), ranges)));
        hosts.register(host, offer);
    }

    /** Returns the processor time of the gateways, and of this process, which is client, server and what the kernel does for them. */
    long cpuNanos() {
        return new ProcessMeter(ProcessHandle.current().pid()).cpuNanos()
                + hosts.gateways().stream().mapToLong(each -> new ProcessMeter(each.pid()).cpuNanos()).sum();
    }

    void say(String scene, int round) {
        stage.progress().say(scene + ": round " + round + " of " + options.rounds());
    }

    static <T> T atClient(Callable<T> action) {
        return NamespacePair.within(DemoNetwork.CLIENT, action);
    }

    static String name(Offer offer) {
        return offer.name() + ".svc.internal";
    }

    /** Returns where the client's programs reach an object, as DNS says now. */
    static InetSocketAddress address(Offer offer) {
        return atClient(() -> new InetSocketAddress(InetAddress.getByName(name(offer)), offer.port()));
    }

    /** Kills the worker of the download, which is the only one. */
    void killWorker() throws IOException {
        for (HttpOrigin each : origins) {
            each.killWorkers();
        }
    }

    /** Starts the process that offers {@link #MORTAL} on a host, and waits until it listens. */
    void startMortal(String host) throws IOException {
        mortals.put(host, network.start(host, ScaffoldScene.command("scaffold", ScaffoldScene.ORIGIN)));
        DemoHosts.await("the server on " + host + " does not listen", () -> NamespacePair.within(host, () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), MORTAL.port())) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        }));
    }

    void killMortal(String host) {
        Process process = mortals.get(host);
        if (process != null) {
            DemoNetwork.kill(process);
        }
    }

    /** Waits until the client's last download is forgotten. */
    void settle() throws IOException {
        DemoHosts.await("the last download does not end", () -> hosts.server().isEmpty());
    }

    void restartGateway() throws IOException {
        hosts.killGateway(DemoNetwork.CLIENT);
        hosts.startGateway(DemoNetwork.CLIENT, gatewayOptions);
        hosts.awaitJoin(DemoNetwork.CLIENT);
    }
}
