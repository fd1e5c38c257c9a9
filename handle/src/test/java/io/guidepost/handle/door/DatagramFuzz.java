package io.guidepost.handle.door;

import io.guidepost.names.Malformed;
import java.io.IOException;
import java.util.List;

/** Datagrams against the whole Handle door, for {@code ./guidepost fuzz}. */
public final class DatagramFuzz {
    private static final DoorStand STAND = stand();

    private DatagramFuzz() {}

    private static DoorStand stand() {
        try {
            DoorStand stand = new DoorStand(HandleDoorTest.SITE, new DoorSettings(true, 64, 0), each -> each);
            HandleDoorTest.fill(stand);
            return stand;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asks with one. */
    public static void fuzz(byte[] datagram) throws Malformed {
        STAND.now += 10;
        DoorFuzzTest.check(STAND.ask(datagram));
        if (STAND.count(HandleCount.FAILED) > 0) {
            throw new AssertionError("the door failed");
        }
    }

    /** Golden messages, questions for what is there, and parts of longer ones. */
    public static List<byte[]> seeds() {
        return DoorFuzzTest.seeds();
    }
}
