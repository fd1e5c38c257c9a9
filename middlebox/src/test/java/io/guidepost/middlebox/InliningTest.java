package io.guidepost.middlebox;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.middlebox.firewall.ClassifierKind;
import io.guidepost.middlebox.firewall.Firewall;
import io.guidepost.middlebox.firewall.RuleAction;
import io.guidepost.middlebox.firewall.RuleDirection;
import io.guidepost.middlebox.firewall.RuleSet;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.DutyCycle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The compiler puts everything that is called for each packet into the loops over bursts. Where a method has grown too
 * large it leaves calls in silence, which costs a tenth to a quarter of the speed; so a process of its own runs the firewall
 * and says what was left out for being too large.
 */
class InliningTest {
    private static final int TURNS = 30_000;

    /** Lines as {@code @ 17   io.guidepost.packet.Burst::offset (12 bytes)   failed to inline: hot method too big}. */
    private static final Pattern REFUSED = Pattern.compile("@ \\d+ +(io\\.guidepost\\.[\\w.$]+)::(\\S+) \\(\\d+ bytes\\)"
            + ".*(hot method too big|already compiled into a big method|NodeCountInliningCutoff|DesiredMethodLimit"
            + "|out of nodes|inlining too deep)");

    /** What is called once for a burst, and may be a call. */
    private static final Set<String> FOR_A_BURST = Set.of(
            "FirewallPipeline::work",
            "FirewallPipeline::sift",
            "FirewallPipeline::pass",
            "PacketKeys::read",
            "LinearClassifier::match",
            "RfcClassifier::match",
            "RfcClassifier::lookUp",
            "RfcClassifier::join",
            "RfcClassifier::find",
            "HyperSplitClassifier::match",
            "DpdkRx::receive",
            "DpdkRx::fill",
            "DpdkRx::foreign",
            "DpdkTx::send",
            "DpdkTx::fill",
            "DpdkTx::bytes",
            "DpdkTx::transmit",
            "View::free",
            "View::freeRows",
            "Burst::clear",
            "Burst::take",
            "Burst::sent",
            "Burst::removeFirst",
            "PacketMemory::free",
            "Rx::receive",
            "Tx::send",
            "Histogram::record",
            "QueueStatistics::burst");

    /** What is called for a packet, and goes down a tree of many steps: its call is little beside them. */
    private static final Set<String> LONG_WAYS = Set.of("HyperSplitClassifier::first", "HyperSplitClassifier::inLeaf");

    @ParameterizedTest
    @CsvSource({"memory, LIST", "memory, PRODUCTS", "memory, TREE", "dpdk, LIST", "dpdk, PRODUCTS"})
    void nothingIsTooLarge(String device, ClassifierKind classifier) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        // The compiler that counts alone, and nobody runs on while it works: the same each time.
                        "-XX:-TieredCompilation",
                        "-XX:-BackgroundCompilation",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:+PrintInlining",
                        // What is asked for is the duty, and not the test around it.
                        "-XX:CompileCommand=quiet",
                        "-XX:CompileCommand=exclude,io.guidepost.middlebox.InliningTest::*",
                        "-XX:CompileCommand=dontinline,io.guidepost.middlebox.firewall.FirewallPipeline::work",
                        "-cp",
                        System.getProperty("java.class.path"),
                        InliningTest.class.getName(),
                        device,
                        classifier.name())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Assumptions.assumeFalse(said.contains("no DPDK: "), "DPDK is not installed");
        assertThat(child.waitFor()).as(said.lines().filter(line -> !line.contains("@")).toList().toString()).isZero();
        assertThat(said).contains("io.guidepost.middlebox.firewall.FirewallPipeline::sift", "passed ");
        Set<String> refused = new TreeSet<>();
        Matcher lines = REFUSED.matcher(said);
        while (lines.find()) {
            String method = lines.group(1).replaceAll(".*[.$]", "") + "::" + lines.group(2);
            if (!FOR_A_BURST.contains(method) && !LONG_WAYS.contains(method)) {
                refused.add(method + ": " + lines.group(3));
            }
        }
        assertThat(refused).isEmpty();
    }

    /** Runs the firewall for some thousand bursts. */
    public static void main(String[] args) throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            text.append("allow udp from 10.0.").append(i).append(".0/24 to any port 1000-2000\n");
        }
        RuleSet rules = RuleSet.parse("generated", text.toString(), RuleAction.ALLOW);
        Firewall firewall = new Firewall(rules, ClassifierKind.valueOf(args[1]), Firewall.Others.ARP_ALONE, 1);
        System.out.println("passed " + (args[0].equals("dpdk") ? throughDpdk(firewall) : throughMemory(firewall)));
    }

    private static long throughMemory(Firewall firewall) {
        MemoryLink inside = new MemoryLink(FrameSettings.of("inside"));
        MemoryLink outside = new MemoryLink(FrameSettings.of("outside").withPool(inside.pool()));
        DutyCycle way = firewall.way(inside.right().rx(0), outside.right().tx(0), RuleDirection.IN);
        Burst leaving = inside.left().tx(0).burst();
        Burst arriving = outside.left().rx(0).burst();
        List<byte[]> frames = IntStream.range(0, 110)
                .mapToObj(i -> Packet.udp("10.0." + i + ".1", 5000, "192.0.2.1", 1000, ""))
                .toList();
        long passed = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            for (int i = 0; leaving.hasRoom(); i++) {
                byte[] frame = frames.get((turn + i) % frames.size());
                Memory.copy(frame, 0, leaving.room(), frame.length);
                leaving.append(frame.length);
            }
            inside.left().tx(0).send(leaving);
            way.work(0);
            passed += outside.left().rx(0).receive(arriving);
        }
        return passed;
    }

    private static long throughDpdk(Firewall firewall) {
        try (Port port = FramePortOpener.open("dpdk:net_null0,size=64")) {
            DutyCycle way = firewall.way(port.rx(0), port.tx(0), RuleDirection.IN);
            for (int turn = 0; turn < TURNS; turn++) {
                way.work(0);
            }
            return port.rx(0).statistics().packets();
        } catch (IOException e) {
            System.out.println("no DPDK: " + e.getMessage());
            return 0;
        }
    }
}
