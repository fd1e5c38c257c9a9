package io.guidepost.gnrs.antientropy;

import java.util.List;

/** Messages between servers of a deployment, for {@code ./guidepost fuzz}. */
public final class PeerMessageFuzz {
    private static final PeerMessageStand STAND = new PeerMessageStand();

    private PeerMessageFuzz() {}

    /** Delivers one to a server. */
    public static void fuzz(byte[] message) {
        STAND.take(message);
    }

    /** Messages of all types, as servers send them. */
    public static List<byte[]> seeds() {
        return PeerMessageStand.seeds();
    }
}
