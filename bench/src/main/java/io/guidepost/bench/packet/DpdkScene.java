package io.guidepost.bench.packet;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.CProgram;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The framework on DPDK devices against a C program that does the same with DPDK's own functions. */
@Command(
        name = "dpdk",
        description = {
            "Frames captured, forwarded and filtered on DPDK devices, against a C program that does the same,",
            "burst for burst. Devices:",
            "  null   generates frames itself, so that only the framework is measured",
            "  ring   circulates frames",
            "  memif  shared memory of two processes: a C sender on the other processor sends frames as fast as they",
            "         are taken, and forwarded frames go back to it",
            "Works:",
            "  capture  frames are received and released          touch  and a word of each cache line is read",
            "  forward  frames are received and sent",
            "  list     a firewall that compares rules; in C all of them, by vector instructions",
            "  early    the same; in C only until the first match",
            "  tree     a firewall with a compiled classifier; in C DPDK's own (ACL)",
            "  view     a handler reads six fields of each frame through the view with bounds that it gets by default, against",
            "           one that reads them unchecked, both in Java; alone",
            "",
            "Example: ./guidepost bench dpdk --work capture,touch --sizes 64,1518",
            "         ./guidepost bench dpdk --work view --device null --sizes 64",
            "         ./guidepost bench dpdk --device memif --work capture,touch,list,tree --sizes 64,1518"
        },
        mixinStandardHelpOptions = true)
public final class DpdkScene extends BenchScene {
    private static final int RING_FRAME_BYTES = 64;
    private static final String VIEW = "view";

    /** How much longer a sender runs than its receiver, before which it starts. */
    private static final long LONGER_NANOS = 50_000_000;

    @Option(
            names = "--work",
            paramLabel = "WORK",
            split = ",",
            description = "Work on the frames (default ${DEFAULT-VALUE}).")
    private List<String> works = List.of("capture", "touch", "forward", "list", "early", "tree");

    @Option(
            names = "--device",
            paramLabel = "null|ring|memif",
            split = ",",
            description = "Source of the frames (default ${DEFAULT-VALUE}).")
    private List<String> devices = List.of("null", "ring");

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            description = "Lengths of the frames of null and memif (default ${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of(64, 128, 256, 512, 1024, 1518);

    @Option(names = "--rules", paramLabel = "N", description = "Rules of the firewall (default ${DEFAULT-VALUE}).")
    private int rules = 100;

    @Option(
            names = "--queues",
            paramLabel = "N",
            description = "Queues, each with a worker on a processor of its own (default ${DEFAULT-VALUE}).")
    private int queues = 1;

    private int links;

    /** One comparison. */
    private record Case(String work, String device, int size) {
        /** Returns the same work without bounds. */
        Case unchecked() {
            return new Case("unchecked", device, size);
        }

