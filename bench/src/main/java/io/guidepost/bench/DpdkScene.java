package io.guidepost.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The framework on devices of DPDK against a C program that does the same with DPDK's own functions. */
@Command(
        name = "dpdk",
        description = {
            "Frames captured, forwarded and filtered on devices of DPDK, against a C program of ours that does the same,",
            "burst for burst. The device makes its frames itself (null) or passes them round (ring), so that nothing but",
            "the framework is measured. Works:",
            "  capture  frames are received and given back        touch  and a word of each cache line is read",
            "  forward  frames are received and sent",
            "  list     a firewall that compares rules; in C all of them, by vector instructions",
            "  early    the same; in C only until one fits",
            "  tree     a firewall with the classifier that it chooses; in C DPDK's own (ACL)",
            "",
            "Example: ./guidepost bench dpdk --work capture,touch --sizes 64,1518"
        },
        mixinStandardHelpOptions = true)
final class DpdkScene extends Scene {
    private static final int RING_FRAME_BYTES = 64;

    @Option(
            names = "--work",
            paramLabel = "WORK",
            split = ",",
            description = "What is done (default ${DEFAULT-VALUE}).")
    private List<String> works = List.of("capture", "touch", "forward", "list", "early", "tree");

    @Option(
            names = "--device",
            paramLabel = "null|ring",
            split = ",",
            description = "Where the frames come from (default ${DEFAULT-VALUE}).")
    private List<String> devices = List.of("null", "ring");

    @Option(
            names = "--sizes",
            paramLabel = "BYTES",
            split = ",",
            description = "Lengths of the frames that the null device makes (default ${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of(64, 128, 256, 512, 1024, 1518);

    @Option(names = "--rules", paramLabel = "N", description = "Rules of the firewall (default ${DEFAULT-VALUE}).")
    private int rules = 100;

    @Option(
            names = "--queues",
            paramLabel = "N",
            description = "Queues, each with a worker on a processor of its own (default ${DEFAULT-VALUE}).")
    private int queues = 1;

    /** One comparison. */
    private record Case(String work, String device, int size) {
        String name() {
            return work + ", " + device + (size > 0 ? ", " + size + " bytes" : "");
        }
    }

    @Override
    Report play(Stage stage) throws IOException {
        List<String> flags = flags();
        if (flags.isEmpty()) {
            throw new Failure("there is no DPDK to compile the baseline with (Debian: apt-get install libdpdk-dev dpdk)");
        }
        Path program = new CProgram("dpdk_work.c", List.of("dpdk_pool.h"), flags, "libdpdk-dev dpdk").compiled(stage.folder());
        List<List<String>> rows = new ArrayList<>();
        for (Case each : cases()) {
            stage.progress().say(each.name());
            rows.add(row(each, stage, program));
        }
        stage.progress().done();
        return new Report(
                "DPDK, " + queues + (queues == 1 ? " queue, " : " queues, ") + rules + " rules",
                List.of("", "Java M/s", "C M/s", "Java CPU ns", "C CPU ns", "rate, Java / C", "CPU, C / Java"),
                rows,
                List.of(
                        "M/s are millions of frames in a second, CPU ns is processor time for a frame, of the whole process.",
                        "Median of " + options.rounds() + " alternating rounds (smallest-largest); ratios round by round, above"
                                + " 1 Java does more, or needs less."));
    }

    /** What the compiler must be told to find DPDK; empty if it is not installed. */
    static List<String> flags() {
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
                boolean ring = device.equals("ring");
                if (ring != work.equals("forward") && !isFirewall(work)) {
                    continue;
                }
                for (int size : ring ? List.of(0) : options.smoke() ? sizes.subList(0, 1) : sizes) {
                    cases.add(new Case(work, device, size));
                }
            }
        }
        return cases;
    }

    private static boolean isFirewall(String work) {
        return work.equals("list") || work.equals("early") || work.equals("tree");
    }

    private List<String> row(Case each, Stage stage, Path program) throws IOException {
        List<DpdkContestant.Result> java = new ArrayList<>();
        List<DpdkContestant.Result> c = new ArrayList<>();
        int cpu = queues == 1 ? options.serverCpu() : Pinning.ANYWHERE;
        try (DpdkContestant one = DpdkContestant.start("java", cpu, stage.folder(), command(each, stage, javaCommand(), ""));
                DpdkContestant two = DpdkContestant.start(
                        "c", cpu, stage.folder(), command(each, stage, List.of(program.toString()), ".c"))) {
            one.work(options.warmNanos());
            two.work(options.roundWarmNanos());
            for (int i = 0; i < options.rounds(); i++) {
                one.work(options.roundWarmNanos());
                java.add(one.work(options.windowNanos()));
                two.work(options.roundWarmNanos());
                c.add(two.work(options.windowNanos()));
            }
        }
        return List.of(
                each.name(),
                spread(java, DpdkContestant.Result::millionsPerSecond),
                spread(c, DpdkContestant.Result::millionsPerSecond),
                spread(java, DpdkContestant.Result::cpuNanosPerFrame),
                spread(c, DpdkContestant.Result::cpuNanosPerFrame),
                ratio(java, c, DpdkContestant.Result::millionsPerSecond),
                ratio(c, java, DpdkContestant.Result::cpuNanosPerFrame));
    }

    /** How {@link DpdkWork} is started, without its arguments. */
    static List<String> javaCommand() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                DpdkWork.class.getName());
    }

    private List<String> command(Case each, Stage stage, List<String> program, String kind) throws IOException {
        boolean ring = each.device().equals("ring");
        Path frames = stage.folder().resolve("frames");
        Path list = stage.folder().resolve("rules" + kind);
        int bytes = ring ? RING_FRAME_BYTES : each.size();
        DpdkTraffic.write(frames, rules, bytes);
        // What goes round in a ring must not become less.
        Files.writeString(
                list, kind.isEmpty() ? DpdkTraffic.rules(rules, ring) : DpdkTraffic.rulesForC(rules, ring));
        List<String> all = new ArrayList<>(program);
        Map.of(
                        "--work", kind.isEmpty() && each.work().equals("early") ? "list" : each.work(),
                        "--device", ring ? "net_ring0" : "net_null0,size=" + each.size(),
                        "--queues", Integer.toString(queues),
                        "--frames", frames.toString(),
                        "--rules", list.toString(),
                        "--ring-bytes", Integer.toString(ring ? RING_FRAME_BYTES : 0))
                .forEach((key, value) -> all.addAll(List.of(key, value)));
        return all;
    }

    private static String spread(
            List<DpdkContestant.Result> results, ToDoubleFunction<DpdkContestant.Result> figure) {
        return Spread.of(results.stream().map(figure::applyAsDouble).toList()).toString();
    }

    private static String ratio(
            List<DpdkContestant.Result> above,
            List<DpdkContestant.Result> below,
            ToDoubleFunction<DpdkContestant.Result> figure) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < above.size(); i++) {
            ratios.add(figure.applyAsDouble(above.get(i)) / figure.applyAsDouble(below.get(i)));
        }
        return Spread.of(ratios).toString();
    }
}
