package io.guidepost.bench;

import io.guidepost.packet.host.HostPort;
import io.guidepost.packet.host.Hosts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lookups on the fast path: the server over AF_XDP, a C program with libxdp, and the server on kernel sockets. */
@Command(
        name = "fast",
        description = {
            "Lookups at saturation over AF_XDP, against a C program with libxdp that does the same work (headers,",
            "checksums, keyed hash probe, copy of the answer), and against the same server on the kernel's sockets;",
            "over virtual interfaces, which it makes. The generator is on AF_XDP too, so that it is not the limit.",
            "Needs root, ip, cc and libxdp-dev.",
            "",
            "Example: ./guidepost bench fast --mode generic --rounds 7"
        },
        mixinStandardHelpOptions = true)
final class FastScene extends Scene {
    private static final int SERVICE = 5001;
    private static final int GENERATOR_PORT = 40_000;
    private static final int LOADING_OUTSTANDING = 256;
    private static final int LOADING_PASSES_MAX = 20;
    private static final long START_NANOS_MAX = 60_000_000_000L;
    private static final long LOOK_NANOS = 10_000_000;
    private static final CProgram PROGRAM =
            new CProgram("gnrs_xdp_responder.c", List.of("-lxdp", "-lbpf"), "libxdp-dev libbpf-dev");

    /** The first includes it, and finds it where it is itself: compiling it puts it there. */
    private static final CProgram CORE = new CProgram("responder.c");

    @Option(names = "--mode", paramLabel = "MODE", description = "native or generic (default ${DEFAULT-VALUE}).")
    private String mode = "native";

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Requests that are always waiting (default ${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Override
    Report play(Stage stage) {
        String missing = VethPair.missing();
        if (!missing.isEmpty()) {
            throw new Failure("AF_XDP cannot be measured here: " + missing);
        }
        Map<String, Supplier<Tally>> contestants = new LinkedHashMap<>();
        int count = options.size(records, 1000);
        add(stage, contestants, "AF_XDP, guidepost", count, serve(stage, "fast", "xdp:far,mode=" + mode));
        List<String> notes = new ArrayList<>();
        try {
            CORE.compiled(stage.folder());
            Path program = PROGRAM.compiled(stage.folder());
            List<String> command = List.of(
                    program.toString(), "--interface", VethPair.FAR, "--address", VethPair.FAR_IP, "--mode", mode,
                    "--records", Integer.toString(count), "--spin", "20");
            add(stage, contestants, "AF_XDP, C with libxdp", 0, command);
        } catch (Failure e) {
            notes.add("No comparison with C: " + e.sentence());
        }
        add(stage, contestants, "kernel UDP, guidepost", count, serve(stage, "kernel", ""));
        Rounds rounds = Rounds.play(options.rounds(), contestants, stage.progress());
        notes.addAll(rounds.notes());
        return new Report("Lookups over AF_XDP (" + mode + ")", Rounds.heading(), rounds.rows(), notes);
    }

    private static List<String> serve(Stage stage, String name, String port) {
        List<String> command = new ArrayList<>(ServerUnderTest.java("io.guidepost.server.cli.Main"));
        command.add("serve");
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("gnrs.listen", VethPair.FAR_IP);
        settings.put("gnrs.workers", "1");
        settings.put("gnrs.gro", "off");
        settings.put("packet.ports", port);
        settings.put("store.folder", stage.folder().resolve(name + "-store").toString());
        settings.put("store.durability", "os");
        settings.put("admin.enabled", "false");
        settings.put("log.level", "warning");
        settings.forEach((key, value) -> {
            command.add("--set");
            command.add(key + "=" + value);
        });
        return command;
    }

    private void add(
            Stage stage, Map<String, Supplier<Tally>> contestants, String name, int load, List<String> command) {
        stage.progress().say("starting " + name);
        VethPair pair = stage.keep(new VethPair());
        Child server = stage.keep(Child.start("server", options.serverCpu(), stage.folder(), pair.onFarSide(command)));
        awaitReady(server);
        HostPort port = stage.keep(pair.onNearSide(() -> Hosts.open(
                "xdp:" + VethPair.NEAR + ",mode=" + mode + ",address=" + VethPair.NEAR_IP + "/24", GENERATOR_PORT, Map.of())));
        if (load > 0) {
            load(stage, name, port, load);
        }
        Keys keys = Keys.uniform(options.size(records, 1000), 1);
        Generator generator = generator(port, Load.closed(keys, outstanding), server);
        stage.progress().say("warming up " + name);
        generator.run(options.warmNanos(), 0);
        contestants.put(name, () -> generator.run(options.roundWarmNanos(), options.windowNanos()));
    }

    private static void awaitReady(Child server) {
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
        return new InetSocketAddress(InetAddress.ofLiteral(VethPair.FAR_IP), SERVICE);
    }

    private static Generator generator(HostPort port, Load load, Child server) {
        return new Generator(List.of(port), target(), load, System::nanoTime, () -> server.meter().cpuNanos());
    }

    private static void load(Stage stage, String name, HostPort port, int records) {
        stage.progress().say("loading " + records + " records into " + name);
        Keys keys = Keys.sequential(0, records);
        int count = records;
        for (int pass = 0; pass < LOADING_PASSES_MAX; pass++) {
            List<Integer> unanswered = new ArrayList<>();
            Load load = Load.closed(keys, LOADING_OUTSTANDING).withChanges(keys, Load.WHOLE, 0);
            Generator loader =
                    new Generator(List.of(port), target(), load, System::nanoTime, () -> ProcessMeter.UNKNOWN);
            loader.onUnanswered(unanswered::add);
            loader.runCount(count);
            if (unanswered.isEmpty()) {
                return;
            }
            keys = Keys.listed(unanswered.stream().mapToInt(Integer::intValue).toArray());
            count = unanswered.size();
        }
        throw new Failure(name + " did not acknowledge all records");
    }
}
