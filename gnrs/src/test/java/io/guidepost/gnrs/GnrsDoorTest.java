package io.guidepost.gnrs;

import static io.guidepost.gnrs.GnrsDoorStand.CLIENT;
import static io.guidepost.gnrs.GnrsDoorStand.LOOPBACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.GnrsDoorStand.Answer;
import io.guidepost.gnrs.GnrsDoorStand.Peer;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsMessage.Code;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.gnrs.wire.GnrsParseResult;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

public class GnrsDoorTest {
    static final Guid G = Guid.ofAscii("alice");
    static final Locator ANY = GnrsMessage.noOrigin();
    static final Locator A = place("10.0.0.1", 1001);
    static final Locator B = place("10.0.0.2", 1002);
    static final Locator SIX = place("2001:db8::7", 80);

    private final GnrsDoorStand stand = new GnrsDoorStand();

    public static Locator place(String address, int port) {
        return Locator.of(new InetSocketAddress(address, port));
    }

    public static GnrsMessage.Lookup lookup(Guid guid, GnrsOption... options) {
        return new GnrsMessage.Lookup(7, ANY, guid, List.of(options));
    }

    public static GnrsMessage.Insert insert(Guid guid, Binding... bindings) {
        return GnrsMessage.Insert.of(8, ANY, guid, List.of(bindings));
    }

    public static GnrsMessage.Update update(Guid guid, Binding... bindings) {
        return GnrsMessage.Update.of(9, ANY, guid, List.of(bindings));
    }

    private void put(Guid guid, Binding... bindings) {
        assertThat(code(stand.one(CLIENT, insert(guid, bindings)))).isEqualTo(Code.SUCCESS);
    }

    private GnrsMessage.LookupResponse get(Guid guid, GnrsOption... options) {
        return (GnrsMessage.LookupResponse) stand.one(LOOPBACK, lookup(guid, options));
    }

    private static Code code(GnrsMessage message) {
        return ((GnrsMessage.Response) message).code();
    }

    private static Binding b(Locator locator) {
        return Binding.of(locator);
    }

    /** V1 to V11 as a conversation, byte for byte. Times are kept, where the Java server forgot them. */
    @Test
    void theVectorsAreAnsweredByteForByte() {
        stand.now = 1_760_000_000_000L;
        Peer client = Peer.of("127.0.0.1", 4001);
        assertThat(hex(client, GnrsVectors.V1)).isEqualTo("0081001e0000000100000016000000067f00000113890000000000000000");
        assertThat(hex(client, GnrsVectors.V3)).isEqualTo("0080001a0000000300000016000000067f000001138900000000");
        assertThat(hex(client, GnrsVectors.V4)).isEqualTo(GnrsVectors.V5);
        assertThat(hex(client, GnrsVectors.V11)).isEqualTo("0080001a0000000a00000016000000067f000001138900000000");
        String places = GnrsVectors.V8.substring(16);
        assertThat(hex(client, GnrsVectors.V1)).isEqualTo("0081006400000001" + places);
        assertThat(hex(client, GnrsVectors.V10)).isEqualTo("0081006400000009" + places);
        // The link of V4 leads to nothing here, so it is in the answer as it is.
        assertThat(hex(client, GnrsVectors.V2)).isEqualTo("00810064deadbeef" + places);
        assertThat(hex(Peer.of("127.0.0.1", 3010), GnrsVectors.M1))
                .isEqualTo("0082001a0000000100000016000000067f000001138900000000");
    }

    private String hex(Peer peer, String question) {
        return HexFormat.of().formatHex(stand.one(peer, GnrsVectors.bytes(question)).bytes());
    }

