package io.guidepost.gnrs.relay;

import static io.guidepost.gnrs.relay.WriteStand.place;
import static io.guidepost.gnrs.relay.WriteStand.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.GnrsDoorStand;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.relay.WriteStand.Datagram;
import io.guidepost.gnrs.relay.WriteStand.Node;
import io.guidepost.gnrs.relay.WriteStand.Told;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Writes together with servers of the first protocol version. R3 is a relayed INSERT as it was seen between two of the
 * Java servers of 2014, V5 what they answer; the server at 127.0.0.1:5001 is the one that relays.
 */
class V1PeersWriteTest {
    private static final byte[] R3 = bytes("00000042f9372ac000380016000000067f0000011389000102030405060708090a0b0c0d0e0f10111213"
            + "00000001000000060a010203115c82080000000000007530");
    private static final byte[] R4 =
            bytes("0001002af9372ac400000016000000067f00000113890000000100000001000000010000000100000001");
    private static final byte[] V5 = bytes("0080001a0000000400000016000000067f000001138900000000");

    /** What R3 binds: G, 00 01 ... 13, to 10.1.2.3:4444. */
    private static final Guid G = Guid.of(bytes("000102030405060708090a0b0c0d0e0f10111213"));
    private static final Binding R3_BINDING = new Binding(
            Locator.of(new InetSocketAddress(InetAddress.ofLiteral("10.1.2.3"), 4444)), 30_000, 0);

    /** A server of 2014: takes INSERT and UPDATE, and answers SUCCESS. */
    private static final class Old {
        private final List<byte[]> taken = new ArrayList<>();
        private boolean refuses;
        private boolean silent;

        byte @Nullable [] take(byte[] datagram) {
            taken.add(datagram);
            if (silent || datagram[PeerWire.TYPE] != 0 && datagram[PeerWire.TYPE] != 2) {
                return null;
            }
            byte[] answer = V5.clone();
            answer[PeerWire.TYPE] |= datagram[PeerWire.TYPE];
            System.arraycopy(datagram, PeerWire.ID, answer, PeerWire.ID, 4);
            answer[23] = (byte) (refuses ? 1 : 0);
            return answer;
        }

        GnrsMessage last() throws Malformed {
            return GnrsMessage.read(taken.getLast());
        }
    }

    private final WriteStand stand = new WriteStand(2, ReplicationSettings.defaults(), GnrsDoorStand.open(), 1);
    private final Node node = stand.node(0);
    private final InetSocketAddress address = stand.servers.get(1);
    private final Old old = new Old();

