package io.guidepost.gnrs.site;

import static io.guidepost.gnrs.site.WriteStand.place;
import static io.guidepost.gnrs.site.WriteStand.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.site.WriteStand.Told;
import io.guidepost.names.Guid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes at all servers that keep a record, on a wire that loses what the test says. */
class QuorumWritesTest {
    private static final int LONG_MILLIS = 3000;

    @Test
    void isDoneWhenAMajorityHoldsItAndReachesAll() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 1, 2, 3);
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(10);
        assertThat(told.done()).isTrue();
        assertThat(told.held).isGreaterThanOrEqualTo(2);
        assertThat(told.needed).isEqualTo(2);
        assertThat(told.times).isEqualTo(1);
        assertThat(stand.node(0).image(guid)).isNull();
        for (int i = 1; i <= 3; i++) {
            assertThat(stand.node(i).places(guid)).containsExactly(place(1));
        }
        assertThat(stand.sent).hasSize(6);
    }

    @Test
    void theOwnCopyCountsWhenItIsDurable() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.node(0).stalled = true;
        stand.lost = stand.cut(stand.node(2));
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(20);
        assertThat(told.times).isZero();
        stand.node(0).stalled = false;
        stand.run(2);
        assertThat(told.done()).isTrue();
        assertThat(told.held).isEqualTo(2);
    }

    @Test
    void aSilentReplicaIsAskedAgainAndGetsAHint() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.lost = stand.cut(stand.node(2));
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(10);
        assertThat(told.done()).isTrue();
        assertThat(hints(stand, 0, 2)).isZero();
        stand.run(LONG_MILLIS);
        assertThat(stand.sent.stream().filter(each -> each.to().equals(stand.node(2).address))).hasSize(2);
        assertThat(hints(stand, 0, 2)).isEqualTo(1);
        assertThat(hints(stand, 0, 1)).isZero();
        assertThat(told.times).isEqualTo(1);
    }

    private static int hints(WriteStand stand, int at, int whom) {
        return stand.node(at).deployment.hints().count(stand.node(at).peer(stand.node(whom)));
    }

    @Test
    void failsWithTheCountWhenTheQuorumCannotBeHad() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.lost = stand.cut(stand.node(1), stand.node(2));
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(LONG_MILLIS);
        assertThat(told.result).isEqualTo(GnrsCount.WRITES_QUORUM);
        assertThat(told.held).isEqualTo(1);
        assertThat(told.needed).isEqualTo(2);
        assertThat(hints(stand, 0, 1)).isEqualTo(1);
        assertThat(hints(stand, 0, 2)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(SiteSettings.Quorum.class)
    void asManyAsConfiguredMustHoldIt(SiteSettings.Quorum quorum) {
        WriteStand stand = new WriteStand(3, SiteSettings.defaults().withQuorum(quorum));
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.lost = stand.cut(stand.node(2));
        Told two = stand.write(stand.node(0), guid, true, to(1));
        stand.run(LONG_MILLIS);
        assertThat(two.done()).isEqualTo(quorum != SiteSettings.Quorum.ALL);
        assertThat(two.needed).isEqualTo(quorum.of(3));
        stand.lost = stand.cut(stand.node(1), stand.node(2));
        Told one = stand.write(stand.node(0), guid, true, to(2));
        stand.run(LONG_MILLIS);
        assertThat(one.done()).isEqualTo(quorum == SiteSettings.Quorum.ONE);
    }

    @Test
    void aDiskThatRefusesIsOneServerNotHoldingIt() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.node(0).store.diskFull = true;
        Told told = stand.write(stand.node(0), guid, true, to(1));
        stand.run(10);
        assertThat(told.done()).isTrue();
        stand.node(1).store.diskFull = true;
        Told second = stand.write(stand.node(0), guid, true, to(2));
        stand.run(LONG_MILLIS);
        assertThat(second.result).isEqualTo(GnrsCount.WRITES_QUORUM);
        assertThat(second.held).isEqualTo(1);
        assertThat(hints(stand, 0, 1)).isEqualTo(1);
    }

    @Test
    void anUpdateByAClockAnHourBehindStillWins() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.node(1).skewMillis = -3_600_000;
        assertThat(wait(stand, stand.write(stand.node(0), guid, true, to(1)))).isTrue();
        // The clock of node 1 has seen the stamp of the insert: start it anew, as after a restart.
        WriteStand.Node late = stand.node(1);
        stand.nodes.set(1, stand.new Node(late.address, SiteSettings.defaults(),
                io.guidepost.gnrs.GnrsSettings.defaults(), java.util.Set.of()));
        stand.node(1).skewMillis = -3_600_000;
        assertThat(wait(stand, stand.write(stand.node(1), guid, false, to(2)))).isTrue();
        assertThat(stand.node(1).count(SiteCount.WRITES_BEHIND)).isPositive();
        for (WriteStand.Node each : stand.nodes) {
            assertThat(each.places(guid)).containsExactly(place(2));
        }
    }

    private static boolean wait(WriteStand stand, Told told) {
        for (int i = 0; i < LONG_MILLIS && told.times == 0; i++) {
            stand.run(1);
        }
        stand.run(10);
        return told.done();
    }

    @Test
    void writesOfOneNameKeepTheirOrderAndGoTogether() {
        WriteStand stand = new WriteStand(4);
        Guid guid = stand.guidAt(0, 1, 2, 3);
        List<Told> told = new ArrayList<>();
        told.add(stand.write(stand.node(0), guid, true, to(1)));
        told.add(stand.write(stand.node(0), guid, true, to(2)));
        told.add(stand.write(stand.node(0), guid, false));
        told.add(stand.write(stand.node(0), guid, true, to(3)));
        for (int i = 0; i < 100; i++) {
            told.add(stand.write(stand.node(0), guid, true, to(4)));
        }
        stand.run(20);
        assertThat(told).allMatch(Told::done);
        for (int i = 1; i <= 3; i++) {
            assertThat(stand.node(i).places(guid)).containsExactlyInAnyOrder(place(3), place(4));
        }
        assertThat(stand.sent).as("two rounds at three servers, there and back").hasSize(12);
        assertThat(stand.node(0).count(SiteCount.WRITES_COMBINED)).isEqualTo(102);
    }

    @Test
    void insertDeleteInsertThroughOneServerEndsAsTheLast() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        for (int gap = 0; gap < 5; gap++) {
            stand.write(stand.node(0), guid, true, to(1));
            stand.run(gap);
            stand.write(stand.node(0), guid, false);
            stand.run(gap);
            Told last = stand.write(stand.node(0), guid, true, to(2));
            assertThat(wait(stand, last)).isTrue();
            for (WriteStand.Node each : stand.nodes) {
                assertThat(each.places(guid)).containsExactly(place(2));
            }
        }
    }

    @Test
    void whoeverWaitsTooLongInALineIsRefused() {
        WriteStand stand = new WriteStand(3);
        Guid guid = stand.guidAt(0, 0, 1, 2);
        stand.lost = _ -> true;
        List<Told> told = new ArrayList<>();
        for (int i = 0; i < WriteLimits.WAITING_PER_NAME_MAX + 10; i++) {
            told.add(stand.write(stand.node(0), guid, true, to(1)));
        }
        assertThat(told.stream().filter(each -> each.refused)).hasSize(9);
        assertThat(stand.node(0).count(SiteCount.WRITES_WAITING_MAX)).isEqualTo(9);
        Guid other = stand.guidAt(100_000, 0, 1, 2);
        assertThat(stand.write(stand.node(0), other, true, to(1)).refused).isFalse();
        stand.run(2 * LONG_MILLIS);
        assertThat(told.stream().filter(each -> each.times == 1)).hasSize(told.size() - 9);
    }
}
