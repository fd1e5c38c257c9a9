package io.guidepost.gnrs.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.peer.PeerBounds;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuplicateRequestCacheTest {
    private static final int REPEATS_MAX = PeerBounds.defaults().repeatsMax();
    private final Counters<PeerCount> counts = new Counters<>(PeerCount.class);
    private final DuplicateRequestCache repeats = new DuplicateRequestCache(REPEATS_MAX, new SplittableRandom(1), counts);

    /** Who asks, under which id, and what for. */
    private record Key(long low, int port, int id, int name) {
        Guid guid() {
            return new Guid(0, 0, name);
        }

        Exchange message(int content) {
            MemorySegment bytes = MemorySegment.ofArray(new byte[29]);
            bytes.set(PeerWire.INT, PeerWire.ID, id);
            bytes.set(PeerWire.BYTE, 28, (byte) content);
            Exchange exchange = new Exchange();
            exchange.request(bytes, 0, (int) bytes.byteSize(), 0);
            exchange.peer(0, low, port);
            return exchange;
        }
    }

    private record Known(int content, ClientWrite request) {}

    private static ClientWrite request(GnrsCount outcome) {
        ClientWrite request = new ClientWrite((result, held, needed) -> {});
        if (outcome != GnrsCount.WRITES_QUORUM_FAILED) {
            request.decide(outcome, 1, 1);
        }
        return request;
    }

    /** Against a map: random messages of few askers, repeated, failed, and forgotten as time goes by. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void remembersWhatAMapWould(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Key, Known> map = new HashMap<>();
        ArrayDeque<Map.Entry<Key, Long>> times = new ArrayDeque<>();
        long now = random.nextLong();
        int found = 0;
        List<GnrsCount> outcomes = List.of(GnrsCount.WRITES_DONE, GnrsCount.WRITES_STORE_FAILED, GnrsCount.WRITES_QUORUM_FAILED);
        for (int i = 0; i < 20_000; i++) {
            // Sometimes a rest in which all of it, or most of it, is forgotten.
            now += random.nextInt(2000) == 0 ? QuorumLimits.REPEAT_NANOS / 2 : random.nextInt(2_000_000);
            while (!times.isEmpty() && now - times.peek().getValue() > QuorumLimits.REPEAT_NANOS) {
                map.remove(times.remove().getKey());
            }
            Key key = new Key(random.nextInt(3), random.nextInt(2), random.nextInt(40), random.nextInt(30));
            int content = random.nextInt(2);
            Known known = map.get(key);
            ClientWrite repeated = known != null
                            && known.content == content
                            && (!known.request.told() || known.request.done())
                    ? known.request
                    : null;
            ClientWrite earlier = repeats.earlier(key.message(content), key.guid(), now);
            if (repeated == null || !repeated.told()) {
                assertThat(earlier).isSameAs(repeated);
            } else {
                assertThat(earlier).isNotNull().satisfies(each -> {
                    assertThat(each.done()).isTrue();
                    assertThat(each.held()).isEqualTo(repeated.held());
                    assertThat(each.needed()).isEqualTo(repeated.needed());
                    assertThat(each.waiting()).isZero();
                });
            }
            found += repeated != null ? 1 : 0;
            if (random.nextInt(4) == 0) {
                decideOne(random, map);
            }
            if (earlier == null) {
                ClientWrite request = request(outcomes.get(random.nextInt(3)));
                repeats.remember(key.message(content), key.guid(), now, request);
                map.put(key, new Known(content, request));
                times.removeIf(each -> each.getKey().equals(key));
                times.add(Map.entry(key, now));
            }
        }
        assertThat(found).isGreaterThan(1000);
        assertThat(counts.get(PeerCount.DUPLICATE_CACHE_EVICTIONS)).isZero();
    }

    /** Something becomes of one of those that are known. */
    private void decideOne(SplittableRandom random, Map<Key, Known> map) {
        map.values().stream().map(Known::request).filter(each -> !each.told()).findFirst().ifPresent(open -> {
            open.decide(random.nextBoolean() ? GnrsCount.WRITES_DONE : GnrsCount.WRITES_STORE_FAILED, random.nextInt(33), 3);
            repeats.decided(open);
        });
    }

    private void remember(Key key) {
        repeats.remember(key.message(1), key.guid(), 0, request(GnrsCount.WRITES_DONE));
    }

    private boolean knows(Key key, int content, long nanos) {
        return repeats.earlier(key.message(content), key.guid(), nanos) != null;
    }

    @Test
    void theOldestIsForgottenWhenThereAreTooMany() {
        for (int i = 0; i <= REPEATS_MAX; i++) {
            remember(new Key(7, 7, i, 7));
        }
        assertThat(counts.get(PeerCount.DUPLICATE_CACHE_EVICTIONS)).isEqualTo(1);
        assertThat(knows(new Key(7, 7, 0, 7), 1, 0)).isFalse();
        assertThat(knows(new Key(7, 7, 1, 7), 1, 0)).isTrue();
        assertThat(knows(new Key(7, 7, REPEATS_MAX, 7), 1, QuorumLimits.REPEAT_NANOS)).isTrue();
        assertThat(knows(new Key(7, 7, 1, 7), 1, QuorumLimits.REPEAT_NANOS + 1)).isFalse();
    }

    @Test
    void whateverDiffersItIsAnotherWrite() {
        remember(new Key(1, 1, 1, 1));
        assertThat(knows(new Key(1, 1, 1, 1), 1, 0)).isTrue();
        assertThat(knows(new Key(2, 1, 1, 1), 1, 0)).isFalse();
        assertThat(knows(new Key(1, 2, 1, 1), 1, 0)).isFalse();
        assertThat(knows(new Key(1, 1, 2, 1), 1, 0)).isFalse();
        assertThat(knows(new Key(1, 1, 1, 2), 1, 0)).isFalse();
        assertThat(knows(new Key(1, 1, 1, 1), 2, 0)).isFalse();
    }

    private boolean knows(byte[] message, byte[] guid) {
        return repeats.earlier(exchange(message), Guid.of(guid), 0) != null;
    }

    private static Exchange exchange(byte[] message) {
        byte[] among = new byte[5 + message.length];
        System.arraycopy(message, 0, among, 5, message.length);
        Exchange exchange = new Exchange();
        exchange.request(MemorySegment.ofArray(among), 5, message.length, 0);
        exchange.peer(1, 2, 3);
        return exchange;
    }

    @Test
    void eachBitOfMessageAndNameCounts() {
        byte[] message = new byte[29];
        byte[] guid = new byte[Guid.BYTES];
        repeats.remember(exchange(message), Guid.of(guid), 0, request(GnrsCount.WRITES_DONE));
        for (byte[] part : List.of(message, guid)) {
            for (int bit = 0; bit < 8 * part.length; bit++) {
                part[bit >>> 3] ^= (byte) (1 << (bit & 7));
                assertThat(knows(message, guid)).as("bit %d of %d bytes", bit, part.length).isFalse();
                part[bit >>> 3] ^= (byte) (1 << (bit & 7));
            }
        }
        assertThat(knows(new byte[28], guid)).isFalse();
        assertThat(knows(new byte[30], guid)).isFalse();
        Exchange other = exchange(message);
        other.peer(2, 2, 3);
        assertThat(repeats.earlier(other, Guid.of(guid), 0)).isNull();
        assertThat(knows(message, guid)).isTrue();
    }

    @Test
    void theOutcomeOfAForgottenWriteIsNotThatOfAnother() {
        DuplicateRequestCache two = new DuplicateRequestCache(2, new SplittableRandom(1), counts);
        ClientWrite[] requests = new ClientWrite[3];
        for (int i = 0; i < 3; i++) {
            requests[i] = request(GnrsCount.WRITES_QUORUM_FAILED);
            two.remember(new Key(7, 7, i, 7).message(1), new Key(7, 7, i, 7).guid(), 0, requests[i]);
            assertThat(two.size()).isEqualTo(Math.min(i + 1, 2));
        }
        requests[0].decide(GnrsCount.WRITES_STORE_FAILED, 0, 1);
        two.decided(requests[0]);
        for (int i = 1; i < 3; i++) {
            assertThat(two.earlier(new Key(7, 7, i, 7).message(1), new Key(7, 7, i, 7).guid(), 0)).isSameAs(requests[i]);
        }
        requests[1].decide(GnrsCount.WRITES_STORE_FAILED, 0, 1);
        two.decided(requests[1]);
        assertThat(two.earlier(new Key(7, 7, 1, 7).message(1), new Key(7, 7, 1, 7).guid(), 0)).isNull();
    }
}
