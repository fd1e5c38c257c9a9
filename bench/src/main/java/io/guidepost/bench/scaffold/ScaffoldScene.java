package io.guidepost.bench.scaffold;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.SceneOptions;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.server.cli.scaffold.DemoNetwork;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** SCAFFOLD: outages of downloads, throughput, latency, connections, and what its machines do alone. */
@Command(
        name = "scaffold",
        description = {
            "Measures SCAFFOLD in the network of guidepost scaffold demo: hosts and routers in namespaces, without root.",
            "Scenes with an outage take something from a download at full speed, and print the longest gap that the client",
            "sees; the baseline is that of as many downloads in the same rounds without an event:",
            "  shed        the server is drained             kill        its process is killed (SIGKILL)",
            "  worker      the connection's worker is killed, the port stays open",
            "  repeat      the same after 30 MB, by a server without ranges, so that all is sent once more",
            "  link        the client's cable is pulled      move        the client goes to another router",
            "  router      a router is silent                host        the server is silent, as without power",
            "  gateway     the client's gateway is killed, and started again",
            "Scenes with the kernel's own forwarding, to the same sockets in the same rounds, as the baseline:",
            "  throughput  1,400 bytes by two routers, a sweep of rates; TCP; processor time of each byte",
            "  latency     round trips of 18 and 1,472 bytes",
            "  calls       resolve and connect; the first contact of two hosts",
            "Without a baseline:",
            "  calm        --minutes with all processors busy: no flow may change its instance",
            "  bind, resolve, flows   the machines of object router and gateways in one process, without a network: a durable",
            "              registration and a renewed one; SYNs a second for one worker; bytes for each flow that is kept",
            "With --carriage label the gateways of these two carry by labels: as root by a program in the kernel, else by themselves.",
            "No scene counts lines that programs need changed: there are none.",
            "",
            "Example: ./guidepost bench scaffold kill link --rounds 20"
        },
        mixinStandardHelpOptions = true)
public final class ScaffoldScene extends BenchScene {
    /** The process that a scene kills. */
    static final String ORIGIN = "origin";

    private static final String INSIDE = "guidepost.bench.inside";
    private static final List<String> OF_MACHINES = List.of("bind", "resolve", "flows");
    private static final List<String> ALL = List.of(
            "throughput", "latency", "calls", "shed", "kill", "worker", "repeat", "link", "move", "router", "host", "gateway", "calm",
            "bind", "resolve", "flows");

    @Parameters(arity = "1..*", paramLabel = "SCENE", description = "What is measured.")
    private List<String> scenes = new ArrayList<>();

    @Option(names = "--rates", split = ",", paramLabel = "MBITS", description = "Of throughput (default 100,324,600,1000,2000).")
    private List<Integer> rates = List.of(100, 324, 600, 1_000, 2_000);

    @Option(names = "--minutes", paramLabel = "N", description = "Of calm (default ${DEFAULT-VALUE}).")
    private double minutes = 10;

    @Option(names = "--carriage", paramLabel = "udp|label", description = "Of throughput and latency (default ${DEFAULT-VALUE}).")
    private Carriage carriage = Carriage.udp;

    /** How gateways carry packets; the names are those of the option. */
    @SuppressWarnings("MemberName")
    enum Carriage {
        udp,
        label
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Creates the scene. */
    public ScaffoldScene() {
        options = new SceneOptions(20, 1, 3);
    }

    /** All processes share all processors, as they do on a host. */
    @Override
    public void pin() {}

    @Override
    public Integer call() throws IOException {
        if (scenes.contains(ORIGIN)) {
            new HttpOrigin(NetworkUnderTest.MORTAL.port(), true).serve();
        }
        for (String each : scenes) {
            if (!ALL.contains(each)) {
                throw new BenchFailure("there is no scene '" + each + "'; there are " + String.join(", ", ALL));
            }
        }
        return OF_MACHINES.containsAll(scenes) || Boolean.getBoolean(INSIDE) ? super.call() : callInNamespaces();
    }

    /** Returns the command of another process that runs this program. */
    static List<String> command(String... words) {
        List<String> command = new ArrayList<>(ServerUnderTest.java("io.guidepost.bench.BenchCommand"));
        System.getProperties().stringPropertyNames().stream()
                .filter(each -> each.startsWith("guidepost."))
                .forEach(each -> command.add(1, "-D" + each + "=" + System.getProperty(each)));
        command.add(1, "-D" + INSIDE + "=true");
        command.addAll(List.of(words));
        return command;
    }

    /** Has another process do it where it may make networks. */
    @SuppressWarnings("SystemConsoleNull") // Without a terminal there is none; that check is for another default.
    private int callInNamespaces() throws IOException {
        if (!DemoNetwork.missing().isEmpty()) {
            throw BenchFailure.missing("the scenes need the program " + DemoNetwork.missing());
        }
        List<String> again = command(spec.commandLine().getParseResult().originalArgs().toArray(String[]::new));
        boolean shown = System.console() != null && System.console().isTerminal();
        Process process = new ProcessBuilder(DemoNetwork.inNamespaces(again))
                .inheritIO()
                .redirectOutput(shown ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.PIPE)
                .start();
        PrintWriter out = spec.commandLine().getOut();
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8).transferTo(out);
        out.flush();
        return process.onExit().join().exitValue();
    }

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        FigureTable table = new FigureTable();
        // Each call asks for its name, as programs do.
        Security.setProperty("networkaddress.cache.ttl", "0");
        NetworkUnderTest network = OF_MACHINES.containsAll(scenes)
                ? null
                : new NetworkUnderTest(stage, options, table, carriage == Carriage.label);
        for (String each : scenes) {
            stage.progress().say(each);
            play(each, network, stage, table);
        }
        table.notes.add("Of up to 100 runs the p99 is the largest.");
        return table.report("SCAFFOLD: " + String.join(", ", scenes));
    }

    private void play(String scene, @Nullable NetworkUnderTest network, BenchStage stage, FigureTable table) throws IOException {
        if (network == null || OF_MACHINES.contains(scene)) {
            stage.keep(new MachineScenes(stage.folder().resolve(scene), options, table)).play(scene);
            return;
        }
        TrafficScenes traffic = new TrafficScenes(network);
        switch (scene) {
            case "throughput" -> traffic.throughput(options.smoke() ? List.of(324) : rates);
            case "latency" -> traffic.latency();
            case "calls" -> traffic.calls();
            case "calm" -> traffic.calm(options.smoke() ? 0.002 : minutes);
            default -> new OutageScenes(network).play(scene);
        }
    }
}