    @Test
    void anInsertAddsAndAnUpdateReplaces() {
        put(G, b(A));
        put(G, b(B));
        assertThat(get(G).bindings()).containsExactly(b(A), b(B));
        assertThat(stand.one(CLIENT, update(G, b(B)))).isInstanceOf(GnrsMessage.UpdateResponse.class);
        assertThat(get(G).bindings()).containsExactly(b(B));
        stand.one(CLIENT, update(G));
        assertThat(get(G).bindings()).isEmpty();
        assertThat(get(G).code()).isEqualTo(Code.SUCCESS);
        assertThat(stand.store.get(Name.of(G))).isEmpty();
        assertThat(code(stand.one(CLIENT, update(G)))).isEqualTo(Code.SUCCESS);
    }

    @Test
    void anInsertThatHasExpiredEndsThePlaceThatIsThere() {
        put(G, b(A), b(B));
        put(G, new Binding(A, 0, stand.now - 1));
        assertThat(get(G).bindings()).containsExactly(b(B));
        put(G, new Binding(B, 0, stand.now - 1), new Binding(A, 0, stand.now - 1));
        assertThat(stand.store.get(Name.of(G))).isEmpty();
        put(G, new Binding(A, 0, stand.now - 1), b(B));
        assertThat(get(G).bindings()).containsExactly(b(B));
    }

    @Test
    void equalAddressesMergeAndTakeTheNewTimes() {
        put(G, new Binding(A, 1000, 0), b(B));
        put(G, new Binding(A, 2000, stand.now + 5000));
        assertThat(get(G).bindings()).containsExactly(new Binding(A, 2000, stand.now + 5000), b(B));
        stand.one(CLIENT, update(G, new Binding(A, 1, 0), new Binding(A, 2, 0)));
        assertThat(get(G).bindings()).containsExactly(new Binding(A, 2, 0));
    }

    @Test
    void aWriteIsAnsweredWhenItIsDurableAndNotBefore() {
        assertThat(stand.take(CLIENT, insert(G, b(A)).write())).isEmpty();
        assertThat(stand.settle()).hasSize(1);
        assertThat(stand.wakes).isEqualTo(1);
        assertThat(LongStream.of(stand.door.writeLatencies().counts()).sum())
                .isEqualTo(1);
        assertThat(stand.door.writeLatencies().sum()).isPositive();
    }

    @Test
    void bindingsEndByTheirTime() {
        put(G, new Binding(A, 0, stand.now + 1000), new Binding(B, 60_000, stand.now + 2000));
        assertThat(get(G).bindings())
                .containsExactly(new Binding(A, 0, stand.now + 1000), new Binding(B, 2000, stand.now + 2000));
        stand.now += 1000;
        assertThat(get(G).bindings()).containsExactly(new Binding(B, 1000, stand.now + 1000));
        stand.now += 1000;
        assertThat(get(G).bindings()).isEmpty();
        put(G, b(A));
        assertThat(get(G).bindings()).containsExactly(b(A));
    }

    @Test
    void aBindingIsThereUntilTheMillisecondInWhichItEnds() {
        put(G, new Binding(A, 0, stand.now + 1000));
        stand.now += 999;
        assertThat(get(G).locators()).containsExactly(A);
        stand.now += 1;
        assertThat(get(G).locators()).isEmpty();
    }

    @Test
    void whatHasEndedAlreadyIsNotStored() {
        put(G, new Binding(A, 0, stand.now));
        assertThat(stand.store.get(Name.of(G))).isEmpty();
        put(G, new Binding(A, 0, stand.now - 1), b(B));
        assertThat(get(G).bindings()).containsExactly(b(B));
    }

    @Test
    void timesThatAreTooLargeNeverCome() {
        put(G, new Binding(A, -1, -1));
        assertThat(get(G).bindings())
                .containsExactly(new Binding(A, Long.MAX_VALUE - stand.now, Long.MAX_VALUE));
    }

    @Test
    void defaultTimesAreGivenToThoseWithout() {
        GnrsSettings d = GnrsDoorStand.open();
        GnrsDoorStand timed = new GnrsDoorStand(new GnrsSettings(
                d.bindingsMax(),
                d.answerBytesMax(),
                d.amplificationMax(),
                d.trusted(),
                d.writers(),
                0,
                0,
                30_000,
                90_000,
                d.writesInFlightMax(),
                d.lookupsDeferredMax(),
                d.advertised()));
        timed.one(CLIENT, insert(G, b(A), new Binding(B, 5, timed.now + 10)));
        assertThat(((GnrsMessage.LookupResponse) timed.one(LOOPBACK, lookup(G))).bindings())
                .containsExactly(
                        new Binding(A, 30_000, timed.now + 90_000), new Binding(B, 5, timed.now + 10));
    }

