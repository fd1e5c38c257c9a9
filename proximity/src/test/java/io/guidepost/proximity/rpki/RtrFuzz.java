package io.guidepost.proximity.rpki;

import java.util.List;

/** What an RPKI cache sends, in two pieces, for {@code ./guidepost fuzz}. */
public final class RtrFuzz {
    private RtrFuzz() {}

    /** Takes it. */
    public static void fuzz(byte[] input) {
        RtrSession session = new RtrSession();
        session.connected(0);
        session.receive(input, 0, input.length / 2, 0);
        session.receive(input, input.length / 2, input.length, 0);
        session.take();
        if (session.state() == RtrSession.State.CLOSED && session.reason().isEmpty()) {
            throw new AssertionError("closed, and nothing said why");
        }
    }

    /** An answer with most of what there is. */
    public static List<byte[]> seeds() {
        return List.of(RtrSessionTest.good());
    }
}
