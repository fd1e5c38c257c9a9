package io.guidepost.gnrs.relay;

import static io.guidepost.gnrs.relay.WriteStand.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever is sent to a server that waits for another one changes nothing, unless it is that one's answer. */
class SpoofedResponseTest {
    private LookupStand stand = new LookupStand(5, ReplicationSettings.defaults());
    private Guid guid = new Guid(0, 0, 0);

    private WriteStand servers() {
        return stand.servers;
    }

    private WriteStand.Node node(int number) {
        return stand.servers.node(number);
    }

    /** Lets node 3 wait for the one server of a name, and returns the question that it has sent. */
    private WriteStand.Datagram waiting() {
        guid = servers().guidAt(0, 0);
        stand.write(node(4), guid, true, to(1));
        servers().ticks = each -> each.type() == (PeerWire.FETCH | PeerWire.RESPONSE_BIT) ? 100 : 1;
        stand.send(node(3), guid, true);
        servers().run(3);
        return servers().sent.stream()
                .filter(each -> each.type() == PeerWire.FETCH)
                .reduce((_, last) -> last)
                .orElseThrow();
    }

    private static byte[] image(Guid of, long stamp, Binding... bindings) {
        byte[] bare = RecordImage.write(Name.of(of).key(), 0, List.of(bindings), List.of());
        return RecordMerge.change(bare, stamp, false);
    }

    /** An answer to a question, as whoever has read it could make one. */
    private static byte[] answer(byte[] question, int flags, byte[] image) {
        byte[] answer = new byte[20 + image.length];
        MemorySegment out = MemorySegment.ofArray(answer);
        int id = MemorySegment.ofArray(question).get(PeerWire.INT, PeerWire.ID);
        PeerWire.header(out, 0, PeerWire.FETCH | PeerWire.RESPONSE_BIT, answer.length, id);
        out.set(PeerWire.SHORT, 16, (short) flags);
        System.arraycopy(image, 0, answer, 20, image.length);
        return answer;
    }

    private void forge(InetSocketAddress from, byte[] bytes) {
        servers().ticks = _ -> 1;
        servers().send(new WriteStand.Datagram(from, node(3).address, bytes));
        servers().run(2);
    }

    private void assertNotTaken(PeerCount count) {
        assertThat(node(3).count(count)).isEqualTo(1);
        servers().run(200);
        assertThat(stand.told(node(3), guid)).as("the true answer").isEqualTo("4001");
    }

    private byte[] forged(WriteStand.Datagram question) {
        byte[] image = image(guid, HybridClock.of(node(0).nowMillis() + 1000), to(66));
        servers().ticks = _ -> 1;
        return answer(question.bytes(), PeerWire.FOUND | PeerWire.PLACED_HERE, image);
    }

    @Test
    void aTrueOneWouldBeTaken() {
        WriteStand.Datagram question = waiting();
        forge(node(0).address, forged(question));
        assertThat(stand.told(node(3), guid)).as("the test can fail").isEqualTo("4066");
    }

    @Test
    void answersFromElsewhereAreDropped() {
        WriteStand.Datagram question = waiting();
        forge(node(1).address, forged(question));
        assertNotTaken(PeerCount.DROPS_WRONG_SOURCE);
    }

    @Test
    void answersFromAnotherPortAreDropped() {
        WriteStand.Datagram question = waiting();
        forge(new InetSocketAddress(node(0).address.getAddress(), 5002), forged(question));
        assertNotTaken(PeerCount.DROPS_WRONG_SOURCE);
    }

    @Test
    void answersUnderAnotherIdAreDropped() {
        WriteStand.Datagram question = waiting();
        byte[] forged = forged(question);
        forged[7]++;
        forge(node(0).address, forged);
        assertNotTaken(PeerCount.DROPS_UNSOLICITED_RESPONSE);
    }

    @Test
    void anAnswerOfAnotherNameIsNone() {
        WriteStand.Datagram question = waiting();
        byte[] image = image(new Guid(1, 2, 3), 77, to(66));
        forge(node(0).address, answer(question.bytes(), PeerWire.FOUND | PeerWire.PLACED_HERE, image));
        assertNotTaken(PeerCount.DROPS_MALFORMED_RESPONSE);
    }

    @Test
    void anAnswerFromTheFutureIsNone() {
        WriteStand.Datagram question = waiting();
        byte[] image = image(guid, HybridClock.of(node(0).nowMillis() + 48L * 3_600_000), to(66));
        forge(node(0).address, answer(question.bytes(), PeerWire.FOUND | PeerWire.PLACED_HERE, image));
        assertNotTaken(PeerCount.DROPS_MALFORMED_RESPONSE);
        assertThat(HybridClock.millis(node(3).deployment.clock().last())).isLessThan(node(0).nowMillis() + 10_000);
    }