    @Test
    void chainsAreFollowedWhenAskedFor() {
        Guid phone = Guid.ofAscii("phone");
        Guid lost = Guid.ofAscii("lost");
        put(G, new Binding(Locator.of(phone), 500, stand.now + 50_000), b(A), b(Locator.of(lost)));
        put(phone, new Binding(B, 900, stand.now + 90_000), b(A));
        assertThat(get(G).locators()).containsExactly(Locator.of(phone), A, Locator.of(lost));
        assertThat(get(G, GnrsOption.recursion(false)).locators()).hasSize(3);
        assertThat(get(G, GnrsOption.recursion(true)).bindings())
                .containsExactly(b(A), new Binding(B, 500, stand.now + 50_000), b(Locator.of(lost)));
        assertThat(stand.count(GnrsCount.ALIAS_CHAINS)).isEqualTo(1);
        stand.now += 50_000;
        assertThat(get(G, GnrsOption.recursion(true)).locators()).containsExactly(A, Locator.of(lost));
    }

    @Test
    void loopsOfLinksAreFound() {
        Guid other = Guid.ofAscii("other");
        put(G, b(Locator.of(other)));
        put(other, b(Locator.of(G)), b(A));
        assertThat(get(G, GnrsOption.recursion(true)).locators()).containsExactly(Locator.of(G), A);
        assertThat(stand.count(GnrsCount.ALIAS_CHAINS_CUT_LOOP)).isEqualTo(1);
        Guid self = Guid.ofAscii("self");
        put(self, b(Locator.of(self)));
        assertThat(get(self, GnrsOption.recursion(true)).locators()).containsExactly(Locator.of(self));
    }

    @Test
    void twoWaysToOneNameAreNoLoop() {
        put(G, b(Locator.of(Guid.ofAscii("l"))), b(Locator.of(Guid.ofAscii("r"))));
        put(Guid.ofAscii("l"), b(Locator.of(Guid.ofAscii("end"))));
        put(Guid.ofAscii("r"), b(Locator.of(Guid.ofAscii("end"))), b(B));
        put(Guid.ofAscii("end"), b(A));
        assertThat(get(G, GnrsOption.recursion(true)).locators()).containsExactly(B, A);
        assertThat(stand.count(GnrsCount.ALIAS_CHAINS_CUT_LOOP)).isZero();
    }

    @Test
    void chainsAreBoundedInDepth() {
        for (int i = 0; i < 20; i++) {
            put(Guid.ofAscii("link" + i), b(Locator.of(Guid.ofAscii("link" + (i + 1)))));
        }
        put(Guid.ofAscii("link16"), b(Locator.of(Guid.ofAscii("link17"))), b(A));
        assertThat(get(Guid.ofAscii("link0"), GnrsOption.recursion(true)).locators())
                .containsExactly(Locator.of(Guid.ofAscii("link17")), A);
        assertThat(stand.count(GnrsCount.ALIAS_CHAINS_CUT_DEPTH_MAX)).isEqualTo(1);
    }

