package io.guidepost.gnrs.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.relay.WriteStand;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept for servers that do not answer. */
class HintedHandoffTest {
    private static final long TOMBSTONE_MILLIS = 3_600_000;
    private static final Peer ONE = peer(1);
    private static final Peer OTHER = peer(2);

    private static Peer peer(int number) {
        return new Peer(
                new PeerDescriptor("s" + number, new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + number), 5001),
                        PeerDescriptor.Kind.GUIDEPOST),
                false);
    }

    private static byte[] change(int guid, long stamp, boolean update, int... places) {
        List<Binding> bindings = java.util.Arrays.stream(places).mapToObj(WriteStand::to).toList();
        byte[] image = RecordImage.write(Name.of(new Guid(guid, 0, 0)).key(), 0, bindings, List.of());
        return RecordMerge.change(image, HybridClock.of(1_000_000) + stamp, update);
    }

    @Test
    void givesThemOldestFirstUntilTheyAreDone() {
        HintedHandoff hints = new HintedHandoff(1 << 20, TOMBSTONE_MILLIS);
        byte[] first = change(1, 1, false, 1);
        byte[] second = change(2, 2, false, 1);
        hints.add(ONE, first);
        hints.add(ONE, second);
        hints.add(OTHER, second);
        assertThat(hints.count(ONE)).isEqualTo(2);
        assertThat(hints.first(ONE)).isEqualTo(first);
        hints.done(ONE, first);
        assertThat(hints.first(ONE)).isEqualTo(second);
        hints.done(ONE, second);
        assertThat(hints.first(ONE)).isNull();
        assertThat(hints.count(OTHER)).isEqualTo(1);
        hints.done(OTHER, second);
        assertThat(hints.bytes()).isZero();
        assertThat(hints.added()).isEqualTo(3);
        assertThat(hints.dropped()).isZero();
    }

    @Test
    void ofOneNameThereIsOneMergedAndItKeepsItsTurn() throws Malformed {
        HintedHandoff hints = new HintedHandoff(1 << 20, TOMBSTONE_MILLIS);
        byte[] early = change(1, 1, false, 1);
        hints.add(ONE, early);
        hints.add(ONE, change(2, 2, false, 9));
        hints.add(ONE, change(1, 3, false, 2));
        assertThat(hints.count(ONE)).isEqualTo(2);
        byte[] both = hints.first(ONE);
        assertThat(both).isNotNull();
        assertThat(RecordImage.read(both).bindings()).containsExactlyInAnyOrder(WriteStand.to(1), WriteStand.to(2));
        hints.done(ONE, early);
        assertThat(hints.count(ONE)).as("more was merged into it since").isEqualTo(2);
        hints.add(ONE, change(1, 4, true));
        byte[] gone = hints.first(ONE);
        assertThat(gone).isNotNull();
        assertThat(RecordImage.bindings(MemorySegment.ofArray(gone), 0)).isZero();
        assertThat(RecordImage.cleared(MemorySegment.ofArray(gone), 0)).isEqualTo(HybridClock.of(1_000_000) + 4);
        hints.add(ONE, change(1, 2, false, 3));
        assertThat(hints.first(ONE)).as("older than the delete").isEqualTo(gone);
    }

    @Test
    void whenFullTheOldestOfTheServerWithMostGivesWay() {
        long cost = (long) change(1, 1, false, 1).length + HintedHandoff.OVERHEAD_BYTES;
        HintedHandoff hints = new HintedHandoff(10 * cost, TOMBSTONE_MILLIS);
        hints.add(OTHER, change(1000, 1, false, 1));
        for (int i = 0; i < 100; i++) {
            hints.add(ONE, change(i, i, false, 1));
            assertThat(hints.bytes()).isLessThanOrEqualTo(10 * cost);
        }
        assertThat(hints.count(ONE)).isEqualTo(9);
        assertThat(hints.count(OTHER)).isEqualTo(1);
        assertThat(hints.dropped()).isEqualTo(91);
        assertThat(hints.first(ONE)).isEqualTo(change(91, 91, false, 1));
        assertThat(hints.lost(ONE)).isTrue();
        assertThat(hints.lost(ONE)).as("said once").isFalse();
        assertThat(hints.lost(OTHER)).isFalse();
    }

    @Test
    void withoutRoomNothingIsKeptAndThatIsKnown() {
        HintedHandoff hints = new HintedHandoff(0, TOMBSTONE_MILLIS);
        hints.add(ONE, change(1, 1, false, 1));
        assertThat(hints.count(ONE)).isZero();
        assertThat(hints.bytes()).isZero();
        assertThat(hints.first(ONE)).isNull();
        assertThat(hints.lost(ONE)).isTrue();
    }
}
