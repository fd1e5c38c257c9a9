package io.guidepost.gnrs.relay;

import static io.guidepost.gnrs.relay.LookupStand.place;
import static io.guidepost.gnrs.relay.WriteStand.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.names.Guid;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What other servers said is remembered for as long as they allow, and forgotten when it changes. */
class RemoteRecordCacheTest {
    private LookupStand stand = new LookupStand(5, ReplicationSettings.defaults());

    private WriteStand servers() {
        return stand.servers;
    }

    private WriteStand.Node node(int number) {
        return stand.servers.node(number);
    }

    private long now() {
        return node(0).nowMillis();
    }

    @Test
    void aRecordIsRememberedForTheLeastOfItsLifetimes() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, place(1, 300, 0), place(2, 5000, 0));
        stand.told(node(3), guid);
        servers().run(200);
        LookupStand.Asked asked = stand.ask(node(3), guid, 10);
        assertThat(asked.told()).isEqualTo("1 2");
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(1);
        assertThat(node(3).door.counts().get(GnrsCount.CACHE_HITS)).isEqualTo(1);
        List<Long> ttls = LookupStand.ttls(asked.answer());
        assertThat(ttls.get(0)).as("never longer than what is left").isBetween(50L, 100L);
        assertThat(ttls.get(1)).isBetween(4700L, 4800L);
        servers().run(100);
        assertThat(stand.told(node(3), guid)).isEqualTo("1 2");
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(2);
    }

    @Test
    void whatNamesNoLifetimeHasTheOperators() {
        stand = new LookupStand(5, ChangedSettings.of("cacheTtlMillis", 50L));
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, to(1));
        stand.told(node(3), guid);
        stand.told(node(3), guid);
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(1);
        servers().run(60);
        stand.told(node(3), guid);
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(2);
    }

    @Test
    void nothingIsRememberedBeyondItsEnd() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, place(1, 60_000, now() + 500), place(2, 60_000, 0));
        assertThat(stand.told(node(3), guid)).isEqualTo("1 2");
        servers().run(600);
        assertThat(stand.told(node(3), guid)).isEqualTo("2");
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(2);
    }

    @Test
    void theWallClockMayJump() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, place(1, 1000, 0));
        stand.told(node(3), guid);
        node(3).skewMillis = -3_600_000;
        servers().run(500);
        assertThat(LookupStand.ttls(stand.ask(node(3), guid, 10).answer())).allSatisfy(ttl -> assertThat(ttl)
                .isBetween(1L, 500L));
        servers().run(600);
        stand.told(node(3), guid);
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(2);
    }

    @Test
    void thatNothingIsBoundIsRememberedToo() {
        stand = new LookupStand(5, ChangedSettings.of("negativeTtlMillis", 50L));
        Guid guid = servers().guidAt(0, 0, 1, 2);
        assertThat(stand.told(node(3), guid)).isEmpty();
        assertThat(stand.told(node(3), guid)).isEmpty();
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(2);
        servers().run(60);
        assertThat(stand.told(node(3), guid)).isEmpty();
        assertThat(stand.sent(PeerWire.FETCH)).isEqualTo(4);
    }

    @Test
    void whoRemembersIsToldOfAChange() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, place(1, 60_000, 0));
        assertThat(stand.told(node(3), guid)).isEqualTo("1");
        stand.write(node(4), guid, false, place(2, 60_000, 0));
        assertThat(node(3).count(PeerCount.REQUESTS_RECEIVED_FORGET)).isPositive();
        assertThat(stand.told(node(3), guid)).isEqualTo("2");
        stand.write(node(0), guid, false);
        assertThat(stand.told(node(3), guid)).isEmpty();
        stand.write(node(1), guid, true, place(3, 60_000, 0));
        assertThat(stand.told(node(3), guid)).as("that nothing is bound was forgotten").isEqualTo("3");
    }

    @Test
    void whoRemembersNoLongerIsNotTold() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, place(1, 100, 0));
        stand.told(node(3), guid);
        servers().run(200);
        stand.write(node(4), guid, false, place(2, 60_000, 0));
        assertThat(stand.sent(PeerWire.FORGET)).isZero();
    }

    @Test
    void whoWritesReadsWhatItWrote() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(3), guid, true, place(1, 60_000, 0));
        assertThat(stand.told(node(3), guid)).isEqualTo("1");
        // Nobody tells: what was remembered here must go by what this server did itself.
        servers().lost = each -> each.type() == PeerWire.FORGET;
        for (int i = 2; i < 20; i++) {
            stand.write(node(3), guid, false, place(i, 60_000, 0));
            assertThat(stand.told(node(3), guid)).isEqualTo(Integer.toString(i));
        }
        stand.write(node(3), guid, true, place(100, 60_000, 0));
        assertThat(stand.told(node(3), guid)).isEqualTo("100 19");
        stand.write(node(3), guid, false);
        assertThat(stand.told(node(3), guid)).isEmpty();
    }

    @Test
    void whatASiteWroteItAnswersItself() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(3), guid, false, place(1, 60_000, 0));
        assertThat(stand.told(node(3), guid)).isEqualTo("1");
        assertThat(stand.sent(PeerWire.FETCH)).isZero();
    }

    @Test
    void anAnswerFromBeforeAChangeIsNotRemembered() {
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, true, place(1, 60_000, 0));
        servers().ticks = each -> each.type() == (PeerWire.FETCH | PeerWire.RESPONSE_BIT) ? 100 : 1;
        LookupStand.Asked early = stand.send(node(3), guid, true);
        servers().run(5);
        stand.write(node(3), guid, false, place(2, 60_000, 0));
        servers().ticks = _ -> 1;
        servers().run(200);
        assertThat(early.told()).isIn("1", "2");
        assertThat(stand.told(node(3), guid)).isEqualTo("2");
    }

    @Test
    void memoryIsBounded() {
        stand = new LookupStand(5, ChangedSettings.of("cacheBytesMax", 10_000, "cacheTtlMillis", 3_600_000L));
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 300; i++) {
            stand.send(node(3), new Guid(random.nextLong(), 1, 1), true);
            stand.send(node(3), servers().guidAt(i, 0, 1, 2), true);
            servers().run(1);
        }
        servers().run(50);
        assertThat(node(3).relay.rememberedBytes()).isBetween(5_000L, 10_000L);
        assertThat(node(3).count(PeerCount.CACHE_EVICTIONS)).isPositive();
    }

    /** Those that keep a name tell the servers that fetched it of changes, and not the one where it was written. */
    @Test
    void aWriteIsRememberedWhereItWasMadeNoLongerThanTheOperatorWants() {
        stand = new LookupStand(5, ChangedSettings.of("cacheTtlMillis", 100L));
        Guid guid = servers().guidAt(0, 0, 1, 2);
        stand.write(node(4), guid, false, place(1, 3_600_000, 0));
        assertThat(stand.told(node(4), guid)).isEqualTo("1");
        assertThat(stand.sent(PeerWire.FETCH)).as("it is remembered").isZero();
        stand.write(node(3), guid, false, place(2, 3_600_000, 0));
        servers().run(100);
        assertThat(stand.told(node(4), guid)).isEqualTo("2");
    }
}
