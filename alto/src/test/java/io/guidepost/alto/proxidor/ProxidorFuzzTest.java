package io.guidepost.alto.proxidor;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever comes, the door says at most as much, and something that an answer may be; and so reads a client. */
class ProxidorFuzzTest {
    private final ProxidorDoorFixture stand = new ProxidorDoorFixture(false);

    static List<byte[]> seeds(SplittableRandom random) {
        List<byte[]> seeds = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            List<Candidate> candidates = new ArrayList<>();
            for (int k = 0; k < 2 + i; k++) {
                Address address = (i & 1) == 0 ? ProxidorDoorFixture.anyIpv4(random) : ProxidorDoorFixture.anyIpv6(random);
                candidates.add((i & 2) == 0 ? Candidate.of(address) : Candidate.of(address.prefix()));
            }
            Optional<Address> source = (i & 4) == 0 ? Optional.empty() : Optional.of(ProxidorDoorFixture.FAR_CUSTOMER);
            seeds.add(new ProxidorRequest(candidates, source.map(Address::prefix)).write(random.nextInt()));
        }
        seeds.add(HexFormat.of().parseHex("00000000cafef00d0000000001800014140100011402000114030001140400010100000c1405000114060001"));
        return seeds;
    }

    private static byte[] mutated(byte[] seed, SplittableRandom random) {
        byte[] bytes = Arrays.copyOf(seed, random.nextInt(3) == 0 ? random.nextInt(seed.length + 8) : seed.length);
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            // What decides most stands at the beginning.
            int at = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 20) : bytes.length);
            bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : bytes[at] ^ 1 << random.nextInt(8));
        }
        return bytes;
    }

    private void run(int datagrams, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> seeds = seeds(random);
        long before = stand.count(ProxidorCount.REQUESTS);
        for (int i = 0; i < datagrams; i++) {
            byte[] question = mutated(seeds.get(random.nextInt(seeds.size())), random);
            Address peer = random.nextInt(4) == 0 ? ProxidorDoorFixture.PROXY : ProxidorDoorFixture.CUSTOMER;
            byte[] answer = stand.ask(peer, question);
            String what = wrong(question, answer);
            assertThat(what).as("seed %d: %s", seed, HexFormat.of().formatHex(question)).isEmpty();
        }
        assertThat(stand.count(ProxidorCount.RESPONSES_NO_ERROR)).isGreaterThan(datagrams / 100);
        long refused = Arrays.stream(ProxidorFault.values()).mapToLong(stand.door.faults()::get).sum();
        assertThat(refused)
                .isEqualTo(stand.count(ProxidorCount.RESPONSES_FORMAT)
                        + stand.count(ProxidorCount.RESPONSES_NOT_IMPLEMENTED)
                        + stand.count(ProxidorCount.DROPS_MALFORMED));
        assertThat(stand.count(ProxidorCount.REQUESTS))
                .isEqualTo(before + datagrams)
                .isEqualTo(Arrays.stream(ProxidorCount.values())
                        .filter(each -> each.name().startsWith("RESPONSES_") || each.name().startsWith("DROPS_"))
                        .mapToLong(stand::count)
                        .sum());
        for (ProxidorFault each : ProxidorFault.values()) {
            boolean rare = each == ProxidorFault.OK || each == ProxidorFault.TOO_MANY || each == ProxidorFault.TOO_MANY_LISTS;
            assertThat(stand.door.faults().get(each) > 0 || rare).as("%s was met", each).isTrue();
        }
    }

    static String wrong(byte[] question, byte[] answer) {
        if (answer.length > question.length) {
            return "longer than the question";
        }
        if (answer.length == 0) {
            return question.length >= 12 && question[2] >= 0 ? "not answered" : "";
        }
        int code = answer[3] & 0xff & ~ProxidorWire.SI;
        boolean head = answer[0] == 0 && answer[1] == 0 && (answer[2] & 0xff) == 0x80 && code >= 0 && code <= 4;
        boolean same = Arrays.equals(question, 4, 8, answer, 4, 8);
        boolean end = answer[8] == 0 && answer[9] == 60 && answer[10] == 0 && answer[11] == 0;
        if (!head || !same || !end) {
            return "a header that cannot be";
        }
        if (answer.length == 12) {
            return code == 0 ? "no list" : "";
        }
        int size = (answer[14] & 0xff) << 8 | answer[15] & 0xff;
        return code == 0 && answer[13] == 0 && size + 12 == answer.length ? "" : "a list that cannot be";
    }

    @Test
    void theDoorStandsWhateverComes() {
        run(200_000, 1);
    }

    /** Nor is any answer to a request that is well-formed. */
    @Test
    void malformedRequestsAreNotAmplified() {
        SplittableRandom random = new SplittableRandom(20_261_123);
        List<byte[]> seeds = seeds(random);
        long faults = 0;
        while (faults < 100_000) {
            byte[] question = mutated(seeds.get(random.nextInt(seeds.size())), random);
            byte[] answer = stand.ask(ProxidorDoorFixture.CUSTOMER, question);
            assertThat(answer.length).as(HexFormat.of().formatHex(question)).isLessThanOrEqualTo(question.length);
            faults = stand.count(ProxidorCount.RESPONSES_FORMAT) + stand.count(ProxidorCount.DROPS_MALFORMED);
        }
    }

    @Test
    @Tag("long")
    void theDoorStandsWhateverComesForLong() {
        for (long seed = 2; seed < 52; seed++) {
            run(200_000, seed);
        }
    }

    @Test
    void aClientStandsWhateverAnswers() {
        SplittableRandom random = new SplittableRandom(3);
        int read = 0;
        for (int i = 0; i < 50_000; i++) {
            List<Candidate> candidates = new ArrayList<>();
            for (int k = 0; k < 2 + i % 8; k++) {
                Address address = (i & 1) == 0 ? ProxidorDoorFixture.anyIpv4(random) : ProxidorDoorFixture.anyIpv6(random);
                candidates.add((i & 2) == 0 ? Candidate.of(address) : Candidate.of(address.prefix()));
            }
            ProxidorRequest question = new ProxidorRequest(candidates, Optional.empty());
            byte[] answer = mutated(stand.ask(ProxidorDoorFixture.CUSTOMER, question.write(i)), random);
            try {
                int[] order = question.read(answer, answer.length, i).order();
                assertThat(Arrays.stream(order).distinct().count()).isEqualTo(order.length);
                read++;
            } catch (Malformed e) {
                assertThat(e.offset()).isBetween(0L, (long) answer.length);
            }
        }
        assertThat(read).isBetween(5_000, 45_000);
    }
}
