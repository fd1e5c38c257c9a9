package io.guidepost.alto.proxidor;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.base.Address;
import java.lang.management.ManagementFactory;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A question allocates nothing, whichever way it is answered. */
class ProxidorAllocationTest {
    private static final int QUESTIONS = 30_000;

    /** On a busy machine the compiler comes late. */
    private static final int TRIES = 20;

    private static byte[] question(int size, boolean ipv6, boolean prefixes) {
        SplittableRandom random = new SplittableRandom(size);
        List<Candidate> candidates = Stream.generate(() -> ipv6 ? ProxidorDoorFixture.anyIpv6(random) : ProxidorDoorFixture.anyIpv4(random))
                .limit(size)
                .map(each -> prefixes ? Candidate.of(each.prefix()) : Candidate.of(each))
                .toList();
        return new ProxidorRequest(candidates, Optional.of(ProxidorDoorFixture.FAR_CUSTOMER.prefix())).write(size);
    }

    @Test
    void questionsAllocateNothing() {
        ProxidorDoorFixture stand = new ProxidorDoorFixture(false);
        List<byte[]> questions = List.of(
                question(20, false, false), question(20, true, false), question(20, false, true), question(20, true, true));
        for (byte[] question : questions) {
            assertFree(stand, ProxidorDoorFixture.CUSTOMER, question);
            assertFree(stand, ProxidorDoorFixture.PROXY, question);
            assertFree(stand, Address.ofIpv4(1), question);
        }
        assertFree(stand, ProxidorDoorFixture.CUSTOMER, new byte[] {1, 2, 3});
        assertFree(stand, ProxidorDoorFixture.CUSTOMER, new byte[ProxidorWire.HEADER_BYTES]);
        assertThat(stand.count(ProxidorCount.RESPONSES_NO_ERROR)).isPositive();
        assertThat(stand.count(ProxidorCount.RESPONSES_UNKNOWN_SOURCE)).isPositive();
        assertThat(stand.count(ProxidorCount.RESPONSES_FORMAT)).isPositive();
    }

    private static void assertFree(ProxidorDoorFixture stand, Address peer, byte[] question) {
        stand.repeat(peer, question, QUESTIONS);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        // The code may be compiled on the way, which costs a little once; one byte a question would be 30,000 each time.
        for (int i = 0; i < TRIES && least >= QUESTIONS / 3; i++) {
            long before = threads.getThreadAllocatedBytes(thread);
            stand.repeat(peer, question, QUESTIONS);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(least)
                .as(HexFormat.of().formatHex(question))
                .isLessThan(QUESTIONS / 3);
    }
}
