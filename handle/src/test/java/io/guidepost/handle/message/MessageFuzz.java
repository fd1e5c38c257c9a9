package io.guidepost.handle.message;

import java.util.List;
import java.util.SplittableRandom;

/** Messages of the Handle protocol against both readers, for {@code ./guidepost fuzz}. */
public final class MessageFuzz {
    private static final FuzzTest TEST = new FuzzTest();

    private MessageFuzz() {}

    /** Tries one. */
    public static void fuzz(byte[] message) {
        TEST.tryMessage(message);
    }

    /** Golden messages, and others that are right. */
    public static List<byte[]> seeds() {
        return FuzzTest.messages(new SplittableRandom(1));
    }
}
