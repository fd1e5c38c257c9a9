package io.guidepost.handle.door;

import io.guidepost.base.Malformed;
import java.io.IOException;
import java.util.List;

/** Datagrams against the whole Handle door, for {@code ./guidepost fuzz}. */
public final class HandleDatagramFuzz {
    private static final HandleDoorStand STAND = stand();

    private HandleDatagramFuzz() {}

    private static HandleDoorStand stand() {
        try {
            HandleDoorStand stand = new HandleDoorStand(HandleDoorTest.SITE, new HandleDoorSettings(true, 64, 0), each -> each);
            HandleDoorTest.fill(stand);
            return stand;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asks with one. */
    public static void fuzz(byte[] datagram) throws Malformed {
        STAND.now += 10;
        HandleDoorFuzzTest.check(STAND.ask(datagram));
        if (STAND.count(HandleCount.DROPS_FAULT) > 0) {
            throw new AssertionError("the door failed");
        }
    }

    /** Golden messages, questions for what is there, and parts of longer ones. */
    public static List<byte[]> seeds() {
        return HandleDoorFuzzTest.seeds();
    }
}