    @Test
    void anAnswerThatIsCutIsNone() {
        WriteStand.Datagram question = waiting();
        byte[] forged = forged(question);
        forged = Arrays.copyOf(forged, forged.length - 5);
        MemorySegment.ofArray(forged).set(PeerWire.SHORT, PeerWire.LENGTH, (short) forged.length);
        forge(node(0).address, forged);
        assertNotTaken(PeerCount.DROPS_MALFORMED_RESPONSE);
    }

    @Test
    void anAnswerLongerThanRecordsAreIsNone() {
        WriteStand.Datagram question = waiting();
        forge(node(0).address, answer(question.bytes(), PeerWire.FOUND | PeerWire.PLACED_HERE, new byte[62_000]));
        assertNotTaken(PeerCount.DROPS_MALFORMED_RESPONSE);
    }

    @Test
    void anAnswerOfAnotherKindIsNone() {
        WriteStand.Datagram question = waiting();
        byte[] forged = forged(question);
        forged[PeerWire.TYPE] = (byte) 0xe1;
        forge(node(0).address, forged);
        assertNotTaken(PeerCount.DROPS_MALFORMED_RESPONSE);
    }

    @Test
    void withoutTheKeyNobodyIsHeard() {
        stand = new LookupStand(5, ChangedSettings.of("key", new byte[] {1, 2, 3}));
        WriteStand.Datagram question = waiting();
        forge(node(0).address, forged(question));
        assertNotTaken(PeerCount.DROPS_SEAL);
        byte[] forget = new byte[PeerWire.FORGET_BYTES];
        PeerWire.header(MemorySegment.ofArray(forget), 0, PeerWire.FORGET, forget.length, 0);
        forge(node(0).address, forget);
        assertThat(node(3).count(PeerCount.DROPS_SEAL)).isEqualTo(2);
    }

    @Test
    void strangersAreNotAnswered() {
        stand.write(node(4), servers().guidAt(0, 0), true, to(1));
        byte[] fetch = new byte[FetchRequest.QUESTION_BYTES];
        PeerWire.header(MemorySegment.ofArray(fetch), 0, PeerWire.FETCH, fetch.length, 9);
        InetSocketAddress stranger = WriteStand.client(7);
        forge(stranger, fetch);
        assertThat(servers().sentTo(stranger)).isEmpty();
        assertThat(node(3).count(PeerCount.DROPS_UNKNOWN_PEER)).isEqualTo(1);
    }

    private void noise(int rounds, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        waiting();
        servers().ticks = _ -> 1;
        byte[][] seeds = servers().sent.stream().map(WriteStand.Datagram::bytes).toArray(byte[][]::new);
        for (int i = 0; i < rounds; i++) {
            byte[] bytes = seeds[random.nextInt(seeds.length)].clone();
            int changes = random.nextInt(6);
            for (int c = 0; c < changes; c++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            if (random.nextInt(3) == 0) {
                bytes = Arrays.copyOf(bytes, 16 + random.nextInt(2 * bytes.length));
            }
            bytes[0] = 0;
            bytes[PeerWire.TYPE] = (byte) (random.nextInt(4) == 0
                    ? random.nextInt()
                    : (random.nextBoolean() ? 0x60 : 0xe0) + random.nextInt(7));
            MemorySegment.ofArray(bytes).set(PeerWire.SHORT, PeerWire.LENGTH, (short) bytes.length);
            if (random.nextInt(3) == 0 && !servers().sent.isEmpty()) {
                byte[] last = servers().sent.getLast().bytes();
                System.arraycopy(last, 4, bytes, 4, 4);
            }
            InetSocketAddress from = node(random.nextInt(3)).address;
            servers().send(new WriteStand.Datagram(from, node(3).address, bytes));
            if (random.nextInt(50) == 0) {
                stand.send(node(3), new Guid(random.nextInt(50), 7, 1), true);
            }
            servers().run(1);
            if (servers().sent.size() > 10_000) {
                servers().sent.clear();
            }
        }
        servers().run(5000);
        assertThat(node(3).relay.restNanos()).as("nothing is left to wait for, seed " + seed).isEqualTo(Long.MAX_VALUE);
        stand.write(node(4), new Guid(77, 7, 1), true, to(1));
        assertThat(stand.told(node(3), new Guid(77, 7, 1))).contains("4001");
    }

    @Test
    void noiseEndsNothing() {
        noise(3000, 11);
    }

    @Test
    @Tag("long")
    void muchNoiseEndsNothing() {
        for (int seed = 0; seed < 200; seed++) {
            stand = new LookupStand(5, ReplicationSettings.defaults());
            noise(20_000, seed);
        }
    }
}
