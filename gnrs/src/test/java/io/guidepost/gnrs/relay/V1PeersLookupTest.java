package io.guidepost.gnrs.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.GnrsDoorStand;
import io.guidepost.gnrs.peer.ChangedSettings;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Look-ups together with servers of the first protocol version. R4 is a relayed LOOKUP as it was seen between two of the
 * Java servers of 2014, R5 what one of them told its client of two others' answers; the server at 127.0.0.1:5001 is the
 * one that relays.
 */
class V1PeersLookupTest {
    private static final byte[] R4 =
            bytes("0001002af9372ac400000016000000067f00000113890000000100000001000000010000000100000001");
    private static final byte[] R5 = bytes("008100320000000500000016000000067f00000113890000000000000002"
            + "000000060a000005138d000000060a000002138a");
    private static final Guid G = Guid.of(bytes("0000000100000001000000010000000100000001"));

    /** A server of 2014 that has some places for every name, and attaches their times. */
    private static final class Old {
        private final List<byte[]> taken = new ArrayList<>();
        private List<Binding> places = List.of();
        private GnrsMessage.Code code = GnrsMessage.Code.SUCCESS;

        byte @Nullable [] take(byte[] datagram) {
            taken.add(datagram);
            try {
                GnrsMessage.Lookup lookup = (GnrsMessage.Lookup) GnrsMessage.read(datagram);
                return new GnrsMessage.LookupResponse(
                                lookup.id(),
                                GnrsMessage.noOrigin(),
                                code,
                                places.stream().map(Binding::locator).toList(),
                                options())
                        .write();
            } catch (Malformed e) {
                throw new AssertionError("what is relayed is refused by the codec", e);
            }
        }

        private List<GnrsOption> options() {
            return places.isEmpty()
                    ? List.of()
                    : List.of(
                            GnrsOption.ttls(places.stream().mapToLong(Binding::ttlMillis).toArray()),
                            GnrsOption.expiries(
                                    places.stream().mapToLong(Binding::expiryMillis).toArray()));
        }
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static Binding place(String host, int port) {
        return Binding.of(Locator.of(new InetSocketAddress(InetAddress.ofLiteral(host), port)));
    }

    private static byte[] withIdOf(byte[] message, byte[] other) {
        byte[] changed = message.clone();
        System.arraycopy(other, PeerWire.ID, changed, PeerWire.ID, 4);
        return changed;
    }

    private final Old first = new Old();
    private final Old second = new Old();
    private LookupStand stand = stand(1);

    private LookupStand stand(int answers) {
        ReplicationSettings settings = ChangedSettings.of("answers", answers, "cacheTtlMillis", 0L, "negativeTtlMillis", 0L);
        LookupStand made = new LookupStand(3, settings, GnrsDoorStand.open(), 2);
        made.servers.others.put(made.servers.servers.get(1), first::take);
        made.servers.others.put(made.servers.servers.get(2), second::take);
        return made;
    }

    private WriteStand.Node node() {
        return stand.servers.node(0);
    }

    @Test
    void aLookupIsRelayedAsR4() {
        first.places = List.of(place("10.0.0.5", 5005));
        second.places = first.places;
        assertThat(stand.told(node(), G)).isEqualTo("5005");
        List<byte[]> taken = first.taken.isEmpty() ? second.taken : first.taken;
        assertThat(taken).hasSize(1);
        assertThat(taken.getFirst()).isEqualTo(withIdOf(R4, taken.getFirst()));
    }

    @Test
    void answersOfTwoAreToldAsR5() {
        stand = stand(2);
        Guid guid = stand.servers.guidAt(0, 1, 2);
        first.places = List.of(place("10.0.0.2", 5002));
        second.places = List.of(place("10.0.0.5", 5005));
        LookupStand.Asked asked = stand.new Asked(WriteStand.client(1), node().address);
        byte[] question = new GnrsMessage.Lookup(5, GnrsMessage.noOrigin(), guid, List.of(GnrsOption.recursion(true))).write();
        stand.servers.send(new WriteStand.Datagram(asked.client, node().address, question));
        stand.servers.run(10);
        byte[] swapped = R5.clone();
        System.arraycopy(R5, 30, swapped, 40, 10);
        System.arraycopy(R5, 40, swapped, 30, 10);
        assertThat(asked.bytes()).isIn(R5, swapped);
    }

    @Test
    void timesThatAreKnownAreTold() {
        Guid guid = stand.servers.guidAt(0, 1, 2);
        long end = node().nowMillis() + 60_000;
        first.places = List.of(new Binding(place("10.0.0.5", 5005).locator(), 30_000, end));
        second.places = first.places;
        GnrsMessage.LookupResponse answer = stand.ask(node(), guid, 100).answer();
        assertThat(answer.bindings()).isEqualTo(first.places);
    }

    @Test
    void oneThatHasNothingIsNoReasonToStop() {
        Guid guid = stand.servers.guidAt(0, 1, 2);
        second.places = List.of(place("10.0.0.5", 5005));
        for (int i = 0; i < 5; i++) {
            assertThat(stand.told(node(), guid)).isEqualTo("5005");
        }
        second.places = List.of();
        assertThat(stand.told(node(), guid)).isEmpty();
        first.code = GnrsMessage.Code.FAILED;
        assertThat(stand.told(node(), guid)).as("of two only one says that nothing is bound").isEqualTo("failed");
    }

    @Test
    void whatIsKnownWithStampsIsNewer() {
        stand = stand(3);
        Guid guid = stand.servers.guidAt(0, 0, 1, 2);
        first.places = List.of(place("10.0.0.5", 5005));
        second.places = first.places;
        assertThat(stand.told(node(), guid)).isEqualTo("5005");
        stand.servers.others.clear();
        stand.servers.write(node(), guid, false, WriteStand.to(7));
        stand.servers.run(1500);
        stand.servers.others.put(stand.servers.servers.get(1), first::take);
        stand.servers.others.put(stand.servers.servers.get(2), second::take);
        assertThat(stand.told(node(), guid)).isEqualTo("4007");
    }

    @Test
    void whatAnOldServerRelaysIsAnsweredFromWhatIsHere() {
        Guid guid = stand.servers.guidAt(0, 1, 2);
        byte[] relayed = new GnrsMessage.Lookup(9, GnrsMessage.noOrigin(), guid, List.of(GnrsOption.recursion(true))).write();
        InetSocketAddress old = stand.servers.servers.get(1);
        stand.servers.others.put(old, bytes -> {
            first.taken.add(bytes);
            return null;
        });
        stand.servers.send(new WriteStand.Datagram(old, node().address, relayed));
        stand.servers.run(5);
        assertThat(first.taken).hasSize(1);
        assertThat(first.taken.getFirst()[PeerWire.TYPE] & 0xff).isEqualTo(0x81);
        assertThat(second.taken).isEmpty();
    }
}
