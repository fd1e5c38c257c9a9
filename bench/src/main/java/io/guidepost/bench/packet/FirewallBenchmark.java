package io.guidepost.bench.packet;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Memory;
import io.guidepost.middlebox.firewall.ClassifierKind;
import io.guidepost.middlebox.firewall.Firewall;
import io.guidepost.middlebox.firewall.RuleAction;
import io.guidepost.middlebox.firewall.RuleDirection;
import io.guidepost.middlebox.firewall.RuleSet;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.DutyCycle;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures a packet in the firewall, with its way through two rings: received, parsed, matched, counted, sent. */
@State(Scope.Thread)
public class FirewallBenchmark {
    private static final int BURST = 64;

    /** Rules of the set; with none the default passes all packets, which is the cost of everything else. */
    @Param({"0", "10", "100", "10000"})
    private int rules;

    @Param({"LIST", "PRODUCTS", "TREE"})
    private ClassifierKind classifier = ClassifierKind.AUTO;

    /** Whether rules are of wide networks and port ranges, which overlap and make the tables of RFC large. */
    @Param({"false", "true"})
    private boolean wide;

    private final MemoryLink inside = new MemoryLink(FrameSettings.of("inside"));
    private final MemoryLink outside = new MemoryLink(FrameSettings.of("outside").withPool(inside.pool()));
    private final TxQueue client = inside.left().tx(0);
    private final RxQueue server = outside.left().rx(0);
    private final Burst leaving = client.burst();
    private final Burst arriving = server.burst();
    private final int[][] packets = new int[1024][2];
    private DutyCycle firewall = now -> 0;
    private int next;

    /** Creates rules of pairs of networks, and packets that match one random rule each. */
    @Setup
    public void prepare() throws FaultyFile {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder text = new StringBuilder();
        int[][] networks = new int[Math.max(1, rules)][2];
        for (int i = 0; i < rules; i++) {
            networks[i][0] = 10 << 24 | random.nextInt(1 << 16) << 8;
            networks[i][1] = 192 << 24 | random.nextInt(1 << 16) << 8;
            if (wide) {
                int first = 1 + random.nextInt(5001);
                text.append(i % 2 == 0 ? "allow udp from any to " : "allow udp from " + text(networks[i][0]) + "/24 to ")
                        .append(i % 3 == 0 ? "any" : text(networks[i][1]) + "/24").append(" port ").append(first)
                        .append('-').append(5001 + random.nextInt(20_000)).append('\n');
                continue;
            }
            text.append(i % 2 == 0 ? "allow udp from " : "allow from ").append(text(networks[i][0])).append("/24 to ")
                    .append(text(networks[i][1])).append("/24 port ").append(i % 3 == 0 ? "1024-65535\n" : "53,5001\n");
        }
        for (int[] each : packets) {
            int[] network = networks[random.nextInt(networks.length)];
            each[0] = network[0] | random.nextInt(256);
            each[1] = network[1] | random.nextInt(256);
        }
        RuleSet set = RuleSet.parse("generated", text.toString(), RuleAction.ALLOW);
        firewall = new Firewall(set, classifier, Firewall.Others.ARP_ALONE, 1)
                .way(inside.right().rx(0), outside.right().tx(0), RuleDirection.OUT);
    }

    private static String text(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + ".0";
    }

    /** Moves a burst from end to end. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public int pass() {
        while (leaving.count() < BURST) {
            int[] each = packets[next++ & 1023];
            write(leaving.room(), each[0], each[1]);
            leaving.append(60);
        }
        client.send(leaving);
        firewall.work(0);
        return server.receive(arriving);
    }

    /** Writes Ethernet, IPv4 and UDP headers to port 5001; checksums are not checked here. */
    private static void write(long frame, int source, int destination) {
        Memory.put64(frame, 0x0200_0000_0001_0200L);
        Memory.put64(frame + 8, 0x0000_0002_0800_4500L);
        Memory.put64(frame + 16, 0x002e_0001_4000_4011L);
        Memory.put16(frame + 24, 0);
        Memory.put32(frame + 26, source);
        Memory.put32(frame + 30, destination);
        Memory.put64(frame + 34, 0x0fa0_1389_001a_0000L);
    }
}
