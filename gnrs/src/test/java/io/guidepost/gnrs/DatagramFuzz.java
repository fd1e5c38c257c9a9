package io.guidepost.gnrs;

import java.util.List;
import java.util.SplittableRandom;

/** Datagrams of GNRS against codec and door, for {@code ./guidepost fuzz}. */
public final class DatagramFuzz {
    private static final FuzzTest TEST = new FuzzTest();
    private static final SplittableRandom RANDOM = new SplittableRandom(1);

    private DatagramFuzz() {}

    /** Tries one. */
    public static void fuzz(byte[] datagram) {
        TEST.tryOne(DoorStand.CLIENT, datagram, "found");
        if (RANDOM.nextInt(64) == 0) {
            TEST.upset(RANDOM);
        }
    }

    /** Golden datagrams, and others that are right. */
    public static List<byte[]> seeds() {
        return FuzzTest.seeds(new SplittableRandom(2));
    }
}