    @Test
    void chainsAreBoundedInLooksAndInBindings() {
        Binding[] links = IntStream.range(0, 100)
                .mapToObj(i -> b(Locator.of(Guid.ofAscii("leaf" + i))))
                .toArray(Binding[]::new);
        put(G, links);
        for (int i = 0; i < 100; i++) {
            put(Guid.ofAscii("leaf" + i), b(place("10.1.0." + i, 5)));
        }
        List<Locator> locators = get(G, GnrsOption.recursion(true)).locators();
        assertThat(locators).hasSize(100);
        assertThat(locators.stream().filter(each -> each.type() == 0)).hasSize(GnrsLimits.CHAIN_LOOKS_MAX);
        assertThat(stand.count(GnrsCount.ALIAS_CHAINS_CUT_LINKS_MAX)).isEqualTo(1);

        Binding[] many = IntStream.range(0, 100)
                .mapToObj(i -> b(place("10.2.0." + i, 5)))
                .toArray(Binding[]::new);
        for (int i = 0; i < 20; i++) {
            stand.one(CLIENT, update(Guid.ofAscii("leaf" + i), many));
        }
        assertThat(get(G, GnrsOption.recursion(true), GnrsOption.accept(60_000)).code()).isEqualTo(Code.SUCCESS);
        assertThat(stand.count(GnrsCount.ALIAS_CHAINS_CUT_BINDINGS_MAX)).isEqualTo(1);
    }

    @Test
    void extendedPlacesAreForThoseWhoKnowThem() {
        Locator url = Locator.of(URI.create("https://example.org/a"));
        put(G, b(SIX), b(A), b(url));
        GnrsMessage.LookupResponse plain = get(G);
        assertThat(plain.locators()).containsExactly(A);
        assertThat(plain.total()).hasValue(3);
        GnrsMessage.LookupResponse full = get(G, GnrsOption.accept());
        assertThat(full.locators()).containsExactly(SIX, A, url);
        assertThat(full.total()).isEmpty();
        GnrsMessage.Lookup fromSix = new GnrsMessage.Lookup(1, place("::", 0), G, List.of());
        assertThat(((GnrsMessage.LookupResponse) stand.one(LOOPBACK, fromSix)).locators()).hasSize(3);
        stand.one(CLIENT, update(G, b(SIX)));
        assertThat(get(G).locators()).isEmpty();
        assertThat(get(G).total()).hasValue(1);
    }

    @Test
    void answersThatDoNotFitSaySo() {
        Binding[] forty = IntStream.range(0, 40)
                .mapToObj(i -> b(place("10.3.0." + i, 9)))
                .toArray(Binding[]::new);
        put(G, forty);
        GnrsMessage.LookupResponse all = get(G);
        assertThat(all.locators()).hasSize(40);
        assertThat(all.total()).isEmpty();
        Answer bounded = stand.one(CLIENT, lookup(G).write());
        GnrsMessage.LookupResponse some = (GnrsMessage.LookupResponse) bounded.message();
        assertThat(bounded.bytes().length).isLessThanOrEqualTo(3 * 36);
        assertThat(some.locators()).hasSize(7);
        assertThat(some.total()).hasValue(40);
        assertThat(stand.count(GnrsCount.TRUNCATED_RESPONSES)).isEqualTo(1);
        List<GnrsOption> padding = GnrsOption.padding(130);
        GnrsMessage.Lookup padded = new GnrsMessage.Lookup(1, ANY, G, padding);
        assertThat(((GnrsMessage.LookupResponse) stand.one(CLIENT, padded)).locators())
                .hasSize(40);
        stand.roomLength = 64;
        assertThat(get(G).total()).hasValue(40);
    }

    @Test
    void timesAreLeftOutBeforePlacesAre() {
        Binding[] timed = IntStream.range(0, 8)
                .mapToObj(i -> new Binding(place("10.3.0." + i, 9), 1000, 0))
                .toArray(Binding[]::new);
        put(G, timed);
        assertThat(get(G).bindings()).containsExactly(timed);
        GnrsMessage.Lookup padded = new GnrsMessage.Lookup(1, ANY, G, GnrsOption.padding(14));
        GnrsMessage.LookupResponse bounded = (GnrsMessage.LookupResponse) stand.one(CLIENT, padded);
        assertThat(bounded.locators()).hasSize(8);
        assertThat(bounded.option(GnrsOptionType.TTL)).isEmpty();
        assertThat(bounded.total()).hasValue(8);
    }

