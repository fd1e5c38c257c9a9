package io.guidepost.gnrs.wire;

import static io.guidepost.gnrs.GnrsDoorStand.CLIENT;
import static io.guidepost.gnrs.GnrsDoorStand.LOOPBACK;
import static io.guidepost.gnrs.GnrsDoorTest.concat;
import static io.guidepost.gnrs.GnrsDoorTest.insert;
import static io.guidepost.gnrs.GnrsDoorTest.lookup;
import static io.guidepost.gnrs.GnrsDoorTest.place;
import static io.guidepost.gnrs.GnrsDoorTest.update;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.GnrsDoorStand;
import io.guidepost.gnrs.GnrsDoorStand.Answer;
import io.guidepost.gnrs.GnrsDoorStand.Peer;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.GnrsVectors;
import io.guidepost.gnrs.wire.GnrsMessage.Code;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The eight ways in which the servers of old could be stopped, slowed, grown or fooled, by a single packet or by the
 * protocol itself; each is tried on this door, which then still answers an honest question.
 */
class WeaknessesTest {
    private static final Guid G = Guid.ofAscii("honest");
    private static final Binding HOME = Binding.of(place("10.0.0.1", 1));

    private final GnrsDoorStand stand = new GnrsDoorStand();

    private void answersHonestQuestions() {
        GnrsMessage.Insert honest = insert(G, HOME);
        assertThat(code(stand.one(CLIENT, honest))).isEqualTo(Code.SUCCESS);
        assertThat(((GnrsMessage.LookupResponse) stand.one(LOOPBACK, lookup(G))).bindings())
                .contains(HOME);
    }

    private static Code code(GnrsMessage message) {
        return ((GnrsMessage.Response) message).code();
    }