        String name() {
            return work + ", " + device + (device.equals("ring") ? "" : ", " + size + " bytes");
        }
    }

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        List<String> flags = flags();
        if (flags.isEmpty()) {
            throw BenchFailure.missing(
                    "DPDK is not installed, so the baseline cannot be compiled (Debian: apt-get install libdpdk-dev dpdk)");
        }
        boolean views = works.contains(VIEW);
        if (views && works.size() > 1) {
            throw new BenchFailure("view compares Java with Java; run it alone: --work " + VIEW);
        }
        Path program = new CProgram("dpdk_work.c", List.of("dpdk_pool.h"), flags, "libdpdk-dev dpdk").compiled(stage.folder());
        List<List<Object>> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Case each : cases()) {
            stage.progress().say(each.name());
            rows.add(row(each, stage, program, notes));
        }
        stage.progress().done();
        notes.add("M/s are millions of frames in a second, CPU ns is processor time for a frame, of the whole process.");
        notes.add("Median of " + options.rounds() + " alternating rounds (smallest-largest); ratios round by round, above"
                + (views ? " 1 the view with bounds does more, or needs more." : " 1 Java does more, or needs less."));
        return new BenchReport(
                "DPDK, " + queues + (queues == 1 ? " queue, " : " queues, ") + rules + " rules",
                views
                        ? List.of("", "bounded M/s", "unchecked M/s", "bounded CPU ns", "unchecked CPU ns",
                                "rate, bounded / unchecked", "CPU, bounded / unchecked")
                        : List.of("", "Java M/s", "C M/s", "Java CPU ns", "C CPU ns", "rate, Java / C", "CPU, C / Java"),
                rows,
                notes);
    }

    /** Returns the compiler flags of DPDK; empty if it is not installed. */
    public static List<String> flags() {
        try {
            Process asked = new ProcessBuilder("pkg-config", "--cflags", "--libs", "libdpdk")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String text = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
        } catch (IOException e) {
            return List.of();
        }
    }

    private List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String device : devices) {
            for (String work : works) {
                switch (device) {
                    case "ring" -> {
                        if (work.equals("forward") || isFirewall(work)) {
                            cases.add(new Case(work, device, RING_FRAME_BYTES));
                        }
                    }
                    case "null", "memif" -> {
                        if (work.equals("forward") && device.equals("null")) {
                            continue;
                        }
                        for (int size : options.smoke() ? sizes.subList(0, 1) : sizes) {
                            cases.add(new Case(work, device, size));
                        }
                    }
                    default -> throw new BenchFailure("there is no device '" + device + "' here; it is null, ring or memif");
                }
            }
        }
        if (queues > 1 && devices.contains("memif")) {
            throw new BenchFailure("memif has one queue here, as its sender needs the other processor; leave out --queues");
        }
        return cases;
    }

    private static boolean isFirewall(String work) {
        return work.equals("list") || work.equals("early") || work.equals("tree");
    }

    /** A program on a device, and its sender if the device needs one. */
    private record Side(DpdkContestant worker, @Nullable DpdkContestant sender) implements AutoCloseable {
        /** Runs it for a time with a steady flow of frames. */
        Round work(long nanos) throws IOException {
            if (sender == null) {
                return new Round(worker.work(nanos), 0);
            }
            sender.begin(nanos + LONGER_NANOS);
            DpdkContestant.Result result = worker.work(nanos);
            return new Round(result, sender.end().check() / 1e3);
        }

        @Override
        public void close() {
            worker.close();
            if (sender != null) {
                sender.close();
            }
        }
    }

    /** Result of one round, and the share of bursts in which the sender had to wait. */
    private record Round(DpdkContestant.Result result, double full) {}

    private List<Object> row(Case each, BenchStage stage, Path program, List<String> notes) throws IOException {
        List<Round> java = new ArrayList<>();
        List<Round> c = new ArrayList<>();
        boolean view = each.work().equals(VIEW);
        try (Side one = start(each, stage, program, false);
                Side two = view ? start(each.unchecked(), stage, program, false) : start(each, stage, program, true)) {
            if (view) {
                two.work(options.warmNanos());
            }
            one.work(options.warmNanos());
            two.work(options.roundWarmNanos());
            for (int i = 0; i < options.rounds(); i++) {
                one.work(options.roundWarmNanos());
                java.add(one.work(options.windowNanos()));
                two.work(options.roundWarmNanos());
                c.add(two.work(options.windowNanos()));
            }
        }
        if (each.device().equals("memif")) {
            notes.add(each.name() + ": the sender had to wait in " + MedianSpread.of(java, Round::full) + " of its bursts to Java, "
                    + MedianSpread.of(c, Round::full) + " to C.");
        }
        return List.of(
                each.name(),
                MedianSpread.of(java, DpdkScene::millionsPerSecond),
                MedianSpread.of(c, DpdkScene::millionsPerSecond),
                MedianSpread.of(java, DpdkScene::cpuNanosPerFrame),
                MedianSpread.of(c, DpdkScene::cpuNanosPerFrame),
                MedianSpread.ratio(java, c, DpdkScene::millionsPerSecond),
                view
                        ? MedianSpread.ratio(java, c, DpdkScene::cpuNanosPerFrame)
                        : MedianSpread.ratio(c, java, DpdkScene::cpuNanosPerFrame));
    }

    private static double millionsPerSecond(Round round) {
        return round.result().millionsPerSecond();
    }

    private static double cpuNanosPerFrame(Round round) {
        return round.result().cpuNanosPerFrame();
    }

    private Side start(Case each, BenchStage stage, Path program, boolean inC) throws IOException {
        String name = inC ? "c" : "java";
        int cpu = queues == 1 ? options.serverCpu() : ProcessPinning.ANYWHERE;
        List<String> words = inC ? List.of(program.toString()) : javaCommand();
        // Unique, because a process leaves the name of its socket behind.
        int link = links++;
        DpdkContestant worker = DpdkContestant.start(name, cpu, stage.folder(), command(each, stage, words, inC, link));
        if (!each.device().equals("memif")) {
            return new Side(worker, null);
        }
        List<String> sending = List.of(
                program.toString(),
                "--work", "send",
                "--device", FastScene.memif(stage, link, "client"),
                "--frames", stage.folder().resolve("frames").toString(),
                "--frame-bytes", Integer.toString(each.size()));
        try {
            return new Side(
                    worker, DpdkContestant.start("sender to " + name, options.clientCpu(), stage.folder(), sending));
        } catch (IOException | BenchFailure e) {
            worker.close();
            throw e;
        }
    }

    /** Returns the command for {@link DpdkWorkload} without its arguments. */
    static List<String> javaCommand() {
        return ServerUnderTest.java(DpdkWorkload.class.getName());
    }

    private List<String> command(Case each, BenchStage stage, List<String> program, boolean inC, int link)
            throws IOException {
        boolean ring = each.device().equals("ring");
        Path frames = stage.folder().resolve("frames");
        Path list = stage.folder().resolve(inC ? "rules.c" : "rules");
        DpdkTraffic.write(frames, rules, each.size());
        // A ring must not lose its frames.
        Files.writeString(list, inC ? DpdkTraffic.rulesForC(rules, ring) : DpdkTraffic.rules(rules, ring));
        String device = switch (each.device()) {
            case "ring" -> "net_ring0";
            case "memif" -> FastScene.memif(stage, link, "server");
            default -> "net_null0,size=" + each.size();
        };
        List<String> all = new ArrayList<>(program);
        Map.of(
                        "--work", !inC && each.work().equals("early") ? "list" : each.work(),
                        "--device", device,
                        "--queues", Integer.toString(queues),
                        "--frames", frames.toString(),
                        "--rules", list.toString(),
                        "--ring-bytes", Integer.toString(ring ? RING_FRAME_BYTES : 0))
                .forEach((key, value) -> all.addAll(List.of(key, value)));
        return all;
    }
}
