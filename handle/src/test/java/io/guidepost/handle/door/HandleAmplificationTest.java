package io.guidepost.handle.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.service.HandleServiceCount;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Over UDP an error is no longer than its request, as the source of the request can be forged. */
class HandleAmplificationTest {
    private static final long SEED = 20_261_123;
    private static final int MALFORMED = 100_000;
    private static final int SPLIT = 0x20;

    /** Types of values that are no UTF-8 are not counted: the door compares them as bytes, and answers. */
    private static boolean isMalformed(byte[] datagram) {
        try {
            HandleMessage.readRequest(datagram);
            return false;
        } catch (Malformed e) {
            return !e.reason().contains("UTF-8");
        }
    }

    private static boolean isError(byte[] answer) throws Malformed {
        return HandleMessage.read(answer).responseCode().map(ResponseCode::isError).orElse(true);
    }

    /** Leaves fragments out: the server answers them together. */
    private static byte[] datagram(SplittableRandom random, List<byte[]> seeds) {
        byte[] datagram = HandleDoorFuzzTest.mutated(random, seeds.get(random.nextInt(seeds.size())));
        if (datagram.length > 2) {
            datagram[2] &= ~SPLIT;
        }
        return datagram;
    }

    @Test
    void malformedRequestsAndErrorsAreNotAmplified() throws IOException, Malformed {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> seeds = HandleDoorFuzzTest.seeds();
        try (HandleDoorStand stand = new HandleDoorStand(HandleDoorTest.SITE, new HandleDoorSettings(true, 64, 0), each -> each)) {
            HandleDoorTest.fill(stand);
            int malformed = 0;
            int answered = 0;
            while (malformed < MALFORMED) {
                byte[] datagram = datagram(random, seeds);
                boolean bounded = isMalformed(datagram);
                if (!bounded && random.nextInt(8) != 0) {
                    continue;
                }
                stand.port = 1 + random.nextInt(16);
                stand.now += random.nextInt(4) == 0 ? 1 : 0;
                List<byte[]> answers = stand.ask(datagram);
                int bytes = answers.stream().mapToInt(each -> each.length).sum();
                malformed += bounded ? 1 : 0;
                answered += bounded ? answers.size() : 0;
                if ((bounded || answers.size() == 1 && isError(answers.getFirst())) && bytes > datagram.length) {
                    throw new AssertionError("seed " + SEED + ": " + bytes + " bytes answer "
                            + HexFormat.of().formatHex(datagram) + ": " + HexFormat.of().formatHex(answers.getFirst()));
                }
            }
            assertThat(answered).as("malformed requests that got an error").isGreaterThan(MALFORMED / 10);
            assertThat(stand.count(HandleCount.DROPS_MALFORMED)).isPositive();
            assertThat(stand.service.count(HandleServiceCount.WITHHELD_ERRORS)).isPositive();
        }
    }

    @Test
    void whatIsShorterThanAnyErrorIsDropped() throws IOException {
        try (HandleDoorStand stand = new HandleDoorStand(HandleDoorTest.SITE)) {
            byte[] garbage = new byte[48];
            for (int length = 1; length < garbage.length; length++) {
                assertThat(stand.ask(Arrays.copyOf(garbage, length))).as("%d bytes", length).isEmpty();
            }
            assertThat(stand.count(HandleCount.DROPS_MALFORMED)).isEqualTo(43);
            assertThat(stand.service.count(HandleServiceCount.WITHHELD_ERRORS)).isEqualTo(4);
            assertThat(stand.ask(garbage)).as("an error without its text").singleElement().matches(each -> each.length == 48);
            byte[] more = new byte[120];
            more[19] = 100;
            assertThat(stand.ask(more)).as("an error with its text").singleElement().matches(each -> each.length > 60);
        }
    }
}
