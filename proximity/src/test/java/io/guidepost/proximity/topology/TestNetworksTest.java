package io.guidepost.proximity.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The networks of the thesis are as its text says. */
class TestNetworksTest {
    private static long lines(OperatorNetwork network) {
        return network.topology().routers().values().stream()
                        .mapToLong(each -> each.nics().size())
                        .sum()
                / 2;
    }

    private static long reached(OperatorNetwork network) {
        Ranking ranking = Ranking.of(network, RankingFunction.STANDARD, 1);
        int ranked = 0;
        char[] ranks = ranking.ranks(0);
        for (int place = 1; place <= ranking.places(); place++) {
            ranked += ranks[place] == Ranking.UNRANKED ? 0 : 1;
        }
        assertThat(ranked).isEqualTo(ranking.places());
        return ranked;
    }

    @Test
    void theLargerOneHas216RoutersAnd421Lines() throws Malformed {
        OperatorNetwork network = TestNetworks.ofRouters(TestNetworks.ROUTERS);
        assertThat(network.topology().routers()).hasSize(216);
        assertThat(lines(network)).isEqualTo(421);
        assertThat(network.prefixes()).isEqualTo(67_000 + 2 + 108 + 1);
        assertThat(network.attachments(Prefix.parse("130.149.221.0/24")))
                .extracting(PrefixAttachment::router)
                .containsExactly(Address.parse("10.1.0.1"));
        assertThat(network.attachments(Prefix.parse("130.149.108.0/24")))
                .extracting(PrefixAttachment::router)
                .containsExactly(Address.parse("10.9.0.12"));
        assertThat(reached(network)).isPositive();
    }

    @Test
    void theSmallerOneHasTenRoutersAndTheSamePrefixes() {
        OperatorNetwork network = TestNetworks.small();
        assertThat(network.topology().routers()).hasSize(10);
        assertThat(network.prefixes()).isEqualTo(TestNetworks.ofRouters(TestNetworks.ROUTERS).prefixes());
        assertThat(reached(network)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {TestNetworks.ROUTERS_MIN, 109, TestNetworks.ROUTERS_MAX})
    void othersAreConnectedToo(int routers) {
        OperatorNetwork network = TestNetworks.ofRouters(routers);
        assertThat(network.topology().routers()).hasSize(routers);
        assertThat(reached(network)).isPositive();
    }
}
