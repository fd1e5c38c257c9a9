package io.guidepost.scaffold.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What has gone on to a client, and what another instance says of it. */
class DeliveredBytesTest {
    private static final int BYTES = 20_000;

    /** Segments of a response in a wild order, some of them twice, some lost; then a whole one of another instance. */
    private static void play(long seed, boolean equal) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] first = new byte[BYTES];
        random.nextBytes(first);
        byte[] client = new byte[BYTES];
        boolean[] has = new boolean[BYTES];
        DeliveredBytes delivered = new DeliveredBytes();
        int reach = 1 + random.nextInt(BYTES);
        for (int i = 0; i < 40; i++) {
            int at = Math.max(0, (int) Math.min(delivered.withoutGap(), BYTES - 1) + random.nextInt(-500, 1_500));
            int end = Math.min(at + 1 + random.nextInt(1_000), reach);
            if (at < end && delivered.take(at, Arrays.copyOfRange(first, at, end))) {
                System.arraycopy(first, at, client, at, end - at);
                Arrays.fill(has, at, end, true);
            }
        }
        int gap = 0;
        while (gap < BYTES && has[gap]) {
            gap++;
        }
        assertThat(delivered.withoutGap()).isEqualTo(gap);

        byte[] second = first.clone();
        int changed = random.nextInt(BYTES);
        if (!equal) {
            second[changed] ^= 1;
        }
        DeliveredBytes.Comparison comparison = delivered.compare();
        ByteArrayOutputStream went = new ByteArrayOutputStream();
        for (int at = 0; at < BYTES; ) {
            int end = Math.min(BYTES, at + 1 + random.nextInt(1_500));
            went.writeBytes(comparison.take(Arrays.copyOfRange(second, at, end)));
            at = end;
        }
        assertThat(comparison.differs()).as("seed %d", seed).isEqualTo(!equal && has[changed]);
        if (comparison.differs()) {
            assertThat(went.size()).as("nothing may go on").isZero();
        } else {
            byte[] fresh = went.toByteArray();
            assertThat(fresh).isEqualTo(Arrays.copyOfRange(second, gap, BYTES));
            // What the client has now is what the second instance would have sent, byte for byte.
            System.arraycopy(fresh, 0, client, gap, fresh.length);
            assertThat(client).isEqualTo(second);
        }
    }

    @Test
    void anEqualResponseGoesOnWhereTheClientIs() {
        for (int seed = 0; seed < 500; seed++) {
            play(seed, true);
        }
    }

    @Test
    void anotherResponseIsNoticedBeforeAByteOfItGoesOn() {
        for (int seed = 0; seed < 2_000; seed++) {
            play(seed, false);
        }
    }

    @Test
    void bytesFarBehindAGapDoNotGoOn() {
        KeptBytes room = new KeptBytes(10_000, () -> {});
        DeliveredBytes delivered = new DeliveredBytes(0, room);

        assertThat(delivered.take(DeliveredBytes.HELD_SPAN_MAX, new byte[1])).isFalse();
        assertThat(delivered.take(DeliveredBytes.HELD_SPAN_MAX - 1, new byte[1])).isTrue();
        assertThat(delivered.take(1, new byte[9_999])).isTrue();
        assertThat(delivered.take(500_000, new byte[1])).as("too much is kept").isFalse();
        assertThat(delivered.take(0, new byte[1])).isTrue();
        assertThat(delivered.withoutGap()).isEqualTo(10_000);
        assertThat(room.taken()).as("what was filled up is kept no more").isEqualTo(1);
        assertThat(delivered.take(500_000, new byte[1])).as("the gap is filled").isTrue();
        delivered.forget();
        assertThat(room.taken()).isZero();
    }

    /** A window of 3 MiB was lost: the next byte must reach the client's kernel, whose answer is all that tells the instance. */
    @Test
    void whatComesBehindALostWindowGoesOn() {
        DeliveredBytes delivered = new DeliveredBytes();
        assertThat(delivered.take(3 << 20, new byte[1_448])).isTrue();
    }

    @Test
    void beforeTheFirstByteEverythingIsNew() {
        DeliveredBytes.Comparison comparison = new DeliveredBytes().compare();

        assertThat(comparison.left()).isZero();
        assertThat(comparison.take(new byte[] {1, 2})).containsExactly(1, 2);
        assertThat(comparison.differs()).isFalse();
    }

    /** The last bytes are those without a gap, also where a segment came before what it follows, and where the ring has turned. */
    @Test
    void theLastBytesAreKept() {
        DeliveredBytes delivered = new DeliveredBytes(8, KeptBytes.unbounded());
        delivered.take(0, new byte[] {1, 2, 3, 4, 5});
        delivered.take(7, new byte[] {8, 9, 10, 11});
        assertThat(delivered.tail(3)).containsExactly(3, 4, 5);
        delivered.take(4, new byte[] {5, 6, 7, 8});
        assertThat(delivered.withoutGap()).isEqualTo(11);
        assertThat(delivered.tail(8)).containsExactly(4, 5, 6, 7, 8, 9, 10, 11);
        delivered.take(11, new byte[20]);
        assertThat(delivered.tail(8)).containsOnly(0);
    }
}
