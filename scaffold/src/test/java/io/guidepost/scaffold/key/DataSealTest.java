package io.guidepost.scaffold.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.wire.CarriageHeader;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Sealed packets of flows. The bytes that are expected were made by another implementation (cryptography 48 of Python). */
class DataSealTest {
    private static final Guid HOST = Guid.ofAscii("host");
    private static final long FLOW = 0x1122_3344_5566_7788L;
    private static final int PACKET_BYTES = 40;
    private static final String FROM_A = "01050000112233445566778800000000000000006c0c162891b8acd64a487d7bd34712a7501a5ca64038fec8"
            + "7553b7aabf604f28051e44c021b5ce5a0a96ec949866e665ba4fb67137fd81a9";
    private static final String FROM_B = "0105000011223344556677880000000000000000b1df12411cd650405e660b8923fa2e0224d29cd09092433a"
            + "fa646d5cbb16292490e899a09b57897e2ee53188bb3b2fa80c61adff1fb97087";
    private static final String NEXT_KEY_FROM_A = "010500001122334455667788000000000100000054665269b48de540b32d0ea954837f9a828f30a8"
            + "6cfa43b2120e8c7a537a044ab7d3caa7b95224303976bb10983723aafa60bd56d53c2df1";

    private final DataSeal seal = new DataSeal();
    private final long room = Arena.global().allocate(4_096, 8).address();
    private final Association a = association(0, 32);
    private final Association b = association(32, 0);

    private static byte[] counting(int first, int bytes) {
        byte[] all = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            all[i] = (byte) (first + i);
        }
        return all;
    }

    private static Association association(int sends, int hears) {
        return new Association(HOST, new byte[32], new byte[32], counting(sends, 32), counting(hears, 32));
    }

    private byte[] sealed(Association by, long nowNanos) {
        Memory.copy(counting(0x45, PACKET_BYTES), 0, room + 2_048, PACKET_BYTES);
        CarriageHeader.write(Memory.ALL, room, CarriageHeader.SEALED, FLOW, 5);
        return Memory.read(room, seal.put(by, room, room + 2_048, PACKET_BYTES, nowNanos));
    }

    private boolean opens(Association by, byte[] datagram) {
        Memory.copy(datagram, 0, room, datagram.length);
        int bytes = seal.open(by, room, datagram.length);
        if (bytes >= 0) {
            assertThat(Memory.read(room + DataSeal.PACKET_AT, bytes)).isEqualTo(counting(0x45, PACKET_BYTES));
        }
        return bytes >= 0;
    }

    @Test
    void packetsAreThoseOfAnotherImplementationBothWays() {
        assertThat(HexFormat.of().formatHex(sealed(a, 1))).isEqualTo(FROM_A);
        assertThat(HexFormat.of().formatHex(sealed(b, 1))).isEqualTo(FROM_B);
        assertThat(opens(b, HexFormat.of().parseHex(FROM_A))).isTrue();
        assertThat(opens(a, HexFormat.of().parseHex(FROM_B))).isTrue();
        assertThat(opens(b, HexFormat.of().parseHex(NEXT_KEY_FROM_A))).isTrue();
    }

    /** What is not authentic does not use up the number that it claims to have. */
    @Test
    void noChangedPacketIsTakenAndARightOneOnce() {
        byte[] right = sealed(a, 1);
        for (int bit = 0; bit < right.length * 8; bit++) {
            byte[] changed = right.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(opens(b, changed)).as("bit %d", bit).isFalse();
        }
        SplittableRandom random = new SplittableRandom(22);
        for (int i = 0; i < 50_000; i++) {
            byte[] changed = Arrays.copyOf(right, random.nextInt(right.length + 8));
            for (int j = 0; j < changed.length && j <= random.nextInt(4); j++) {
                changed[random.nextInt(changed.length)] += (byte) (1 + random.nextInt(255));
            }
            assertThat(!Arrays.equals(changed, right) && opens(b, changed)).isFalse();
        }
        assertThat(opens(a, right)).as("sent back to its sender").isFalse();
        assertThat(opens(b, right)).isTrue();
        assertThat(opens(b, right)).as("once more").isFalse();
    }

    @Test
    void keysChangeAfterAnHourAndNothingIsLost() {
        byte[] first = sealed(a, 1);
        byte[] late = sealed(a, 3_600_000_000_000L);
        byte[] next = sealed(a, 3_600_000_000_001L);
        byte[] nextToo = sealed(a, 3_600_000_000_002L);
        assertThat(late[16]).isZero();
        assertThat(next[16]).as("number of the key").isOne();
        assertThat(opens(b, first)).isTrue();
        assertThat(opens(b, nextToo)).isTrue();
        assertThat(opens(b, next)).as("overtaken").isTrue();
        assertThat(opens(b, late)).as("overtaken by the next key").isTrue();
        assertThat(opens(b, late)).as("once more").isFalse();
        byte[] far = next.clone();
        far[12] = 1;
        assertThat(opens(b, far)).isFalse();
    }

    @Test
    void anotherProcessTakesNoNumberTwice() {
        try (Arena arena = Arena.ofConfined()) {
            long ofA = arena.allocate(Association.KEPT_BYTES, Long.BYTES).address();
            long ofB = arena.allocate(Association.KEPT_BYTES, Long.BYTES).address();
            a.keep(ofA);
            b.keep(ofB);
            byte[] first = sealed(a, 1);
            assertThat(opens(b, first)).isTrue();
            byte[] second = sealed(Association.kept(ofA), 1);
            assertThat(second[19]).isOne();
            Association next = Association.kept(ofB);
            assertThat(opens(next, first)).isFalse();
            assertThat(opens(next, second)).isTrue();
        }
    }
}
