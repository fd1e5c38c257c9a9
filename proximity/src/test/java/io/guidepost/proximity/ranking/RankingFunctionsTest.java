package io.guidepost.proximity.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Functions by name and by formula. */
class RankingFunctionsTest {
    private static final PathMetrics WAY = new PathMetrics(50, 12, 4, 65_000, 3, 7, 0.25);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "oracle | 26.2",
        "hops | 4",
        "latency | 12",
        "bandwidth | 0.02",
        "weight | 7",
        "as-distance | 3",
        "8*asdistance + 0.5*hops + 10/bandwidth | 26.2",
        "asnumber | 65000",
        "congestion | 0.25",
        "2 + 3 * 4 | 14",
        "(2 + 3) * 4 | 20",
        "10 - 4 - 3 | 3",
        "24 / 4 / 2 | 3",
        "-hops + 5 | 1",
        "--hops | 4",
        "2 * -hops | -8",
        "min(hops, weight) + max(hops, weight) | 11",
        "abs(2 - hops) | 2",
        "sqrt(hops) | 2",
        "log(1) | 0",
        "if(hops > 3, 100, 200) | 100",
        "if(hops < 4, 100, 200) | 200",
        "if(asnumber == 65000, latency, unreachable) | 12",
        "(hops >= 4) + (hops <= 4) + (hops != 4) | 2",
        "1e3 + 2.5E-1 + .5 | 1000.75",
        "HOPS | 4",
    })
    void giveWhatIsWritten(String text, double expected) throws Malformed {
        assertThat(RankingFunctions.of(text).cost(WAY)).isEqualTo(expected, org.assertj.core.api.Assertions.within(1e-9));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "8*asdistnce | 2 | 'asdistnce' is neither a metric nor a function; did you mean 'asdistance'?",
        "orakle | 0 | there is no ranking function 'orakle'; did you mean 'oracle'?",
        "8* | 2 | the end stands where a number, a metric, a function or a bracket should",
        "hops hops | 5 | 'h' stands where an operator such as + or the end should",
        "(hops | 5 | the end stands where ')' should",
        "min(hops) | 3 | 'min' takes 2 operands, not 1",
        "if(hops, 1) | 2 | 'if' takes 3 operands, not 2",
        "1.2.3 | 3 | '.' stands where an operator",
        "1e | 0 | '1e' is not a number",
        ". + 1 | 0 | '.' is not a number",
        "1e999 | 0 | '1e999' is not a number",
        "latency / hops | 0 | the formula gives no number for 0 hops",
        "hops < 1 < 2 | 9 | '<' stands where an operator",
        "`` | 0 | the end stands where",
    })
    void faultsAreToldWithTheirPlace(String text, int offset, String reason) {
        assertThatThrownBy(() -> RankingFunctions.of(text))
                .isInstanceOfSatisfying(Malformed.class, fault -> {
                    assertThat(fault.reason()).startsWith(reason);
                    assertThat(fault.offset()).isEqualTo(offset);
                });
    }

    @Test
    void bracketsAndLengthAreBounded() {
        assertThatThrownBy(() -> RankingFunctions.of("(".repeat(60) + "1" + ")".repeat(60))).hasMessageContaining("50 brackets");
        assertThatThrownBy(() -> RankingFunctions.of("1+".repeat(600) + "1")).hasMessageContaining("1000 characters");
    }

    @Test
    void anyTextIsReadOrRefused() {
        SplittableRandom random = new SplittableRandom(11);
        List<String> pieces = List.of(
                "hops", "latency", "asnumber", "bandwidth", "(", ")", "+", "-", "*", "/", "<", "<=", "==", "!=", ",", "min(", "if(",
                "sqrt(", "1", "0.5", "1e", ".", " ", "\t", "unreachable", "x", "\u00e4", "=", "0");
        int read = 0;
        for (int i = 0; i < 40_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(1, 12); k > 0; k--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            try {
                RankingFunctions.of(text.toString()).cost(WAY);
                read++;
            } catch (Malformed e) {
                assertThat(e.offset()).as("%s", text).isBetween(0L, (long) text.length());
            }
        }
        assertThat(read).as("formulas that were read").isGreaterThan(300);
    }

    /** Formulas of the numbers and operators that Java has too, against trees that are worked out beside. */
    @Test
    void formulasGiveWhatTheirTreesGive() throws Malformed {
        SplittableRandom random = new SplittableRandom(12);
        for (int i = 0; i < 4_000; i++) {
            Tree tree = tree(random, random.nextInt(6));
            assertThat(RankingFunctions.of("0*hops + if(1, " + tree.text + ", unreachable)").cost(WAY))
                    .as(tree.text)
                    .isEqualTo(tree.value + 0.0);
        }
    }

    private record Tree(String text, double value) {}

    private static Tree tree(SplittableRandom random, int depth) {
        if (depth == 0) {
            return random.nextBoolean() ? new Tree("latency", 12) : new Tree("0.5", 0.5);
        }
        Tree left = tree(random, depth - 1);
        Tree right = tree(random, random.nextInt(depth));
        return switch (random.nextInt(5)) {
            case 0 -> new Tree("(" + left.text + ")+(" + right.text + ")", left.value + right.value);
            case 1 -> new Tree("(" + left.text + ")-(" + right.text + ")", left.value - right.value);
            case 2 -> new Tree("(" + left.text + ")*(" + right.text + ")", left.value * right.value);
            case 3 -> new Tree("max(" + left.text + "," + right.text + ")", Math.max(left.value, right.value));
            default -> new Tree("-(" + left.text + ")", -left.value);
        };
    }

    @Test
    void penaltiesTellOnlyTheirSystemsApart() throws Malformed {
        RankingFunction function = RankingFunctions.of("hops", Map.of(7L, 100.0, 9L, -1.0));
        assertThat(function.cost(new PathMetrics(1, 0, 3, 7, 1, 0, 0))).isEqualTo(103);
        assertThat(function.cost(new PathMetrics(1, 0, 3, 9, 1, 0, 0))).isEqualTo(2);
        assertThat(function.cost(new PathMetrics(1, 0, 3, 8, 1, 0, 0))).isEqualTo(3);
        Address router = Address.parse("10.0.0.1");
        OperatorNetwork network = new OperatorNetwork();
        network.topology(Topology.EMPTY.with(new TopologyRouter(router, true, 1, List.of(), List.of())));
        for (int i = 1; i <= 100; i++) {
            network.add(Prefix.ofIpv4(i << 24, 8), PrefixAttachment.external(router, 0, i, 1));
        }
        Ranking ranking = Ranking.of(network, function, 1);
        assertThat(ranking.places()).as("with those two, all others, and the router itself").isEqualTo(4);
        assertThat(ranking.cost(0, ranking.placeIpv4(7 << 24))).isEqualTo(100);
        assertThatThrownBy(() -> RankingFunctions.of("hops", Map.of(7L, Double.NaN))).hasMessageContaining("finite cost");
    }

    @Test
    void namesAreListed() {
        assertThat(RankingFunctions.names())
                .containsExactly("as-distance", "bandwidth", "hops", "latency", "oracle", "weight");
    }
}