    @Test
    void sixteenBindingsCarryNoTimesAndSaySo() {
        for (int i = 0; i < 16; i++) {
            put(G, new Binding(place("10.3.0." + i, 9), 1000, 0));
        }
        assertThat(get(G).locators()).hasSize(16);
        assertThat(get(G).option(GnrsOptionType.TTL)).isEmpty();
        assertThat(get(G).total()).hasValue(16);
    }

    @Test
    void oldReceiversGetNoMoreThanTheirBuffersHold() {
        Binding[] hundred = IntStream.range(0, 100)
                .mapToObj(i -> b(Locator.of(Guid.ofAscii("name" + i))))
                .toArray(Binding[]::new);
        put(G, hundred);
        Answer answer = stand.one(LOOPBACK, lookup(G).write());
        assertThat(answer.bytes().length).isLessThanOrEqualTo(2048);
        assertThat(((GnrsMessage.LookupResponse) answer.message()).total()).hasValue(100);
        assertThat(get(G, GnrsOption.accept(4096)).locators()).hasSize(100);
    }

    @Test
    void moreBindingsThanConfiguredAreRefused() {
        Binding[] hundred = IntStream.range(0, 100)
                .mapToObj(i -> b(place("10.4.0." + i, 9)))
                .toArray(Binding[]::new);
        put(G, hundred);
        assertThat(code(stand.one(CLIENT, insert(G, b(A))))).isEqualTo(Code.FAILED);
        assertThat(code(stand.one(CLIENT, insert(G, hundred[5])))).isEqualTo(Code.SUCCESS);
        List<Binding> more = new ArrayList<>(List.of(hundred));
        more.add(b(A));
        assertThat(code(stand.one(CLIENT, update(G, more.toArray(Binding[]::new))))).isEqualTo(Code.FAILED);
        assertThat(stand.count(GnrsCount.WRITES_BINDINGS_MAX)).isEqualTo(2);
        assertThat(get(G, GnrsOption.accept()).locators()).hasSize(100);
    }

    /** After the bound was lowered, what is there can still be refreshed. */
    @Test
    void aRecordBeyondTheBoundIsRefreshedButDoesNotGrow() {
        List<Binding> before = IntStream.range(0, 120)
                .mapToObj(i -> b(place("10.4.0." + i, 9)))
                .toList();
        stand.store.put(new Record(Name.of(G), 0, before, List.of()), 0);
        assertThat(code(stand.one(CLIENT, insert(G, before.getFirst())))).isEqualTo(Code.SUCCESS);
        assertThat(code(stand.one(CLIENT, insert(G, b(A))))).isEqualTo(Code.FAILED);
        assertThat(stand.store.get(Name.of(G)).orElseThrow().bindings()).isEqualTo(before);
    }

    @Test
    void recordsTooLargeForTheStoreAreRefused() {
        GnrsSettings d = GnrsDoorStand.open();
        GnrsDoorStand wide = new GnrsDoorStand(new GnrsSettings(
                1024, d.answerBytesMax(), 3, d.trusted(), d.writers(), 0, 0, 0, 0, 16, 16, Optional.empty()));
        int stored = 0;
        Code last = Code.SUCCESS;
        for (int i = 0; i < 600 && last == Code.SUCCESS; i++) {
            Locator url = Locator.of(URI.create("http://" + i + "/" + "x".repeat(2000)));
            last = code(wide.one(CLIENT, insert(G, b(url))));
            stored += last == Code.SUCCESS ? 1 : 0;
        }
        assertThat(last).isEqualTo(Code.FAILED);
        assertThat(wide.count(GnrsCount.WRITES_RECORD_BYTES_MAX)).isEqualTo(1);
        assertThat(wide.store.get(Name.of(G)).orElseThrow().bindings()).hasSize(stored);
    }