    V1PeersWriteTest() {
        stand.others.put(address, old::take);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    /** A message with another id. */
    private static byte[] withId(byte[] message, byte[] idOf) {
        byte[] changed = message.clone();
        System.arraycopy(idOf, PeerWire.ID, changed, PeerWire.ID, 4);
        return changed;
    }

    @Test
    void aRelayedInsertIsThatOfTheOldServersByteForByte() {
        Told told = stand.write(node, G, true, R3_BINDING);
        stand.run(5);
        assertThat(told.done()).isTrue();
        assertThat(told.held).isEqualTo(2);
        assertThat(old.taken).hasSize(1);
        assertThat(old.taken.getFirst()).isEqualTo(withId(R3, old.taken.getFirst()));
    }

    @Test
    void anInsertOfAnOldClientIsRelayedAndAnswered() {
        InetSocketAddress client = WriteStand.client(1);
        GnrsMessage insert = GnrsMessage.Insert.of(
                77, GnrsMessage.noOrigin(), G, List.of(R3_BINDING), GnrsOption.recursion(true));
        stand.send(new Datagram(client, node.address, insert.write()));
        stand.run(6);
        assertThat(old.taken).hasSize(1);
        assertThat(old.taken.getFirst()).isEqualTo(withId(R3, old.taken.getFirst()));
        assertThat(stand.sentTo(client)).hasSize(1);
        assertThat(stand.sentTo(client).getFirst()[PeerWire.TYPE]).isEqualTo((byte) 0x80);
        assertThat(stand.sentTo(client).getFirst()[23]).as("SUCCESS").isZero();
    }

    @Test
    void idsOfRelayedMessagesAreNotCounted() {
        for (int i = 0; i < 8; i++) {
            stand.write(node, new Guid(i, 0, 0), true, to(1));
        }
        stand.run(5);
        List<Integer> ids = old.taken.stream()
                .map(each -> java.nio.ByteBuffer.wrap(each).getInt(PeerWire.ID))
                .toList();
        assertThat(ids).doesNotHaveDuplicates();
        for (int i = 1; i < ids.size(); i++) {
            assertThat(Math.abs((long) ids.get(i) - ids.get(i - 1))).isGreaterThan(1);
        }
    }

    @Test
    void theirCodesAreHeeded() {
        old.refuses = true;
        Told told = stand.write(node, G, true, R3_BINDING);
        stand.run(5);
        assertThat(told.result).isEqualTo(GnrsCount.WRITES_QUORUM_FAILED);
        assertThat(told.held).isEqualTo(1);
        assertThat(told.needed).isEqualTo(2);
    }

    @Test
    void aSilentOneIsAskedAgainUnderAnotherId() {
        old.silent = true;
        Told told = stand.write(node, G, true, R3_BINDING);
        stand.run(1500);
        assertThat(told.result).isEqualTo(GnrsCount.WRITES_QUORUM_FAILED);
        assertThat(old.taken).hasSize(2);
        assertThat(old.taken.get(0)).isNotEqualTo(old.taken.get(1));
        assertThat(old.taken.get(1)).isEqualTo(withId(old.taken.get(0), old.taken.get(1)));
        assertThat(node.deployment.hints().bytes()).as("they are not caught up with").isZero();
    }

    @Test
    void anAnswerFromElsewhereIsNone() {
        old.silent = true;
        Told told = stand.write(node, G, true, R3_BINDING);
        stand.run(3);
        byte[] forged = withId(V5, old.taken.getFirst());
        stand.send(new Datagram(WriteStand.client(9), node.address, forged));
        stand.run(3);
        assertThat(told.times).isZero();
        assertThat(node.count(PeerCount.DROPS_WRONG_SOURCE)).isEqualTo(1);
        stand.send(new Datagram(address, node.address, forged));
        stand.run(3);
        assertThat(told.done()).isTrue();
    }

    @Test
    void updatesGoAsUpdates() throws Malformed {
        Told told = stand.write(node, G, false, to(1));
        stand.run(5);
        assertThat(told.done()).isTrue();
        assertThat(old.last()).isInstanceOfSatisfying(GnrsMessage.Update.class, update -> {
            assertThat(update.recursive()).isFalse();
            assertThat(update.locators()).containsExactly(place(1));
        });
    }

    @Test
    void placesThatTheyDoNotKnowAreLeftOut() throws Malformed {
        Binding url = Binding.of(Locator.of(URI.create("http://h/")));
        stand.write(node, G, true, url, to(1));
        stand.run(5);
        assertThat(((GnrsMessage.Insert) old.last()).locators()).containsExactly(place(1));
        Told told = stand.write(node, G, true, url);
        stand.run(5);
        assertThat(old.taken).as("nothing is left to say").hasSize(1);
        assertThat(told.held).isEqualTo(1);
        stand.write(node, G, false, url);
        stand.run(5);
        assertThat(old.taken).as("it would delete").hasSize(1);
        stand.write(node, G, false);
        stand.run(5);
        assertThat(((GnrsMessage.Update) old.last()).locators()).as("a delete").isEmpty();
    }

    @Test
    void aMessageThatJustFitsIsSentWhole() throws Malformed {
        Binding[] fifteen = IntStream.range(0, 15).mapToObj(i -> new Binding(place(i), 1000, 0)).toArray(Binding[]::new);
        stand.write(node, G, true, fifteen);
        stand.run(5);
        assertThat(((GnrsMessage.Insert) old.last()).bindings()).containsExactly(fifteen);
        stand.write(node, new Guid(1, 1, 1), true, mixed(81, 5));
        stand.run(5);
        assertThat(old.taken.getLast()).hasSize(2040);
        int before = old.taken.size();
        stand.write(node, new Guid(2, 2, 2), true, mixed(79, 10));
        stand.run(5);
        assertThat(old.taken).as("two bytes more").hasSize(before);
    }

    private static Binding[] mixed(int guids, int addresses) {
        return IntStream.range(0, guids + addresses)
                .mapToObj(i -> i < guids ? Binding.of(Locator.of(new Guid(i, 0, 0))) : to(i))
                .toArray(Binding[]::new);
    }

    @Test
    void nothingIsSentThatWouldStopThem() throws Malformed {
        Binding[] sixteen = IntStream.range(0, 16)
                .mapToObj(i -> new Binding(place(i), 1000, 0))
                .toArray(Binding[]::new);
        stand.write(node, G, true, sixteen);
        stand.run(5);
        assertThat(old.last().options()).as("times of more than fifteen").isEmpty();
        Binding[] guids = IntStream.range(0, 100)
                .mapToObj(i -> Binding.of(Locator.of(new Guid(i, 0, 0))))
                .toArray(Binding[]::new);
        Told told = stand.write(node, new Guid(9, 9, 9), true, guids);
        stand.run(5);
        assertThat(old.taken).as("longer than their buffers").hasSize(1);
        assertThat(told.result).isEqualTo(GnrsCount.WRITES_QUORUM_FAILED);
    }

    @Test
    void whatTheyRelayIsWrittenHereAndNotPassedOn() throws Malformed {
        // As if the old server relayed: its own address is the origin.
        byte[] relayed = R3.clone();
        relayed[19] = 2;
        stand.send(new Datagram(address, node.address, relayed));
        stand.run(5);
        assertThat(node.places(G)).containsExactly(R3_BINDING.locator());
        assertThat(old.taken).as("our answer alone, and nothing passed on").hasSize(1);
        GnrsMessage answer = old.last();
        assertThat(answer).isInstanceOfSatisfying(GnrsMessage.InsertResponse.class, response -> {
            assertThat(response.code()).isEqualTo(GnrsMessage.Code.SUCCESS);
            assertThat(response.id()).isEqualTo(0xf9372ac0);
        });
        byte[] lookup = R4.clone();
        lookup[19] = 2;
        System.arraycopy(G.toBytes(), 0, lookup, 22, Guid.BYTES);
        stand.send(new Datagram(address, node.address, lookup));
        stand.run(5);
        assertThat(old.last()).isInstanceOfSatisfying(GnrsMessage.LookupResponse.class, response ->
                assertThat(response.bindings()).containsExactly(R3_BINDING));
    }

    @Test
    void whatTheyRelayMarkedRecursiveIsNotPassedOnEither() {
        GnrsMessage insert = GnrsMessage.Insert.of(
                1, Locator.of(address), G, List.of(to(1)), GnrsOption.recursion(true));
        stand.send(new Datagram(address, node.address, insert.write()));
        stand.run(5);
        assertThat(node.places(G)).containsExactly(place(1));
        assertThat(old.taken).as("the answer alone").hasSize(1);
        assertThat(old.taken.getFirst()[PeerWire.TYPE]).isEqualTo((byte) 0x80);
    }
}
