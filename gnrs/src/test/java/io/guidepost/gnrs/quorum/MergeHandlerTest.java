package io.guidepost.gnrs.quorum;

import static io.guidepost.gnrs.relay.WriteStand.place;
import static io.guidepost.gnrs.relay.WriteStand.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.CommonLimits;
import io.guidepost.gnrs.GnrsDoorStand;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.relay.RelayBound;
import io.guidepost.gnrs.relay.WriteStand;
import io.guidepost.gnrs.relay.WriteStand.Datagram;
import io.guidepost.gnrs.relay.WriteStand.Node;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** MERGE of other servers, as datagrams in and out. */
class MergeHandlerTest {
    private static final Guid GUID = new Guid(1, 2, 3);

    private final WriteStand stand = new WriteStand(3);
    private final Node node = stand.node(0);
    private InetSocketAddress from = stand.servers.get(1);
    private int id;

    private record Confirmed(int id, int code, long newest, long digest) {}

    private static long stamp(long millis) {
        return HybridClock.of(WriteStand.START_MILLIS + millis);
    }

    private static byte[] change(long stamp, boolean update, Binding... bindings) {
        return RecordMerge.change(
                RecordImage.write(Name.of(GUID).key(), 0, List.of(bindings), List.of()), stamp, update);
    }

    private byte[] message(byte[] change, boolean strict) {
        byte[] message = new byte[PeerWire.HEADER_BYTES + 4 + change.length];
        MemorySegment segment = MemorySegment.ofArray(message);
        PeerWire.header(segment, 0, PeerWire.MERGE, message.length, ++id);
        segment.set(PeerWire.INT, PeerWire.HEADER_BYTES, strict ? 1 << 16 : 0);
        System.arraycopy(change, 0, message, PeerWire.HEADER_BYTES + 4, change.length);
        return message;
    }

    private List<Confirmed> deliver(byte[]... messages) {
        int before = stand.sent.size();
        for (byte[] each : messages) {
            stand.send(new Datagram(from, node.address, each));
        }
        stand.run(4);
        List<Confirmed> answers = new ArrayList<>();
        for (Datagram each : stand.sent.subList(before + messages.length, stand.sent.size())) {
            assertThat(each.to()).isEqualTo(from);
            MemorySegment bytes = MemorySegment.ofArray(each.bytes());
            assertThat(each.type()).isEqualTo(PeerWire.MERGE | PeerWire.RESPONSE_BIT);
            assertThat(bytes.byteSize()).isEqualTo(36);
            assertThat(Short.toUnsignedInt(bytes.get(PeerWire.SHORT, PeerWire.LENGTH))).isEqualTo(36);
            answers.add(new Confirmed(
                    bytes.get(PeerWire.INT, PeerWire.ID),
                    bytes.get(PeerWire.SHORT, 16),
                    bytes.get(PeerWire.LONG, 20),
                    bytes.get(PeerWire.LONG, 28)));
        }
        return answers;
    }