    private static Binding[] many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Binding.of(place("10.9." + (i >> 8) + "." + (i & 255), 1)))
                .toArray(Binding[]::new);
    }

    /** 1. One datagram stopped the server: a length field too large, 1 to 3 bytes, trailing junk, or over 2048 bytes. */
    @Test
    void oneDatagramDoesNotStopTheServer() {
        for (int length = 0; length < 16; length++) {
            assertThat(stand.ask(CLIENT, new byte[length])).isEmpty();
        }
        assertThat(stand.count(GnrsParseResult.HEADER_CUT)).isEqualTo(16);
        for (int more : new int[] {1, 4, 5, 1000, 0xffff - 42}) {
            byte[] lies = GnrsVectors.bytes(GnrsVectors.V1);
            lies[2] = (byte) (42 + more >> 8);
            lies[3] = (byte) (42 + more);
            assertThat(stand.ask(CLIENT, lies)).isEmpty();
        }
        assertThat(stand.count(GnrsParseResult.LENGTH_BEYOND)).isEqualTo(5);
        byte[] junk = concat(lookup(G).write(), new byte[] {0, 1, 2});
        assertThat(stand.ask(CLIENT, junk)).isEmpty();
        byte[] asMessage = concat(lookup(G).write(), Arrays.copyOf(new byte[] {0, 1, (byte) 0xff, (byte) 0xff}, 20));
        assertThat(stand.ask(CLIENT, asMessage)).isEmpty();
        assertThat(stand.count(GnrsParseResult.LENGTH_TRAILING)).isEqualTo(2);

        GnrsSettings d = GnrsDoorStand.open();
        GnrsDoorStand wide = new GnrsDoorStand(
                new GnrsSettings(1000, d.answerBytesMax(), 3, d.trusted(), d.writers(), 0, 0, 0, 0, 16, 16, Optional.empty()));
        byte[] honest = insert(G, many(250)).write();
        assertThat(honest.length).isGreaterThan(2048);
        assertThat(code(wide.one(CLIENT, honest).message())).isEqualTo(Code.SUCCESS);
        answersHonestQuestions();
    }

    /** 2. A datagram of 50 bytes forced an allocation of 128 MiB: its count of bindings was believed. */
    @Test
    void aCountOfBindingsIsNotBelieved() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        answersHonestQuestions();
        for (int count : new int[] {0x02000000, 0x7ffffff0, -1, Integer.MIN_VALUE, 3}) {
            byte[] datagram = GnrsVectors.bytes(GnrsVectors.V3);
            for (int i = 0; i < 4; i++) {
                datagram[42 + i] = (byte) (count >> 8 * (3 - i));
            }
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
            assertThat(stand.ask(CLIENT, datagram)).isEmpty();
            long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().threadId()) - before;
            assertThat(allocated).isLessThan(64 << 10);
        }
        assertThat(stand.count(GnrsParseResult.BINDING_COUNT)).isEqualTo(5);
        // The next question of the same address is not taken for a part of the last.
        answersHonestQuestions();
    }

    /** 3. The answer went to the address inside the message, up to nine times as long as the question. */
    @Test
    void anAnswerIsNeverReflectedNorMuchLongerThanItsQuestion() {
        stand.one(CLIENT, insert(G, many(40)));
        GnrsMessage.Lookup reflected = new GnrsMessage.Lookup(1, place("198.51.100.66", 53), G, List.of());
        assertThat(stand.ask(CLIENT, reflected.write())).isEmpty();
        assertThat(stand.count(GnrsCount.DROPS_FOREIGN_ORIGIN)).isEqualTo(1);
        byte[] question = GnrsVectors.bytes(GnrsVectors.V2);
        System.arraycopy(G.toBytes(), 0, question, 22, Guid.BYTES);
        Peer spoofed = Peer.of("192.0.2.77", 4001);
        System.arraycopy(new byte[] {(byte) 192, 0, 2, 77}, 0, question, 16, 4);
        Answer answer = stand.one(spoofed, question);
        assertThat(answer.to()).isEqualTo(spoofed);
        assertThat(answer.bytes().length).isLessThanOrEqualTo(3 * question.length);
        answersHonestQuestions();
    }

    /**
     * 4. Times were not enforced, nothing could be deleted, and 16 bogus bindings made a name unanswerable. Who may
     * write is not asked here either: that takes signed updates.
     */
    @Test
    void bogusBindingsDoNotHideAName() {
        answersHonestQuestions();
        for (int i = 0; i < 300; i++) {
            stand.one(CLIENT, insert(G, new Binding(place("10.66.1." + (i & 255), i), 0, stand.now + 1000)));
        }
        assertThat(stand.count(GnrsCount.WRITES_BINDINGS_MAX)).isEqualTo(300 - 99);
        assertThat(((GnrsMessage.LookupResponse) stand.one(LOOPBACK, lookup(G))).locators())
                .hasSize(100)
                .contains(HOME.locator());
        stand.now += 1000;
        assertThat(((GnrsMessage.LookupResponse) stand.one(LOOPBACK, lookup(G))).bindings())
                .containsExactly(HOME);
        stand.one(CLIENT, update(G));
        assertThat(((GnrsMessage.LookupResponse) stand.one(LOOPBACK, lookup(G))).bindings())
                .isEmpty();
        answersHonestQuestions();
    }

    /** 5. Answers nobody had asked for were believed, if their id was guessed. */
    @Test
    void answersNobodyAskedForAreNotBelieved() {
        answersHonestQuestions();
        List<Locator> poison = List.of(place("198.51.100.66", 53));
        for (int id = 0; id < 1000; id++) {
            GnrsMessage forged = new GnrsMessage.LookupResponse(id, place("127.0.0.1", 5001), Code.SUCCESS, poison, List.of());
            assertThat(stand.ask(LOOPBACK, forged.write())).isEmpty();
        }
        assertThat(stand.count(GnrsCount.DROPS_RESPONSE)).isEqualTo(1000);
        assertThat(((GnrsMessage.LookupResponse) stand.one(LOOPBACK, lookup(G))).bindings())
                .containsExactly(HOME);
    }

    /** 6. A recursive request was multiplied by the server, without a bound on hops. */
    @Test
    void aRecursiveRequestIsNotMultiplied() {
        Binding[] links = IntStream.range(0, 100)
                .mapToObj(i -> Binding.of(Locator.of(Guid.ofAscii("fan" + i))))
                .toArray(Binding[]::new);
        for (int i = 0; i < 100; i++) {
            stand.one(CLIENT, update(Guid.ofAscii("fan" + i), links));
        }
        byte[] question = lookup(Guid.ofAscii("fan0"), GnrsOption.recursion(true)).write();
        assertThat(stand.ask(LOOPBACK, question)).hasSize(1);
        assertThat(stand.count(GnrsCount.ALIAS_CHAINS_CUT_LOOP) + stand.count(GnrsCount.ALIAS_CHAINS_CUT_BINDINGS_MAX))
                .isPositive();
        GnrsMessage.Insert recursive = GnrsMessage.Insert.of(1, GnrsMessage.noOrigin(), G, List.of(HOME), GnrsOption.recursion(true));
        assertThat(stand.ask(CLIENT, recursive.write())).hasSize(1);
        answersHonestQuestions();
    }

    /** 7. Queue, pending relays, store, statistics, bindings and sessions grew without bound. */
    @Test
    void nothingGrowsWithoutBound() {
        List<Answer> refused = new ArrayList<>();
        byte[] write = insert(G, HOME).write();
        byte[][] sixteen = new byte[16][];
        Arrays.fill(sixteen, write);
        byte[] train = concat(sixteen);
        for (int i = 0; i < 1000; i++) {
            refused.addAll(stand.take(Peer.of("192.0.2." + (i & 255), 1 + i), train));
            // So many refusals leave in a millisecond; RefusedWritesTest has more of them.
            stand.now++;
        }
        // They are of one network and for one name: half of the room is kept for others.
        int most = GnrsDoorStand.open().writesInFlightMax() / 2;
        assertThat(refused).hasSize(16_000 - most);
        assertThat(stand.count(GnrsCount.WRITES_NAME_QUOTA)).isEqualTo(16_000 - most);
        assertThat(stand.settle()).hasSize(most);
        stand.store.cold = true;
        for (int i = 0; i < 1000; i++) {
            stand.take(CLIENT, lookup(G).write());
        }
        assertThat(stand.engine).hasSize(GnrsDoorStand.open().lookupsDeferredMax());
        stand.settle();
        stand.store.cold = false;
        answersHonestQuestions();
    }

    /** 8. Placement is public: names chosen to land on one victim. What it does not keep costs it no memory. */
    @Test
    void namesThatBelongElsewhereCostNothing() {
        answersHonestQuestions();
        stand.placer = (segment, offset) -> segment.get(GnrsWire.BYTE, offset) == 'h';
        for (int i = 0; i < 10_000; i++) {
            assertThat(code(stand.one(CLIENT, insert(Guid.ofAscii("rainbow" + i), HOME))))
                    .isEqualTo(Code.FAILED);
        }
        assertThat(stand.store.status().records()).isEqualTo(1);
        assertThat(stand.count(GnrsCount.WRITES_ELSEWHERE)).isEqualTo(10_000);
        answersHonestQuestions();
    }
}
