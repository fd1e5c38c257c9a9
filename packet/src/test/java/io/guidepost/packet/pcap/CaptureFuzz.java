package io.guidepost.packet.pcap;

import io.guidepost.packet.frame.Fence;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.SplittableRandom;

/** Files of captured packets, for {@code ./guidepost fuzz}. */
public final class CaptureFuzz {
    private static final Fence FENCE = new Fence(1 << 20);

    private CaptureFuzz() {}

    /** Reads one that nothing is behind. */
    public static void fuzz(byte[] file) {
        CaptureFuzzTest.walk(FENCE.place(file, file.length), file.length, "found");
    }

    /** A file of each kind. */
    public static List<byte[]> seeds() throws IOException {
        return CaptureFuzzTest.files(Files.createTempDirectory("captures"), new SplittableRandom(1));
    }
}