    private Confirmed merge(byte[] change, boolean strict) {
        List<Confirmed> answers = deliver(message(change, strict));
        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst().id).isEqualTo(id);
        return answers.getFirst();
    }

    @Test
    void isConfirmedWhenItIsDurable() {
        node.stalled = true;
        assertThat(deliver(message(change(stamp(1), false, to(1)), true))).isEmpty();
        node.stalled = false;
        stand.run(2);
        assertThat(stand.sent).hasSize(2);
        assertThat(node.places(GUID)).containsExactly(place(1));
        byte[] image = node.image(GUID);
        assertThat(image).isNotNull();
        Confirmed again = merge(change(stamp(1), false, to(1)), true);
        assertThat(again)
                .isEqualTo(new Confirmed(id, PeerWire.DONE, stamp(1), RecordImage.digest(MemorySegment.ofArray(image), 0)));
    }

    @Test
    void aDatagramThatComesTwiceIsConfirmedTwiceAndChangesNothing() {
        byte[] message = message(change(stamp(1), false, to(1)), true);
        List<Confirmed> answers = deliver(message, message, message);
        assertThat(answers).hasSize(3).allMatch(each -> each.code == PeerWire.DONE && each.newest == stamp(1));
        byte[] first = node.image(GUID);
        assertThat(deliver(message)).allMatch(each -> each.code == PeerWire.DONE);
        assertThat(node.image(GUID)).isEqualTo(first);
    }

    @Test
    void aStrictOneIsBehindWhatIsNotOlder() {
        merge(change(stamp(5), false, to(1)), true);
        assertThat(merge(change(stamp(4), false, to(2)), true))
                .extracting(Confirmed::code, Confirmed::newest)
                .containsExactly(PeerWire.BEHIND, stamp(5));
        assertThat(merge(change(stamp(5), false, to(2)), true).code).as("the same stamp").isEqualTo(PeerWire.BEHIND);
        assertThat(node.places(GUID)).containsExactly(place(1));
        assertThat(merge(change(stamp(4), false, to(2)), false).code).as("not strict").isEqualTo(PeerWire.DONE);
        assertThat(node.places(GUID)).containsExactlyInAnyOrder(place(1), place(2));
    }

    @Test
    void whatWasTakenAwaySinceIsBehindAndNotTakenForHeld() {
        byte[] insert = change(stamp(1), false, to(1));
        merge(insert, true);
        merge(change(stamp(2), true), true);
        assertThat(merge(insert, true)).extracting(Confirmed::code, Confirmed::newest)
                .containsExactly(PeerWire.BEHIND, stamp(2));
        assertThat(merge(insert, false).code).isEqualTo(PeerWire.DONE);
        assertThat(node.places(GUID)).isEmpty();
    }

    @Test
    void anUpdateIsThereOnlyIfItIsTheLastAndTheOnlyOneOfItsStamp() {
        byte[] update = change(stamp(5), true, to(1));
        assertThat(merge(update, true).code).isEqualTo(PeerWire.DONE);
        assertThat(merge(update, true).code).as("once more").isEqualTo(PeerWire.DONE);
        assertThat(merge(change(stamp(5), false, to(1)), true).code).as("an insert of what is there").isEqualTo(PeerWire.DONE);
        merge(change(stamp(5), true, to(1), to(2)), false);
        assertThat(merge(update, true).code).as("another one has its stamp").isEqualTo(PeerWire.BEHIND);
        merge(change(stamp(6), true, to(1)), false);
        assertThat(merge(change(stamp(6), true, to(1)), true).code).isEqualTo(PeerWire.DONE);
        merge(change(stamp(7), false, to(2)), false);
        assertThat(merge(change(stamp(6), true, to(1)), true).code).as("an insert is later").isEqualTo(PeerWire.BEHIND);
        assertThat(merge(update, true).code).as("an update is later").isEqualTo(PeerWire.BEHIND);
    }

    @Test
    void whatHasEndedBeforeItCameIsRemembered() {
        Binding ended = new Binding(place(1), 0, WriteStand.START_MILLIS);
        assertThat(merge(change(stamp(5), false, ended), true).code).isEqualTo(PeerWire.DONE);
        assertThat(node.image(GUID)).isNull();
        assertThat(merge(change(stamp(5), false, to(2)), true)).extracting(Confirmed::code, Confirmed::newest)
                .containsExactly(PeerWire.BEHIND, stamp(5));
        assertThat(merge(change(stamp(5) + 1, false, to(2)), true).code).isEqualTo(PeerWire.DONE);
    }

    @Test
    void aRecordIsCutAtItsLastByte() {
        for (int more = 0; more < 2; more++) {
            int known = more * 10;
            merge(change(stamp(known + 1), true, QuorumWritesTest.ofBytes(30_000, "a")), false);
            assertThat(merge(change(stamp(known + 2), false, QuorumWritesTest.ofBytes(30_000 + more, "b")), true).code)
                    .isEqualTo(more == 0 ? PeerWire.DONE : PeerWire.BYTES_MAX);
            // One of the known bindings anew: nothing is lost as long as the longest one would fit.
            Binding[] full = QuorumWritesTest.ofBytes(
                    CommonLimits.SHARED_RECORD_BYTES_MAX - QuorumLimits.BINDING_BYTES_MAX + more, "a");
            merge(change(stamp(known + 3), true, full), false);
            assertThat(merge(change(stamp(known + 4), false, full[0], full[1]), true).code)
                    .isEqualTo(more == 0 ? PeerWire.DONE : PeerWire.BYTES_MAX);
        }
    }

    @Test
    void aStampTooFarAheadIsRefusedAndNotLearnt() {
        long dayAndMore = 25 * 3_600_000L;
        assertThat(merge(change(stamp(dayAndMore), false, to(1)), true).code).isEqualTo(PeerWire.STAMP_AHEAD);
        assertThat(node.count(PeerCount.REFUSED_MERGES_STAMP_AHEAD)).isEqualTo(1);
        assertThat(node.image(GUID)).isNull();
        assertThat(node.deployment.clock().last()).isLessThan(stamp(dayAndMore));
        assertThat(merge(change(stamp(1000), false, to(1)), true).code).isEqualTo(PeerWire.DONE);
        assertThat(node.deployment.clock().last()).isGreaterThanOrEqualTo(stamp(1000));
    }

    @Test
    void aStampIsTakenUpToTheLastMillisecond() {
        long ahead = node.deployment.settings().stampAheadMillis();
        assertThat(merge(change(stamp(ahead + 1), false, to(1)), true).code).as("when it comes").isEqualTo(PeerWire.DONE);
        assertThat(merge(change(stamp(ahead + 6), false, to(1)), true).code).as("four later").isEqualTo(PeerWire.STAMP_AHEAD);
    }

    @Test
    void aMessageWithoutARecordIsMalformed() {
        byte[] whole = message(change(stamp(1), false, to(1)), true);
        for (int length = PeerWire.HEADER_BYTES; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            MemorySegment.ofArray(cut).set(PeerWire.SHORT, PeerWire.LENGTH, (short) length);
            assertThat(deliver(cut)).as("%d bytes", length).isEmpty();
            assertThat(node.count(PeerCount.DROPS_MALFORMED_REQUEST)).isEqualTo(length - PeerWire.HEADER_BYTES + 1);
        }
        assertThat(deliver(whole)).hasSize(1);
    }

    @Test
    void bindingsAreBoundedWhereItIsStrict() {
        Binding[] hundred = IntStream.range(0, 100).mapToObj(WriteStand::to).toArray(Binding[]::new);
        assertThat(merge(change(stamp(1), false, hundred), true).code).isEqualTo(PeerWire.DONE);
        assertThat(merge(change(stamp(2), false, to(101)), true).code).isEqualTo(PeerWire.BINDINGS_MAX);
        assertThat(merge(change(stamp(2), false, to(99)), true).code).as("one of them anew").isEqualTo(PeerWire.DONE);
        assertThat(merge(change(stamp(3), false, to(101)), false).code).as("not strict").isEqualTo(PeerWire.DONE);
        assertThat(node.places(GUID)).hasSize(101);
        assertThat(merge(change(stamp(4), true, to(1)), true).code).as("an update").isEqualTo(PeerWire.DONE);
    }

    @Test
    void whatGrowsTooLongIsRefusedWhereItIsStrict() {
        Binding[] long30 = longPlaces(0, 29);
        assertThat(merge(change(stamp(1), false, long30), true).code).isEqualTo(PeerWire.DONE);
        assertThat(merge(change(stamp(2), false, longPlaces(100, 101)), true).code).isEqualTo(PeerWire.BYTES_MAX);
        assertThat(node.places(GUID)).hasSize(29);
        assertThat(merge(change(stamp(2), false, to(1)), true).code).as("a short one").isEqualTo(PeerWire.DONE);
    }

    private static Binding[] longPlaces(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> Binding.of(Locator.of(URI.create("http://h/" + i + "/" + "x".repeat(1980)))))
                .toArray(Binding[]::new);
    }

    @Test
    void aFullDiskRefuses() {
        node.store.diskFull = true;
        assertThat(merge(change(stamp(1), false, to(1)), true).code).isEqualTo(PeerWire.REFUSED);
        node.store.diskFull = false;
        assertThat(merge(change(stamp(1), false, to(1)), true).code).isEqualTo(PeerWire.DONE);
    }

    @Test
    void tooMuchUnderWayIsRefusedAtOnce() {
        node.stalled = true;
        int most = GnrsDoorStand.open().writesInFlightMax();
        byte[][] messages = new byte[most + 3][];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = message(change(stamp(1 + i), false, to(1)), false);
        }
        assertThat(deliver(messages)).hasSize(3).allMatch(each -> each.code == PeerWire.REFUSED);
        assertThat(node.count(PeerCount.REFUSED_MERGES_IN_FLIGHT_MAX)).isEqualTo(3);
        assertThat(node.relay.held(RelayBound.MERGES)).isEqualTo(most);
        node.stalled = false;
        stand.run(3);
        assertThat(stand.sent).hasSize(2 * messages.length);
        assertThat(node.relay.held(RelayBound.MERGES)).isZero();
    }

    @Test
    void strangersAreNotHeard() {
        from = WriteStand.client(1);
        assertThat(deliver(message(change(stamp(1), false, to(1)), false))).isEmpty();
        assertThat(node.count(PeerCount.DROPS_UNKNOWN_PEER)).isEqualTo(1);
        assertThat(node.image(GUID)).isNull();
    }

    @Test
    void damagedOnesAreDroppedOrAreRecords() {
        long seed = 20261120;
        SplittableRandom random = new SplittableRandom(seed);
        byte[] sound = message(change(stamp(1), true, to(1), to(2)), false);
        for (int i = 0; i < 20_000; i++) {
            byte[] message = random.nextInt(4) == 0
                    ? Arrays.copyOf(sound, random.nextInt(PeerWire.HEADER_BYTES + 1, sound.length))
                    : sound.clone();
            for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
                message[random.nextInt(PeerWire.HEADER_BYTES, message.length)] ^= (byte) (1 << random.nextInt(8));
            }
            MemorySegment.ofArray(message).set(PeerWire.SHORT, PeerWire.LENGTH, (short) message.length);
            stand.send(new Datagram(from, node.address, message));
            stand.run(1);
            byte[] image = node.image(GUID);
            assertThat(image == null || image.length <= CommonLimits.SHARED_RECORD_BYTES_MAX).as("seed %d, %d", seed, i).isTrue();
        }
        assertThat(node.count(PeerCount.DROPS_MALFORMED_REQUEST)).isPositive();
        assertThat(node.count(PeerCount.REQUESTS_RECEIVED_MERGE)).isPositive();
    }
}
