package io.guidepost.handle.message;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Values, sites, keys, proofs: what stands within messages, for {@code ./guidepost fuzz}. The first byte says what it is. */
public final class RecordFuzz {
    private static final HandleMessageFuzzTest TEST = new HandleMessageFuzzTest();

    private RecordFuzz() {}

    /** Tries one. */
    public static void fuzz(byte[] input) {
        if (input.length > 0) {
            TEST.tryRecord(Math.floorMod(input[0], HandleMessageFuzzTest.RECORD_KINDS), Arrays.copyOfRange(input, 1, input.length));
        }
    }

    /** Each record as each kind. */
    public static List<byte[]> seeds() {
        return HandleMessageFuzzTest.records(new SplittableRandom(1)).stream()
                .flatMap(each -> IntStream.range(0, HandleMessageFuzzTest.RECORD_KINDS).mapToObj(kind -> {
                    byte[] seed = new byte[1 + each.length];
                    seed[0] = (byte) kind;
                    System.arraycopy(each, 0, seed, 1, each.length);
                    return seed;
                }))
                .toList();
    }
}
