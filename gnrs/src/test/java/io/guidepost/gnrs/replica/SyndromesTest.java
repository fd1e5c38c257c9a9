package io.guidepost.gnrs.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The difference of two servers' sums names the record that differs, and nothing where more than one does. */
class SyndromesTest {
    private static final BigInteger PRIME = BigInteger.TWO.pow(61).subtract(BigInteger.ONE);

    /** Two digests that are the same modulo p - 1. */
    private static final long DIGEST = 77;

    private static final long CONGRUENT = DIGEST + Syndromes.PRIME - 1;

    private final long[] ours = new long[Syndromes.GROUPS * Syndromes.SUMS];
    private final long[] theirs = new long[Syndromes.GROUPS * Syndromes.SUMS];

    private static int range(Guid guid) {
        return DigestRanges.of(MemorySegment.ofArray(guid.toBytes()), 0);
    }

    private static int group(Guid guid) {
        return Syndromes.group(range(guid));
    }

    private static void count(long[] sums, Guid guid, long before, long after) {
        long[] change = new long[Syndromes.SUMS];
        Syndromes.change(MemorySegment.ofArray(guid.toBytes()), 0, before, after, change);
        Syndromes.add(sums, group(guid) * Syndromes.SUMS, change);
    }

    private static Guid random(SplittableRandom random) {
        // Half of them are of a few bytes of text, as names are.
        return random.nextBoolean()
                ? new Guid(random.nextLong(), random.nextLong(), random.nextInt())
                : new Guid(0x6f72646572732e00L + random.nextInt(256), random.nextInt(256), random.nextInt(3));
    }

    private byte[] differing(int group) {
        byte[] key = Syndromes.differing(ours, theirs, group);
        return key == null ? new byte[0] : Arrays.copyOfRange(key, 1, key.length);
    }

    @Test
    void productsAndInversesAreThoseOfThePrimeField() {
        SplittableRandom random = new SplittableRandom(61);
        for (int i = 0; i < 20_000; i++) {
            long a = i == 0 ? Syndromes.PRIME - 1 : random.nextLong(1, Syndromes.PRIME);
            long b = i < 2 ? Syndromes.PRIME - 1 : random.nextLong(Syndromes.PRIME);
            assertThat(Syndromes.times(a, b))
                    .isEqualTo(BigInteger.valueOf(a).multiply(BigInteger.valueOf(b)).mod(PRIME).longValue());
            if (i < 2_000) {
                assertThat(Syndromes.times(a, Syndromes.inverse(a))).isOne();
            }
        }
    }

    @Test
    void oneRecordThatDiffersIsNamedHoweverItDiffers() {
        SplittableRandom random = new SplittableRandom(2003);
        for (int i = 0; i < 500; i++) {
            Guid guid = random(random);
            long digest = random.nextLong();
            count(ours, guid, 0, digest);
            count(theirs, guid, 0, digest);
        }
        assertThat(ours).isEqualTo(theirs);
        for (int i = 0; i < 2_000; i++) {
            Guid guid = i == 0 ? new Guid(-1, -1, -1) : i == 1 ? new Guid(0, 0, 0) : random(random);
            // Missing here, missing there, or with two digests.
            long here = i % 3 == 0 ? 0 : random.nextLong();
            long there = i % 3 == 1 ? 0 : random.nextLong();
            count(ours, guid, 0, here);
            count(theirs, guid, 0, there);
            assertThat(Syndromes.agree(ours, theirs, group(guid))).isFalse();
            assertThat(differing(group(guid))).as("seed 2003, turn %d", i).isEqualTo(guid.toBytes());
            count(i % 2 == 0 ? theirs : ours, guid, i % 2 == 0 ? there : here, i % 2 == 0 ? here : there);
            assertThat(ours).isEqualTo(theirs);
            assertThat(Arrays.stream(ours).allMatch(Syndromes::isSum)).isTrue();
        }
    }

    @Test
    void twoInOneGroupNameNothingOfARangeThatDiffers() {
        SplittableRandom random = new SplittableRandom(2);
        int pairs = 0;
        while (pairs < 5_000) {
            Guid one = random(random);
            Guid other = random(random);
            if (one.equals(other) || group(one) != group(other)) {
                continue;
            }
            pairs++;
            Arrays.fill(ours, 0);
            Arrays.fill(theirs, 0);
            count(ours, one, 0, random.nextLong());
            count(random.nextBoolean() ? ours : theirs, other, 0, random.nextLong());
            byte[] key = differing(group(one));
            assertThat(key.length == 0 || range(Guid.read(MemorySegment.ofArray(key), 0)) != range(one)).isTrue();
        }
    }

    @Test
    void aRecordThatIsThereCountsWhateverItsDigest() {
        Guid guid = new Guid(1, 2, 3);
        for (long digest : new long[] {1, -1, Syndromes.PRIME - 1, Syndromes.PRIME, Syndromes.PRIME + 1, Long.MIN_VALUE}) {
            Arrays.fill(ours, 0);
            count(ours, guid, 0, digest);
            assertThat(differing(group(guid))).isEqualTo(guid.toBytes());
        }
    }

    @Test
    void digestsThatCannotBeToldApartNameNothing() {
        Guid guid = new Guid(1, 2, 3);
        count(ours, guid, 0, DIGEST);
        count(theirs, guid, 0, CONGRUENT);
        assertThat(Syndromes.agree(ours, theirs, group(guid))).isTrue();
        assertThat(differing(group(guid))).isEmpty();
    }
}
