package io.guidepost.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the pressure and the progress of a sender are. */
class RequestReadTimeoutTest {
    private static final long SEED = 408;
    private static final int CASES = 20_000;

    private final Random random = new Random(SEED);

    private static long left(long open, long most, long calm, long bytes, long begun, long last) {
        return RequestReadTimeout.leftMillis(RequestReadTimeout.graceMillis(open, most, calm), bytes, begun, last);
    }

    @Test
    void pressureShortensProgressLengthensAndTimePasses() {
        for (int i = 0; i < CASES; i++) {
            long most = random.nextLong(1, 1_000_000);
            long open = random.nextLong(0, most + 1);
            long calm = random.nextLong(100, 3_600_000);
            long bytes = random.nextLong(0, 4 << 20);
            long begun = random.nextLong(0, 100_000);
            long last = random.nextLong(0, begun + 1);
            long left = left(open, most, calm, bytes, begun, last);
            assertThat(left(Math.min(most, open + random.nextLong(0, most)), most, calm, bytes, begun, last)).isLessThanOrEqualTo(left);
            assertThat(left(open, most, calm, bytes + random.nextLong(0, 10_000), begun, last)).isGreaterThanOrEqualTo(left);
            assertThat(left(open, most, calm, bytes, begun + 1, last)).isLessThanOrEqualTo(left);
            assertThat(left(open, most, calm, bytes, begun, last + 1)).isLessThanOrEqualTo(left);
            assertThat(RequestReadTimeout.graceMillis(open, most, calm)).isBetween(Math.min(calm, HttpLimits.PRESSED_MILLIS), calm);
        }
    }

    @Test
    void aSenderWithTheSlowestRateIsNeverLate() {
        for (int i = 0; i < CASES; i++) {
            long most = random.nextLong(1, 1_000_000);
            long begun = random.nextLong(0, 10_000_000);
            long bytes = begun * HttpLimits.SLOWEST_BYTES_PER_MILLI;
            long last = random.nextLong(0, 500);
            assertThat(left(random.nextLong(0, most + 1), most, 10_000, bytes, begun, last)).isPositive();
        }
    }

    @Test
    void aSenderWithoutProgressIsLateWhateverThereIsRoomFor() {
        for (int i = 0; i < CASES; i++) {
            long most = random.nextLong(1, 1_000_000);
            long open = random.nextLong(0, most + 1);
            assertThat(left(open, most, 10_000, random.nextLong(0, 1 << 22), 10_000_000, 10_000)).isNotPositive();
            assertThat(left(open, most, 10_000, 10, 10_013, 1)).as("a byte a second").isNotPositive();
        }
    }

    @Test
    void aFullTableIsWhatItWasForEverybody() {
        assertThat(left(100, 20_000, 10_000, 30, 600, 600)).as("few connections").isPositive();
        assertThat(left(20_000, 20_000, 10_000, 0, 499, 499)).isEqualTo(1);
        assertThat(left(15_000, 20_000, 10_000, 16, 500, 500)).isEqualTo(1);
        assertThat(left(1, 1, 200, 0, 200, 200)).as("a shorter idle timeout").isZero();
    }
}
