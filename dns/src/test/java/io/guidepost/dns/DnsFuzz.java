package io.guidepost.dns;

import java.io.IOException;
import java.util.List;

/** Datagrams of DNS to the door, for {@code ./guidepost fuzz}. */
public final class DnsFuzz {
    private static final DnsDoorFixture STAND = stand();

    private DnsFuzz() {}

    private static DnsDoorFixture stand() {
        try {
            DnsDoorFixture stand = new DnsDoorFixture(true);
            DnsFuzzTest.fill(stand);
            return stand;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Asks with it, and reads what comes as others do. */
    public static void fuzz(byte[] datagram) {
        String wrong = DnsFuzzTest.wrong(datagram, STAND.ask(DnsDoorFixture.CLIENT, datagram));
        if (!wrong.isEmpty()) {
            throw new AssertionError(wrong);
        }
    }

    /** Questions of every kind. */
    public static List<byte[]> seeds() {
        return DnsFuzzTest.seeds(STAND);
    }
}
