package io.guidepost.alto.proxidor;

import io.guidepost.base.Malformed;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Datagrams of Proxidor: questions to the door, and answers to a client, for {@code ./guidepost fuzz}. */
public final class ProxidorFuzz {
    private static final ProxidorDoorFixture STAND = new ProxidorDoorFixture(false);
    private static final ProxidorRequest ASKED = new ProxidorRequest(
            List.of(ProxidorDoorFixture.CUSTOMER, ProxidorDoorFixture.FAR_CUSTOMER, ProxidorDoorFixture.PROXY).stream()
                    .map(io.guidepost.alto.protocol.Candidate::of)
                    .toList(),
            Optional.empty());
    private static final int ID = 7;

    private ProxidorFuzz() {}

    /** Asks with it, and takes it for an answer. */
    public static void fuzz(byte[] datagram) {
        String wrong = ProxidorFuzzTest.wrong(datagram, STAND.ask(ProxidorDoorFixture.CUSTOMER, datagram));
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
        List<byte[]> seeds = new java.util.ArrayList<>(ProxidorFuzzTest.seeds(new SplittableRandom(1)));
        seeds.add(ASKED.write(ID));
        seeds.add(STAND.ask(ProxidorDoorFixture.CUSTOMER, ASKED.write(ID)));
        return seeds;
    }
}
