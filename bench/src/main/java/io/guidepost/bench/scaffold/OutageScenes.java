package io.guidepost.bench.scaffold;

import static io.guidepost.bench.scaffold.NetworkUnderTest.FAR;
import static io.guidepost.bench.scaffold.NetworkUnderTest.MORTAL;
import static io.guidepost.bench.scaffold.NetworkUnderTest.WEB;
import static io.guidepost.bench.scaffold.NetworkUnderTest.WHOLE;

import io.guidepost.server.cli.scaffold.DemoHosts.Offer;
import io.guidepost.server.cli.scaffold.DemoNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** Downloads from which something is taken away, and as many in the same rounds from which nothing is. */
final class OutageScenes {
    private static final long REPEATED_BYTES = 30_000_000;
    private static final long BEFORE_NANOS = 400_000_000;
    private static final long AFTER_NANOS = 500_000_000;
    private static final long ROAD_NANOS = 50_000_000;
    private static final String MOVE = "move";
    private static final String CABLE_DOWN = "ip -n client link set cable down";
    private static final String CABLE_UP = "ip -n client link set cable up; ip -n client route add default via 10.1.1.1 metric 1";
    private static final String SECOND_DOWN = "ip -n client link set second down";
    private static final String SECOND_UP = "ip -n client link set second up; ip -n client route add default via 10.2.1.1 metric 2";
    private static final String FORWARD = "ip netns exec a sysctl -qw net.ipv4.ip_forward=";
    private static final String CHANGES = "p50 <= 5, p99 < 20 ms";
    private static final String SILENCES = "p50 <= 60, p99 <= 150 ms";

    private final NetworkUnderTest network;

    /** Done to the server that has the download, or to the network. */
    private interface Deed {
        void at(String server) throws IOException;
    }

    OutageScenes(NetworkUnderTest network) {
        this.network = network;
    }

    /** Plays a scene. */
    void play(String scene) throws IOException {
        Deed nothing = _ -> {};
        switch (scene) {
            case "shed" -> play(scene, WEB, CHANGES, each -> network.hosts.drain(each, WEB), each -> network.hosts.register(each, WEB));
            case "worker" -> play(scene, WEB, CHANGES, _ -> network.killWorker(), nothing);
            case "kill" -> {
                for (String each : DemoNetwork.SERVERS) {
                    network.startMortal(each);
                    network.hosts.register(each, MORTAL);
                }
                play(scene, MORTAL, CHANGES, network::killMortal, network::startMortal);
            }
            case "repeat" -> {
                List<Download> all = play(scene, WHOLE, "the bytes' time + 20 ms", _ -> network.killWorker(), nothing);
                List<Double> more = all.stream().map(each -> each.gapMillis() - each.beforeMillis()).toList();
                network.table.row("repeat: gap without the time that the bytes took at first, ms", more, List.of(), "<= 20 ms");
            }
            case "link" -> play(scene, FAR, "< 20 ms", _ -> DemoNetwork.run(CABLE_DOWN), _ -> DemoNetwork.run(CABLE_UP));
            case MOVE -> {
                DemoNetwork.run(SECOND_DOWN);
                play(scene, FAR, "< 20 ms from the address on", _ -> {
                    DemoNetwork.run(CABLE_DOWN);
                    LockSupport.parkNanos(ROAD_NANOS);
                    DemoNetwork.run(SECOND_UP);
                }, _ -> DemoNetwork.run(CABLE_UP + ";" + SECOND_DOWN));
                DemoNetwork.run(SECOND_UP);
            }
            case "router" -> play(scene, FAR, SILENCES, _ -> DemoNetwork.run(FORWARD + 0), _ -> DemoNetwork.run(FORWARD + 1));
            case "host" -> play(scene, WEB, SILENCES, each -> power(each, "add"), each -> power(each, "del"));
            default -> play(scene, FAR, "<= 1,000 ms from the restart on", _ -> network.restartGateway(), nothing);
        }
    }

    /** Has a router drop all from and to a server without a word, as if that were without power; or no more. */
    private static void power(String server, String word) throws IOException {
        boolean near = server.equals(DemoNetwork.SERVERS.getFirst());
        String rule = "ip -n " + (near ? "a" : "b") + " rule " + word;
        DemoNetwork.run(
                rule + " pref 1 iif toserver blackhole; " + rule + " pref 2 to " + (near ? "10.1.3.2" : "10.2.2.2") + " blackhole");
    }

    /** Plays the rounds of a scene; returns the downloads that went on. */
    private List<Download> play(String scene, Offer offer, String target, Deed event, Deed mending) throws IOException {
        boolean smoke = network.options.smoke();
        long bytes = offer.equals(WHOLE) ? network.options.size((int) REPEATED_BYTES, 1_000_000) : 0;
        boolean fromEnd = scene.equals(MOVE) || scene.equals("gateway");
        Download.Plan plan = new Download.Plan(
                BEFORE_NANOS / (smoke ? 8 : 1), bytes, AFTER_NANOS / (smoke ? 5 : 1), fromEnd, smoke ? 1_000 : 5_000);
        Map<String, Integer> failures = new TreeMap<>();
        List<Download> broken = new ArrayList<>();
        List<Download> whole = new ArrayList<>();
        for (int round = 1; round <= network.options.rounds(); round++) {
            network.say(scene, round);
            String[] server = {""};
            run(offer, new Download(plan, begins -> {
                server[0] = network.hosts.server();
                begins.run();
                event.at(server[0]);
            }), broken, failures);
            mending.at(server[0]);
            network.settle();
            run(offer, new Download(plan, Runnable::run), whole, failures);
            network.settle();
        }
        network.table.row(scene + ": longest gap, ms", gaps(broken), gaps(whole), target);
        failures.forEach((why, count) -> network.table.notes.add(scene + ": of " + 2 * network.options.rounds() + " downloads "
                + count + " failed: " + why + "."));
        return broken;
    }

    private static List<Double> gaps(List<Download> downloads) {
        return downloads.stream().map(Download::gapMillis).toList();
    }

    private static void run(Offer offer, Download download, List<Download> done, Map<String, Integer> failures) {
        InetSocketAddress at = NetworkUnderTest.address(offer);
        NetworkUnderTest.atClient(() -> download.run(at));
        if (download.failure.isEmpty()) {
            done.add(download);
        } else {
            failures.merge(download.failure.replaceAll("\\d+ ms", "some ms"), 1, Integer::sum);
        }
    }
}
