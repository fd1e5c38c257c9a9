package io.guidepost.gnrs.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.relay.WriteStand;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums of what is shared are those of what is stored, however writes and the scan meet. */
final class RangeDigestsTest {
    private static final int SERVERS = 7;

    private final List<InetSocketAddress> servers = new ArrayList<>();
    private final InetSocketAddress own;
    private final PeerTable peers;
    private final LivePlacement placement;
    private RecordStore.@Nullable Observer hears;
    private long now = 1_700_000_000_000L;

    RangeDigestsTest() {
        for (int i = 1; i <= SERVERS; i++) {
            servers.add(new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + i), 5001));
        }
        own = servers.getFirst();
        peers = new PeerTable(Set.of(own), PeerDescriptor.Kind.GUIDEPOST);
        peers.update(List.of(), servers, PeerDescriptor.Kind.GUIDEPOST);
        placement = new LivePlacement(WriteStand.placement(servers, own));
    }

    private EmbeddedStore store() throws IOException {
        return EmbeddedStore.open(StoreOptions.inMemory()
                .withStepped(true)
                .withIndexBytesMax(64 << 20)
                .withClock(() -> Instant.ofEpochMilli(now))
                .withRandom(new SplittableRandom(1)::nextLong)
                .withObserver((sequence, key, before, after) -> {
                    if (hears != null) {
                        hears.changed(sequence, key, before, after);
                    }
                }));
    }

    private static byte[] key(int number) {
        return Name.of(new Guid(number * 0x9e3779b97f4a7c15L, number, 3)).key();
    }

    private void write(EmbeddedStore store, int number, boolean update, int place) {
        byte[] key = key(number);
        byte[] change = RecordMerge.change(
                RecordImage.write(key, 0, List.of(WriteStand.to(place)), List.of()), HybridClock.of(++now), update);
        submit(store, key, (same, current, version, millis) -> RecordMerge.merge(current, change, version, millis, 500));
    }

    private static void submit(EmbeddedStore store, byte[] key, RecordStore.Replace change) {
        assertThat(store.submit(key, change, (outcome, version) -> {})).isTrue();
    }

    /** The sums as they should be, found without any short cut. */
    private void check(EmbeddedStore store, RangeDigests digests) throws IOException {
        assertThat(digests.complete()).isTrue();
        long[][] expected = new long[SERVERS][DigestRanges.COUNT];
        long[][] syndromes = new long[SERVERS][Syndromes.GROUPS * Syndromes.SUMS];
        long[] records = new long[SERVERS + 1];
        store.images(null, (key, image) -> {
            Set<InetSocketAddress> at = placement.get().servers(Guid.read(MemorySegment.ofArray(key), 1));
            int range = DigestRanges.of(MemorySegment.ofArray(key), 1);
            for (int i = 1; i < SERVERS; i++) {
                if (at.contains(own) && at.contains(servers.get(i))) {
                    long digest = RecordImage.digest(MemorySegment.ofArray(image), 0);
                    expected[i][range] ^= digest;
                    long[] change = new long[Syndromes.SUMS];
                    Syndromes.change(MemorySegment.ofArray(key), 1, 0, digest, change);
                    Syndromes.add(syndromes[i], Syndromes.group(range) * Syndromes.SUMS, change);
                    records[i]++;
                }
            }
            records[SERVERS] += at.contains(own) ? 0 : 1;
            return true;
        });
        for (int i = 1; i < SERVERS; i++) {
            assertThat(digests.ranges(servers.get(i))).isEqualTo(expected[i]);
            assertThat(digests.syndromes(servers.get(i))).isEqualTo(syndromes[i]);
            assertThat(digests.records(servers.get(i))).isEqualTo(records[i]);
        }
        assertThat(digests.elsewhere()).isEqualTo(records[SERVERS]);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void writesBeforeWithinAndAfterTheScanCountOnce(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        try (EmbeddedStore store = store()) {
            for (int i = 0; i < 6000; i++) {
                write(store, random.nextInt(8000), random.nextBoolean(), random.nextInt(100));
                if (i % 500 == 0) {
                    store.work();
                }
            }
            store.work();
            RangeDigests digests = new RangeDigests(placement, peers, store, () -> {});
            hears = digests;
            for (int turn = 0; turn < 400; turn++) {
                switch (random.nextInt(5)) {
                    case 0 -> digests.step();
                    case 1 -> store.work();
                    case 2 -> submit(
                            store, key(random.nextInt(8000)), (key, current, version, millis) -> RecordStore.Change.DELETE);
                    case 3 -> now += random.nextInt(100);
                    default -> write(store, random.nextInt(8000), random.nextBoolean(), random.nextInt(100));
                }
                if (turn == 200) {
                    Placement other = WriteStand.placement(servers.subList(0, 5), own);
                    placement.publish(other);
                }
            }
            for (int i = 0; i < 50; i++) {
                digests.step();
                store.work();
            }
            check(store, digests);
            for (int i = 0; i < 300; i++) {
                write(store, random.nextInt(8000), random.nextBoolean(), random.nextInt(100));
            }
            store.work();
            check(store, digests);
        }
    }

    @Test
    void aServerThatIsAloneCountsNothing() throws IOException {
        placement.publish(WriteStand.placement(List.of(own), own));
        try (EmbeddedStore store = store()) {
            RangeDigests digests = new RangeDigests(placement, peers, store, () -> {});
            hears = digests;
            assertThat(digests.step()).isFalse();
            write(store, 1, false, 1);
            store.work();
            assertThat(digests.complete()).isTrue();
            assertThat(digests.elsewhere()).isZero();
        }
    }

    @Test
    void theSameTablesHaveTheSameFingerprintAtEveryServerAndOthersAnother() {
        long fingerprint = WriteStand.placement(servers, own).fingerprint();
        assertThat(fingerprint).isNotZero();
        assertThat(WriteStand.placement(servers, servers.get(3)).fingerprint()).isEqualTo(fingerprint);
        assertThat(WriteStand.placement(servers.subList(0, 6), own).fingerprint()).isNotEqualTo(fingerprint);
        assertThat(WriteStand.placement(servers.reversed(), own).fingerprint()).isNotEqualTo(fingerprint);
        assertThat(Placement.everything().fingerprint()).isZero();
    }

    @Test
    void rangesAreEvenlyFilled() {
        int[] filled = new int[DigestRanges.COUNT];
        for (int i = 0; i < 100_000; i++) {
            filled[DigestRanges.of(MemorySegment.ofArray(new Guid(0, 0, i).toBytes()), 0)]++;
        }
        for (int each : filled) {
            assertThat(each).isBetween(250, 550);
        }
    }
}
