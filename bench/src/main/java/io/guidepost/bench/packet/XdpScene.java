package io.guidepost.bench.packet;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.CProgram;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.NamespacePair;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** UDP echoes over AF_XDP: the framework, a C program with libxdp, and a kernel socket. */
@Command(
        name = "xdp",
        description = {
            "Datagrams echoed at layer 2 over AF_XDP, against a C program with libxdp that does the same work, and",
            "against a kernel socket; all over virtual interfaces, which it creates, with one generator.",
            "Needs root, ip, cc and libxdp-dev.",
            "",
            "Example: ./guidepost bench xdp --mode generic --frame-bytes 512"
        },
        mixinStandardHelpOptions = true)
public final class XdpScene extends BenchScene {
    private static final int SERVICE = 5001;
    private static final CProgram PROGRAM = new CProgram("xdp_responder.c", List.of(), List.of("-lxdp", "-lbpf"), "libxdp-dev libbpf-dev");

    @Option(names = "--mode", paramLabel = "MODE", description = "native or generic (default ${DEFAULT-VALUE}).")
    private String mode = "native";

    @Option(
            names = "--frame-bytes",
            paramLabel = "N",
            description = "Bytes of a frame without its check sequence, 60 to 1514 (default ${DEFAULT-VALUE}).")
    private int frameBytes = 82;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Datagrams in flight (default ${DEFAULT-VALUE}).")
    private int outstanding = 512;

    @Option(
            names = "--spin",
            paramLabel = "MICROS",
            description = "Spin time of a server before it sleeps (default ${DEFAULT-VALUE}).")
    private int spinMicros = 20;

    @Option(names = "--without-c", description = "Leaves out the C program, if libxdp-dev is missing.")
    private boolean withoutC;

    @Override
    public BenchReport play(BenchStage stage) {
        String missing = NamespacePair.missing();
        if (!missing.isEmpty()) {
            throw BenchFailure.missing("AF_XDP cannot be measured here: " + missing);
        }
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        add(stage, contestants, "AF_XDP, framework", echo("xdp:" + NamespacePair.FAR + ",mode=" + mode));
        List<String> notes = new ArrayList<>();
        try {
            if (!withoutC) {
                Path program = PROGRAM.compiled(stage.folder());
                add(stage, contestants, "AF_XDP, C with libxdp", List.of(
                        program.toString(), "--interface", NamespacePair.FAR, "--mode", mode, "--spin", Integer.toString(spinMicros)));
            }
        } catch (BenchFailure e) {
            notes.add("No comparison with C: " + e.sentence());
        }
        add(stage, contestants, "kernel UDP, framework", echo("udp:" + NamespacePair.FAR_IP + ":" + SERVICE));
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        notes.addAll(rounds.notes());
        return new BenchReport(
                "Echo of frames of " + frameBytes + " bytes over AF_XDP, " + mode + " mode",
                AlternatingRounds.heading(),
                rounds.rows(),
                notes);
    }

    private List<String> echo(String port) {
        List<String> command = ServerUnderTest.java(FrameEcho.class.getName());
        command.addAll(List.of(port, Integer.toString(spinMicros)));
        return command;
    }

    private void add(BenchStage stage, Map<String, Supplier<LoadResult>> contestants, String name, List<String> command) {
        stage.progress().say("starting " + name);
        NamespacePair pair = stage.keep(new NamespacePair());
        ChildProcess child = stage.keep(ChildProcess.start("echo", options.serverCpu(), stage.folder(), pair.onFarSide(command)));
        CProgram.awaitReady(child);
        Port port = stage.keep(pair.onNearSide(() -> FramePortOpener.open("xdp:" + NamespacePair.NEAR + ",mode=" + mode)));
        FrameGenerator generator = new FrameGenerator(port, frameBytes, outstanding, SERVICE, child.meter()::cpuNanos);
        stage.progress().say("warming up " + name);
        warmUp(child.meter()::cpuNanos, generator::run);
        contestants.put(name, () -> generator.run(options.roundWarmNanos(), options.windowNanos()));
    }
}
