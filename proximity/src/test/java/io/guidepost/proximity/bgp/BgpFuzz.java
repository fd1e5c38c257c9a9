package io.guidepost.proximity.bgp;

import io.guidepost.base.Malformed;
import java.util.List;

/** What a peer of BGP sends, in two pieces, for {@code ./guidepost fuzz}. */
public final class BgpFuzz {
    private BgpFuzz() {}

    /** Takes it. */
    public static void fuzz(byte[] input) {
        Rib rib = new Rib();
        RibPeer peer = rib.peer("a", new RouteExitRule.NextHop(0)).orElseThrow();
        BgpSession session = new BgpSession(BgpSessionTest.SETTINGS, peer, 0);
        session.take();
        session.receive(input, 0, input.length / 2, 0);
        session.receive(input, input.length / 2, input.length, 0);
        session.take();
        if (session.state() == BgpSession.State.CLOSED && !session.endedByPeer() && session.ending().isEmpty()) {
            throw new AssertionError("closed, and nothing said why");
        }
    }

    /** A session with most of what there is. */
    public static List<byte[]> seeds() throws Malformed {
        return List.of(BgpSessionTest.good());
    }
}
