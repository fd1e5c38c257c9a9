package io.guidepost.gnrs;

import java.util.List;
import java.util.SplittableRandom;

/** Datagrams of GNRS against codec and door, for {@code ./guidepost fuzz}. */
public final class GnrsDatagramFuzz {
    private static final GnrsFuzzTest TEST = new GnrsFuzzTest();
    private static final SplittableRandom RANDOM = new SplittableRandom(1);

    private GnrsDatagramFuzz() {}

    /** Tries one. */
    public static void fuzz(byte[] datagram) {
        TEST.tryOne(GnrsDoorStand.CLIENT, datagram, "found");
        if (RANDOM.nextInt(64) == 0) {
            TEST.upset(RANDOM);
        }
    }

    /** Golden datagrams, and others that are right. */
    public static List<byte[]> seeds() {
        return GnrsFuzzTest.seeds(new SplittableRandom(2));
    }
}
