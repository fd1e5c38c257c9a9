package io.guidepost.gnrs.antientropy;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.MessageMutator;
import io.guidepost.gnrs.peer.PeerWire;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Mutated messages between servers: no exception escapes, no disk holds a record that is not whole, and no more requests are in
 * flight than may be.
 */
class PeerMessageFuzzTest {
    private static final int MESSAGES = 20_000;

    private final PeerMessageStand stand = new PeerMessageStand();

    private void take(byte[] message, String where) {
        try {
            stand.take(message);
        } catch (RuntimeException | Error e) {
            throw new AssertionError(where + ": " + HexFormat.of().formatHex(message), e);
        }
    }

    @Test
    void theSeedsAreOfAllTypes() {
        Set<Integer> types =
                PeerMessageStand.seeds().stream().map(each -> each[PeerWire.TYPE] & 0xff).collect(Collectors.toSet());
        assertThat(types)
                .containsExactlyInAnyOrder(0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe6);
    }

    @Test
    void mutatedMessagesDoNoHarm() {
        SplittableRandom random = new SplittableRandom(42);
        List<byte[]> seeds = PeerMessageStand.seeds();
        for (int i = 0; i < MESSAGES; i++) {
            take(MessageMutator.mutated(random, seeds), "seed 42, message " + i);
        }
    }
}
