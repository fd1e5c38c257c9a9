package io.guidepost.alto.proxidor;

import io.guidepost.names.Malformed;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Datagrams of Proxidor: questions to the door, and answers to a client, for {@code ./guidepost fuzz}. */
public final class QuestionFuzz {
    private static final DoorStand STAND = new DoorStand(false);
    private static final Question ASKED = new Question(
            List.of(DoorStand.CUSTOMER, DoorStand.FAR_CUSTOMER, DoorStand.PROXY).stream()
                    .map(io.guidepost.alto.Candidate::of)
                    .toList(),
            Optional.empty());
    private static final int ID = 7;

    private QuestionFuzz() {}

    /** Asks with it, and takes it for an answer. */
    public static void fuzz(byte[] datagram) {
        String wrong = FuzzTest.wrong(datagram, STAND.ask(DoorStand.CUSTOMER, datagram));
        if (!wrong.isEmpty()) {
            throw new AssertionError(wrong);
        }
        try {
            ASKED.read(datagram, datagram.length, ID);
        } catch (Malformed e) {
            if (e.offset() < 0 || e.offset() > datagram.length) {
                throw new AssertionError("a fault outside of the answer", e);
            }
        }
    }

    /** Questions, and the answer to one. */
    public static List<byte[]> seeds() {
        List<byte[]> seeds = new java.util.ArrayList<>(FuzzTest.seeds(new SplittableRandom(1)));
        seeds.add(ASKED.write(ID));
        seeds.add(STAND.ask(DoorStand.CUSTOMER, ASKED.write(ID)));
        return seeds;
    }
}