    @Test
    void whatIsPlacedElsewhereIsRefused() {
        put(G, b(A));
        stand.placer = (segment, offset) -> false;
        assertThat(get(G).locators()).containsExactly(A);
        assertThat(get(Guid.ofAscii("bob")).code()).isEqualTo(Code.FAILED);
        assertThat(code(stand.one(CLIENT, insert(G, b(B))))).isEqualTo(Code.FAILED);
        assertThat(code(stand.one(CLIENT, update(G)))).isEqualTo(Code.FAILED);
        assertThat(stand.count(GnrsCount.LOOKUPS_ELSEWHERE)).isEqualTo(1);
        assertThat(stand.count(GnrsCount.WRITES_ELSEWHERE)).isEqualTo(2);
    }

    @Test
    void valuesOfOtherDoorsAreKept() {
        Value value = new Value(1, "EMAIL", new byte[] {1}, 0, 0, 0, 0, List.of());
        stand.store.put(new Record(Name.of(G), 0, List.of(b(A)), List.of(value)), 0);
        assertThat(get(G).bindings()).containsExactly(b(A));
        put(G, b(B), new Binding(A, 7, 0));
        assertThat(get(G).bindings()).containsExactly(new Binding(A, 7, 0), b(B));
        stand.one(CLIENT, update(G));
        assertThat(get(G).bindings()).isEmpty();
        assertThat(stand.store.get(Name.of(G)).orElseThrow().values()).containsExactly(value);
    }

    @Test
    void aFullQueueAFullWorkerAndAFullDiskSayFailed() {
        stand.store.queueMax = 0;
        assertThat(code(stand.one(CLIENT, insert(G, b(A))))).isEqualTo(Code.FAILED);
        assertThat(stand.count(GnrsCount.WRITES_QUEUE_FULL)).isEqualTo(1);
        stand.store.queueMax = Integer.MAX_VALUE;
        int most = GnrsDoorStand.open().writesInFlightMax();
        int taken = 0;
        for (int i = 0; i < 2 * most && taken < most; i++) {
            // Of many networks and for many names: one alone is not given all there is.
            Peer client = Peer.of("2001:db8:" + Integer.toHexString(i & 0xffff) + "::1", 4001);
            taken += stand.take(client, insert(Guid.ofAscii("n" + i), b(A)).write()).isEmpty() ? 1 : 0;
        }
        assertThat(stand.take(CLIENT, insert(G, b(A)).write())).hasSize(1);
        assertThat(stand.count(GnrsCount.WRITES_IN_FLIGHT_MAX)).isEqualTo(1);
        assertThat(stand.settle()).hasSize(most);
        put(G, b(A));
        stand.store.diskFull = true;
        assertThat(code(stand.one(CLIENT, insert(G, b(B))))).isEqualTo(Code.FAILED);
        assertThat(stand.count(GnrsCount.WRITES_STORE_FAILED)).isEqualTo(1);
        assertThat(get(G).bindings()).containsExactly(b(A));
        stand.store.diskFull = false;
        put(G, b(B));
    }

    @Test
    void whatTheIndexDoesNotKnowIsAskedOfTheEngine() {
        put(G, b(A), b(Locator.of(Guid.ofAscii("far"))));
        put(Guid.ofAscii("far"), b(B));
        stand.store.cold = true;
        assertThat(stand.take(LOOPBACK, lookup(G, GnrsOption.recursion(true)).write())).isEmpty();
        assertThat(stand.engine).hasSize(1);
        List<Answer> answers = stand.settle();
        assertThat(answers).hasSize(1);
        assertThat(((GnrsMessage.LookupResponse) answers.getFirst().message()).locators())
                .containsExactly(A, B);
        assertThat(answers.getFirst().to()).isEqualTo(LOOPBACK);
        assertThat(stand.count(GnrsCount.LOOKUP_WAITS_ENGINE)).isEqualTo(1);
        assertThat(stand.count(GnrsCount.ALIAS_CHAINS)).isEqualTo(1);
        assertThat(get(Guid.ofAscii("nobody")).code()).isEqualTo(Code.SUCCESS);
        stand.placer = (segment, offset) -> false;
        assertThat(get(Guid.ofAscii("nobody")).code()).isEqualTo(Code.FAILED);
    }

