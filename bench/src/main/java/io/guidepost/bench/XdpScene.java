package io.guidepost.bench;

import io.guidepost.packet.Port;
import io.guidepost.packet.device.Ports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Echoes over AF_XDP: the framework, a C program with libxdp, and a kernel socket. */
@Command(
        name = "xdp",
        description = {
            "Datagrams echoed at layer 2 over AF_XDP, against a C program with libxdp that does the same work, and",
            "against a kernel socket; all over virtual interfaces, which it makes, with one generator.",
            "Needs root, ip, cc and libxdp-dev.",
            "",
            "Example: ./guidepost bench xdp --mode generic --frame-bytes 512"
        },
        mixinStandardHelpOptions = true)
final class XdpScene extends Scene {
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
            description = "Datagrams that are always on their way (default ${DEFAULT-VALUE}).")
    private int outstanding = 512;

    @Option(
            names = "--spin",
            paramLabel = "MICROS",
            description = "How long a server looks for work before it sleeps (default ${DEFAULT-VALUE}).")
    private int spinMicros = 20;

    @Option(names = "--without-c", description = "Leaves the C program out, as where libxdp-dev is missing.")
    private boolean withoutC;

    @Override
    Report play(Stage stage) {
        String missing = VethPair.missing();
        if (!missing.isEmpty()) {
            throw new Failure("AF_XDP cannot be measured here: " + missing);
        }
        Map<String, Supplier<Tally>> contestants = new LinkedHashMap<>();
        add(stage, contestants, "AF_XDP, framework", echo("xdp:" + VethPair.FAR + ",mode=" + mode));
        List<String> notes = new ArrayList<>();
        try {
            if (!withoutC) {
                Path program = PROGRAM.compiled(stage.folder());
                add(stage, contestants, "AF_XDP, C with libxdp", List.of(
                        program.toString(), "--interface", VethPair.FAR, "--mode", mode, "--spin", Integer.toString(spinMicros)));
            }
        } catch (Failure e) {
            notes.add("No comparison with C: " + e.sentence());
        }
        add(stage, contestants, "kernel UDP, framework", echo("udp:" + VethPair.FAR_IP + ":" + SERVICE));
        Rounds rounds = Rounds.play(options.rounds(), contestants, stage.progress());
        notes.addAll(rounds.notes());
        List<List<String>> rows = new ArrayList<>();
        for (String name : contestants.keySet()) {
            rows.add(List.of(
                    name,
                    rounds.spread(name, Tally::repliesPerSecond).toString(),
                    rounds.spread(name, Tally::cpuMicrosPerReply).toString(),
                    rounds.spread(name, Tally::serverBusy).toString(),
                    rounds.spread(name, tally -> 1 - tally.generatorIdle()).toString(),
                    rounds.spread(name, tally -> 100 * tally.lossShare()).toString()));
        }
        return new Report(
                "Echo of frames of " + frameBytes + " bytes over AF_XDP, " + mode + " mode",
                List.of("", "replies/s", "CPU us/reply", "server busy", "generator busy", "lost %"),
                rows,
                notes);
    }

    private List<String> echo(String port) {
        List<String> command = ServerUnderTest.java(FrameEcho.class.getName());
        command.addAll(List.of(port, Integer.toString(spinMicros)));
        return command;
    }

    private void add(Stage stage, Map<String, Supplier<Tally>> contestants, String name, List<String> command) {
        stage.progress().say("starting " + name);
        VethPair pair = stage.keep(new VethPair());
        Child child = stage.keep(Child.start("echo", options.serverCpu(), stage.folder(), pair.onFarSide(command)));
        CProgram.awaitReady(child);
        Port port = stage.keep(pair.onNearSide(() -> Ports.open("xdp:" + VethPair.NEAR + ",mode=" + mode)));
        FrameGenerator generator = new FrameGenerator(port, frameBytes, outstanding, SERVICE, child.meter()::cpuNanos);
        stage.progress().say("warming up " + name);
        generator.run(options.warmNanos(), 0);
        contestants.put(name, () -> generator.run(options.roundWarmNanos(), options.windowNanos()));
    }
}
