package io.guidepost.packet.frame;

import java.util.List;
import java.util.stream.Stream;

/** Frames against the headers in one pass and against the views of single ones, for {@code ./guidepost fuzz}. */
public final class FrameFuzz {
    private static final FrameFuzzTest TEST = new FrameFuzzTest();

    private FrameFuzz() {}

    /** Reads one that nothing is behind. */
    public static void fuzz(byte[] frame) {
        TEST.check(frame, false);
    }

    /** Right frames of all kinds. */
    public static List<byte[]> seeds() {
        FrameMaker maker = new FrameMaker(1);
        return Stream.generate(maker::make).limit(300).toList();
    }
}
