package io.guidepost.bench.packet;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.CProgram;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.NamespacePair;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.packet.ip.HostPort;
import io.guidepost.packet.ip.Hosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lookups on the fast path: the server over AF_XDP or DPDK, a C program there, and the server on kernel sockets. */
@Command(
        name = "fast",
        description = {
            "Lookups at saturation on a network device, against a C program there that does the same work (headers,",
            "checksums, keyed hash probe, copy of the response). The generator uses the same kind of device:",
            "  xdp    virtual interfaces, which it creates, with AF_XDP; C with libxdp; and the same server on kernel",
            "         sockets. Needs root, ip, cc and libxdp-dev.",
            "  memif  shared memory of two processes, by DPDK; C with DPDK. Needs cc, libdpdk-dev and dpdk.",
            "",
            "Example: ./guidepost bench fast --mode generic --rounds 7"
        },
        mixinStandardHelpOptions = true)
public final class FastScene extends BenchScene {
    private static final int SERVICE = 5001;
    private static final int GENERATOR_PORT = 40_000;
    private static final int LOADING_OUTSTANDING = 256;
    private static final int LOADING_PASSES_MAX = 20;
    private static final long START_NANOS_MAX = 60_000_000_000L;
    private static final long LOOK_NANOS = 10_000_000;

    /** Sleep of the server's workers and of the C program after an empty poll. */
    private static final int NAP_MICROS = 40;

    private static final List<String> CORE = List.of("gnrs_frames.h", "responder.c", "udp_trains.h");
    private static final List<String> DPDK_CORE = List.of("gnrs_frames.h", "responder.c", "udp_trains.h", "dpdk_pool.h");
    private static final CProgram XDP_PROGRAM =
            new CProgram("gnrs_xdp_responder.c", CORE, List.of("-lxdp", "-lbpf"), "libxdp-dev libbpf-dev");

    @Option(names = "--device", paramLabel = "xdp|memif", description = "The device (default ${DEFAULT-VALUE}).")
    private String device = "xdp";

