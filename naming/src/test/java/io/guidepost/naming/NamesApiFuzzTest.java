package io.guidepost.naming;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Mutated requests are answered: with what they ask for, or with what is wrong. */
final class NamesApiFuzzTest {
    private static final int REQUESTS = 20_000;

    @Test
    void noRequestMakesTheServerFail() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> seeds = NamesApiFuzz.seeds();
        seeds.forEach(NamesApiFuzz::fuzz);
        for (int i = 0; i < REQUESTS; i++) {
            byte[] request = seeds.get(random.nextInt(seeds.size())).clone();
            int changes = random.nextInt(1, 4);
            for (int j = 0; j < changes; j++) {
                request[random.nextInt(request.length)] = (byte) random.nextInt(random.nextBoolean() ? 256 : 128);
            }
            try {
                NamesApiFuzz.fuzz(request);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ", request " + i, e);
            }
        }
    }
}
