package io.guidepost.handle.message;

import java.util.List;
import java.util.SplittableRandom;

/** Messages of the Handle protocol against both readers, for {@code ./guidepost fuzz}. */
public final class HandleMessageFuzz {
    private static final HandleMessageFuzzTest TEST = new HandleMessageFuzzTest();

    private HandleMessageFuzz() {}

    /** Tries one. */
    public static void fuzz(byte[] message) {
        TEST.tryMessage(message);
    }

    /** Golden messages, and others that are right. */
    public static List<byte[]> seeds() {
        return HandleMessageFuzzTest.messages(new SplittableRandom(1));
    }
}