    @Option(names = "--mode", paramLabel = "MODE", description = "Of xdp: native or generic (default ${DEFAULT-VALUE}).")
    private String mode = "native";

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Outstanding requests (default ${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Option(names = "--only-c", description = "Leaves kernel sockets out.")
    private boolean onlyC;

    @Override
    public BenchReport play(BenchStage stage) {
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();
        int count = options.size(records, 1000);
        String title;
        switch (device) {
            case "xdp" -> {
                title = "Lookups over AF_XDP (" + mode + ")";
                xdp(stage, contestants, count, notes);
            }
            case "memif" -> {
                title = "Lookups over DPDK (memif)";
                memif(stage, contestants, count, notes);
            }
            default -> throw new BenchFailure("there is no device '" + device + "' here; it is xdp or memif");
        }
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        notes.addAll(rounds.notes());
        return new BenchReport(title, AlternatingRounds.heading(), rounds.rows(), notes);
    }

    private void xdp(BenchStage stage, Map<String, Supplier<LoadResult>> contestants, int count, List<String> notes) {
        String missing = NamespacePair.missing();
        if (!missing.isEmpty()) {
            throw BenchFailure.missing("AF_XDP cannot be measured here: " + missing);
        }
        String port = "xdp:far,mode=" + mode;
        add(stage, contestants, "AF_XDP, guidepost", count, wires(stage, serve(stage, "fast", NamespacePair.FAR_IP, port)));
        try {
            Path program = XDP_PROGRAM.compiled(stage.folder());
            List<String> command = List.of(
                    program.toString(), "--interface", NamespacePair.FAR, "--address", NamespacePair.FAR_IP, "--mode", mode,
                    "--records", Integer.toString(count), "--spin", "20");
            add(stage, contestants, "AF_XDP, C with libxdp", 0, wires(stage, command));
        } catch (BenchFailure e) {
            notes.add("No comparison with C: " + e.sentence());
        }
        if (!onlyC) {
            add(stage, contestants, "kernel UDP, guidepost", count, wires(stage, serve(stage, "kernel", NamespacePair.FAR_IP, "")));
        }
    }

    private void memif(BenchStage stage, Map<String, Supplier<LoadResult>> contestants, int count, List<String> notes) {
        List<String> flags = DpdkScene.flags();
        String server = memif(stage, 0, "server") + ",address=" + NamespacePair.FAR_IP + "/24";
        add(stage, contestants, "memif, guidepost", count, memories(stage, 0, serve(stage, "memif", "", "dpdk:" + server)));
        if (flags.isEmpty()) {
            notes.add("No comparison with C: there is no DPDK to compile it with (apt-get install libdpdk-dev dpdk).");
            return;
        }
        Path program = new CProgram("gnrs_dpdk_responder.c", DPDK_CORE, flags, "libdpdk-dev dpdk").compiled(stage.folder());
        List<String> command = List.of(
                program.toString(), "--device", memif(stage, 1, "server"), "--address", NamespacePair.FAR_IP,
                "--records", Integer.toString(count), "--nap", Integer.toString(NAP_MICROS));
        add(stage, contestants, "memif, C with DPDK", 0, memories(stage, 1, command));
    }

    /** Returns a DPDK memif device whose peer has the same number and the other role. */
    static String memif(BenchStage stage, int number, String role) {
        return "net_memif" + number + ",role=" + role + ",id=0,socket-abstract=no,socket="
                + stage.folder().resolve("memif-" + number + ".sock");
    }

    static List<String> serve(BenchStage stage, String name, String listen, String port) {
        List<String> command = new ArrayList<>(ServerUnderTest.server());
        command.add("serve");
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("gnrs.listen", listen);
        settings.put("gnrs.writers", "0.0.0.0/0");
        settings.put("workers.count", "1");
        settings.put("udp.segmentation-offload", "off");
        settings.put("workers.coalesce-micros", Integer.toString(NAP_MICROS));
        settings.put("packet.ports", port);
        settings.put("store.folder", stage.folder().resolve(name + "-store").toString());
        settings.put("store.durability", "os");
        settings.put("admin.port", "-1");
        settings.put("log.level", "warning");
        settings.forEach((key, value) -> {
            command.add("--set");
            command.add(key + "=" + value);
        });
        return command;
    }

    /** A started server, and the generator's port to it. */
    private record Opened(ChildProcess server, HostPort port) {}

    /** Starts a server and opens the port to it; the server first, as it is the port's peer. */
    @FunctionalInterface
    private interface Opener {
        Opened open();
    }

    /** Returns a server with AF_XDP or kernel sockets on one of two virtual interfaces. */
    private Opener wires(BenchStage stage, List<String> command) {
        return () -> {
            NamespacePair pair = stage.keep(new NamespacePair());
            ChildProcess server = stage.keep(ChildProcess.start("server", options.serverCpu(), stage.folder(), pair.onFarSide(command)));
            awaitReady(server);
            return new Opened(server, near(pair, mode));
        };
    }

    /** Opens the generator's port, over AF_XDP. */
    static HostPort near(NamespacePair pair, String mode) {
        String port = "xdp:" + NamespacePair.NEAR + ",mode=" + mode + ",address=" + NamespacePair.NEAR_IP + "/24";
        return pair.onNearSide(() -> Hosts.open(port, List.of(GENERATOR_PORT), Map.of()));
    }

    /** Returns a server on shared memory. */
    private Opener memories(BenchStage stage, int number, List<String> command) {
        return () -> {
            ChildProcess server = stage.keep(ChildProcess.start("server", options.serverCpu(), stage.folder(), command));
            awaitReady(server);
            String port = "dpdk:" + memif(stage, number, "client") + ",address=" + NamespacePair.NEAR_IP + "/24";
            try {
                HostPort opened = Hosts.open(port, List.of(GENERATOR_PORT), Map.of());
                awaitLink(opened, server);
                return new Opened(server, opened);
            } catch (IOException e) {
                throw new BenchFailure(String.valueOf(e.getMessage()), e);
            }
        };
    }

    private static void awaitLink(HostPort port, ChildProcess server) {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (!port.link().up()) {
            if (!server.alive() || System.nanoTime() - end >= 0) {
                throw server.failed("did not take the other end of " + port.name());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void add(BenchStage stage, Map<String, Supplier<LoadResult>> contestants, String name, int load, Opener opener) {
        stage.progress().say("starting " + name);
        Opened opened = opener.open();
        ChildProcess server = opened.server();
        HostPort port = stage.keep(opened.port());
        if (load > 0) {
            load(stage, name, port, load);
        }
        KeyDistribution keys = KeyDistribution.uniform(options.size(records, 1000), 1);
        GnrsLoadGenerator generator = generator(port, LoadProfile.closed(keys, outstanding), server.meter()::cpuNanos);
        if (load > 0) {
            stage.progress().say("warming up " + name);
            warmUp(() -> server.meter().cpuNanos(), generator::run);
        }
        contestants.put(name, () -> generator.run(options.roundWarmNanos(), options.windowNanos()));
    }

    static void awaitReady(ChildProcess server) {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (server.alive() && System.nanoTime() - end < 0) {
            String output = server.output();
            if (output.contains("records in ") || output.endsWith("ready\n")) {
                return;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        throw server.failed("did not become ready");
    }

    private static InetSocketAddress target() {
        return new InetSocketAddress(InetAddress.ofLiteral(NamespacePair.FAR_IP), SERVICE);
    }

    /** Returns a generator, and the processor time of what it asks. */
    static GnrsLoadGenerator generator(HostPort port, LoadProfile load, LongSupplier cpuNanos) {
        return new GnrsLoadGenerator(List.of(port), target(), load, System::nanoTime, cpuNanos);
    }

    static void load(BenchStage stage, String name, HostPort port, int records) {
        stage.progress().say("loading " + records + " records into " + name);
        KeyDistribution keys = KeyDistribution.sequential(0, records);
        int count = records;
        for (int pass = 0; pass < LOADING_PASSES_MAX; pass++) {
            List<Integer> unanswered = new ArrayList<>();
            LoadProfile load = LoadProfile.closed(keys, LOADING_OUTSTANDING).withChanges(keys, LoadProfile.WHOLE, 0);
            GnrsLoadGenerator loader =
                    new GnrsLoadGenerator(List.of(port), target(), load, System::nanoTime, () -> ProcessMeter.UNKNOWN);
            loader.onUnanswered(unanswered::add);
            loader.runCount(count);
            if (unanswered.isEmpty()) {
                return;
            }
            keys = KeyDistribution.listed(unanswered.stream().mapToInt(Integer::intValue).toArray());
            count = unanswered.size();
        }
        throw new BenchFailure(name + " did not acknowledge all records");
    }
}