    @Test
    void aChainThatLeavesTheIndexIsAskedOfTheEngine() {
        put(G, b(A), b(Locator.of(Guid.ofAscii("far"))));
        stand.store.complete = false;
        assertThat(stand.take(LOOPBACK, lookup(G).write())).hasSize(1);
        assertThat(stand.take(LOOPBACK, lookup(G, GnrsOption.recursion(true)).write())).isEmpty();
        assertThat(stand.settle()).hasSize(1);
    }

    @Test
    void theEngineIsNotAskedWithoutBound() {
        stand.store.cold = true;
        int most = GnrsDoorStand.open().lookupsDeferredMax();
        for (int i = 0; i < most; i++) {
            assertThat(stand.take(CLIENT, lookup(G).write())).isEmpty();
        }
        List<Answer> refused = stand.take(CLIENT, lookup(G).write());
        assertThat(code(refused.getFirst().message())).isEqualTo(Code.FAILED);
        assertThat(refused.getFirst().bytes().length).isLessThanOrEqualTo(36);
        assertThat(stand.count(GnrsCount.LOOKUPS_ENGINE_MAX)).isEqualTo(1);
        assertThat(stand.settle()).hasSize(most);
        stand.store.diskFull = true;
        assertThat(get(G).code()).isEqualTo(Code.FAILED);
        assertThat(stand.count(GnrsCount.LOOKUPS_ENGINE_FAILED)).isEqualTo(1);
        stand.engineClosed = true;
        assertThat(get(G).code()).isEqualTo(Code.FAILED);
    }

    @Test
    void anAnswerGoesToTheSourceOrToAnotherPortOfIt() {
        Peer source = Peer.of("192.0.2.9", 777);
        assertThat(returnAddress(source, ANY)).isEqualTo(source);
        assertThat(returnAddress(source, place("192.0.2.9", 4001))).isEqualTo(Peer.of("192.0.2.9", 4001));
        assertThat(returnAddress(source, place("192.0.2.9", 0))).isEqualTo(source);
        assertThat(returnAddress(source, place("0.0.0.0", 4001))).isEqualTo(source);
        assertThat(returnAddress(source, Locator.of(G))).isEqualTo(source);
        assertThat(returnAddress(source, new Locator(2, new byte[20]))).isEqualTo(source);
        assertThat(returnAddress(source, new Locator(0, new byte[] {9, 9}))).isEqualTo(source);
        assertThat(stand.ask(source, ask(place("192.0.2.10", 4001)))).isEmpty();
        assertThat(stand.ask(source, ask(SIX))).isEmpty();
        Peer six = Peer.of("2001:db8::7", 99);
        assertThat(returnAddress(six, SIX)).isEqualTo(Peer.of("2001:db8::7", 80));
        assertThat(returnAddress(six, place("::", 80))).isEqualTo(six);
        assertThat(stand.ask(six, ask(place("192.0.2.10", 4001)))).isEmpty();
        assertThat(stand.count(GnrsCount.DROPS_FOREIGN_ORIGIN)).isEqualTo(3);
    }

    private static byte[] ask(Locator origin) {
        return new GnrsMessage.Lookup(1, origin, G, List.of()).write();
    }

    private Peer returnAddress(Peer source, Locator origin) {
        return stand.one(source, ask(origin)).to();
    }

    @Test
    void anAnswerSaysWhoAnswers() {
        assertThat(get(G).origin()).isEqualTo(place("127.0.0.1", 5001));
        stand.local = Peer.of("2001:db8::1", 5001);
        Locator long6 = place("2001:db8::7", 99);
        GnrsMessage answer = stand.one(Peer.of("2001:db8::7", 99), new GnrsMessage.Lookup(1, long6, G, List.of()));
        assertThat(answer.origin()).isEqualTo(place("2001:db8::1", 5001));
        // A shorter question has no room for a longer error: the origin is left out.
        stand.placer = (segment, offset) -> false;
        assertThat(stand.one(CLIENT, lookup(G)).origin()).isEqualTo(ANY);
        stand.local = new Peer(0, 0, 0);
        assertThat(get(G).origin()).isEqualTo(place("127.0.0.1", 5001));
        GnrsSettings d = GnrsDoorStand.open();
        GnrsDoorStand advertised = new GnrsDoorStand(new GnrsSettings(
                1, 64, 1, List.of(), List.of(), 0, 0, 0, 0, 1, 0, Optional.of(new InetSocketAddress("198.51.100.1", 53))));
        assertThat(d.trusted()).hasSize(2);
        assertThat(advertised.one(CLIENT, lookup(G)).origin()).isEqualTo(place("198.51.100.1", 53));
    }

