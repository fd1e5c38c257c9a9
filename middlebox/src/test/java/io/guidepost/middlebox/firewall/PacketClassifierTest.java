package io.guidepost.middlebox.firewall;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Prefix;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FramePool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** List, products and tree find what someone finds who goes through the rules one by one. */
class PacketClassifierTest {
    private static final int BURST = 64;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 10, 100, 1000, 10_000})
    void allFindTheFirstRuleThatFits(int rules) throws Exception {
        for (int seed = 0; seed < (rules > 100 ? 2 : 20); seed++) {
            compare(seed, rules, 20);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 100})
    void productsOfSoManyRulesFit(int rules) throws Exception {
        for (int seed = 0; seed < 10; seed++) {
            RuleTable table = table(new RandomRules(new SplittableRandom(seed)).text(rules));
            assertThat(RfcClassifier.of(table)).as("seed " + seed).isPresent();
        }
    }

    @Test
    void wideRulesWhoseProductsWouldBeTooLargeBecomeATree() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 900; i++) {
            String range = i + "-" + (i + 900);
            text.append("allow udp from any port ").append(range).append(" to any port ").append(range).append('\n');
        }
        RuleTable table = table(text.toString());
        assertThat(RfcClassifier.of(table)).isEmpty();
        assertThat(ClassifierKind.PRODUCTS.compile(table)).isInstanceOf(HyperSplitClassifier.class);
    }

    @Test
    void productsThatWouldBeTooLargeAreNotMade() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 4000; i++) {
            text.append("allow from 10.").append(i >> 8).append('.').append(i & 255).append(".0/24 to 192.")
                    .append(i * 7 & 255).append('.').append(i * 7 >> 8).append(".0/24\n");
        }
        RuleTable table = table(text.toString());
        assertThat(RfcClassifier.of(table)).isEmpty();
        assertThat(ClassifierKind.AUTO.compile(table)).isInstanceOf(HyperSplitClassifier.class);
    }

    private static RuleTable table(String rules) throws Exception {
        return RuleTable.of(RuleSet.parse("test", rules, RuleAction.DENY).rules(), RuleDirection.IN);
    }

    @Test
    @Tag("long")
    void allFindTheFirstRuleThatFitsInManySets() throws Exception {
        for (int seed = 0; seed < 2000; seed++) {
            compare(seed, 1 + seed % 300, 50);
        }
    }

    private static void compare(int seed, int number, int bursts) throws Exception {
        RandomRules random = new RandomRules(new SplittableRandom(seed));
        List<FirewallRule> rules = RuleSet.parse("random", random.text(number), RuleAction.DENY).rules();
        RuleTable in = RuleTable.of(rules, RuleDirection.IN);
        HyperSplitClassifier tree = new HyperSplitClassifier(in);
        Map<String, PacketClassifier> matchers = new LinkedHashMap<>(Map.of("list", new LinearClassifier(in), "tree", tree));
        RfcClassifier.of(in).ifPresent(products -> matchers.put("products", products));
        assertThat(tree.bytes()).isLessThan(100_000 + 500L * in.size());
        Burst burst = Burst.ofFrames(new FramePool(128, 2048, 256).view("test"), BURST, 0);
        PacketKeys keys = new PacketKeys(BURST);
        int[] expected = new int[BURST];
        for (int round = 0; round < bursts; round++) {
            burst.clear();
            int count = round % 3 == 0 ? 5 : BURST;
            for (int i = 0; i < count; i++) {
                expected[i] = model(rules, random.append(burst));
            }
            int at = round;
            matchers.forEach((name, matcher) -> {
                keys.read(burst, matcher.wantsRows());
                matcher.match(keys);
                assertThat(IntStream.range(0, count).map(keys::found).toArray())
                        .as(name + ", seed " + seed + ", burst " + at)
                        .isEqualTo(IntStream.range(0, count).map(i -> expected[i]).toArray());
            });
        }
    }

    private static int model(List<FirewallRule> rules, RandomRules.Facts packet) {
        if (packet.notIp() != 0) {
            return packet.notIp();
        }
        for (int i = 0; i < rules.size(); i++) {
            if (fits(rules.get(i), packet)) {
                return i;
            }
        }
        return rules.size();
    }

    private static boolean fits(FirewallRule rule, RandomRules.Facts packet) {
        boolean ports = packet.protocol() == Packet.TCP || packet.protocol() == Packet.UDP;
        return rule.direction() != RuleDirection.OUT
                && (rule.protocol() < 0 || rule.protocol() == packet.protocol())
                && isIn(rule.from(), packet.source())
                && isIn(rule.to(), packet.destination())
                && isIn(rule.fromPorts(), ports && !packet.later(), packet.sourcePort())
                && isIn(rule.toPorts(), ports && !packet.later(), packet.destinationPort())
                && (!rule.fragment() || packet.later())
                && (!rule.established() || !packet.later() && packet.acknowledges());
    }

    private static boolean isIn(List<Prefix> prefixes, Prefix address) {
        return prefixes.isEmpty()
                || prefixes.stream()
                        .anyMatch(each -> each.isIpv4() == address.isIpv4() && each.contains(address.high(), address.low()));
    }

    private static boolean isIn(List<PortRange> ranges, boolean hasPorts, int port) {
        return ranges.isEmpty()
                || hasPorts && ranges.stream().anyMatch(each -> each.first() <= port && port <= each.last());
    }
}
