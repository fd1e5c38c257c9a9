package io.guidepost.proximity.bgp;

import io.guidepost.base.Malformed;
import java.util.List;
import java.util.Optional;

/** What a router tells over BMP, in two pieces, for {@code ./guidepost fuzz}. */
public final class BmpFuzz {
    private BmpFuzz() {}

    /** Takes it, and forgets it. */
    public static void fuzz(byte[] input) {
        BmpSession session =
                new BmpSession(new Rib(), "r1", name -> Optional.of(new RouteExit(BmpSessionTest.ROUTER, 2)));
        session.receive(input, 0, input.length / 2);
        session.receive(input, input.length / 2, input.length);
        if (session.isOver() && session.reason().isEmpty()) {
            throw new AssertionError("over, and nothing said why");
        }
        session.lost(0, 0);
    }

    /** A router that tells most of what there is. */
    public static List<byte[]> seeds() throws Malformed {
        return List.of(BmpSessionTest.good());
    }
}