    @Test
    void severalMessagesOfOneDatagramAreAnsweredOneByOne() throws Malformed {
        put(G, b(A));
        byte[] three = concat(lookup(G).write(), insert(G, b(B)).write(), ask(place("192.0.2.1", 5)));
        List<Answer> answers = stand.ask(CLIENT, three);
        assertThat(answers).hasSize(3);
        assertThat(answers.get(0).message()).isInstanceOf(GnrsMessage.LookupResponse.class);
        assertThat(answers.get(1).to()).isEqualTo(Peer.of("192.0.2.1", 5));
        assertThat(answers.get(2).message()).isInstanceOf(GnrsMessage.InsertResponse.class);
        assertThat(answers.get(2).to()).isEqualTo(CLIENT);
        assertThat(answers.get(2).message().origin()).isEqualTo(place("127.0.0.1", 5001));
        assertThat(stand.count(GnrsCount.CONCATENATED_MESSAGES)).isEqualTo(2);

        byte[][] sixteen = new byte[16][];
        Arrays.fill(sixteen, lookup(G).write());
        assertThat(stand.ask(CLIENT, concat(sixteen))).hasSize(16);
        byte[][] seventeen = new byte[17][];
        Arrays.fill(seventeen, lookup(G).write());
        assertThat(stand.ask(CLIENT, concat(seventeen))).isEmpty();
        assertThat(stand.count(GnrsParseResult.MESSAGES_MANY)).isEqualTo(1);
    }

    @Test
    void messagesBehindOthersWaitWithinBounds() {
        byte[][] sixteen = new byte[16][];
        Arrays.fill(sixteen, lookup(G).write());
        List<byte[]> trains = Collections.nCopies(100, concat(sixteen));
        assertThat(stand.burst(CLIENT, trains)).hasSize(100 + GnrsLimits.BACKLOG_MESSAGES_MAX);
        assertThat(stand.count(GnrsCount.DROPS_BACKLOG_MAX)).isEqualTo(1500 - GnrsLimits.BACKLOG_MESSAGES_MAX);
        byte[] padded = new GnrsMessage.Lookup(1, ANY, G, GnrsOption.padding(30_000)).write();
        stand.burst(CLIENT, Collections.nCopies(64, concat(padded, padded)));
        assertThat(stand.count(GnrsCount.DROPS_BACKLOG_MAX))
                .isEqualTo(1500 - GnrsLimits.BACKLOG_MESSAGES_MAX + 64 - GnrsLimits.BACKLOG_BYTES_MAX / padded.length);
        assertThat(stand.burst(CLIENT, trains)).hasSize(100 + GnrsLimits.BACKLOG_MESSAGES_MAX);
    }

    public static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    @Test
    void responsesAreNeverAnswered() {
        for (String each : List.of(GnrsVectors.V5, GnrsVectors.V6, GnrsVectors.V7, GnrsVectors.V8, GnrsVectors.V9, GnrsVectors.R5)) {
            assertThat(stand.ask(CLIENT, GnrsVectors.bytes(each))).isEmpty();
        }
        assertThat(stand.count(GnrsCount.DROPS_RESPONSE)).isEqualTo(6);
    }

    @Test
    void aRoomTooSmallForAnyAnswerIsCounted() {
        stand.roomLength = 63;
        assertThat(stand.ask(CLIENT, lookup(G).write())).isEmpty();
        assertThat(stand.count(GnrsCount.DROPS_NO_ROOM)).isEqualTo(1);
    }
}
