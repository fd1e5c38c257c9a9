package io.guidepost.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.dns.wire.DnsWire;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.CookieOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Type;

/** A question of type A, AAAA or SRV allocates nothing, nor does one that is answered with an error. */
class DnsAllocationTest {
    private static final int QUESTIONS = 10_000;

    /** On a busy machine the compiler comes late. */
    private static final int TRIES = 20;

    @Test
    void questionsAllocateNothing() throws Exception {
        try (DnsDoorFixture stand = new DnsDoorFixture(true)) {
            stand.put("printer", "20.0.0.1:4444", "30.0.0.1:4445", "[2001:db8:30::7]:80");
            for (byte[] question : List.of(
                    DnsQuestions.plain("printer", Type.A),
                    DnsQuestions.extended("printer", Type.AAAA, new CookieOption(new byte[8])),
                    DnsQuestions.extended("_ipp._udp.printer", Type.SRV, new ClientSubnetOption(8, InetAddress.ofLiteral("10.0.0.0"))),
                    DnsQuestions.plain("nothing", Type.A),
                    DnsQuestions.plain("printer", Type.MX),
                    DnsQuestions.about("example.", Type.A, DClass.IN),
                    new byte[DnsWire.HEADER_BYTES])) {
                assertFree(stand, question);
            }
            assertThat(stand.count(DnsCount.RESPONSES_NO_ERROR)).isPositive();
            assertThat(stand.count(DnsCount.ORDERED_RESPONSES)).isPositive();
        }
    }

    private static void assertFree(DnsDoorFixture stand, byte[] question) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        // The code is compiled on the way, which costs a little once; one byte a question would be 10,000 each time.
        for (int i = 0; i < TRIES && least >= QUESTIONS / 3; i++) {
            long before = threads.getThreadAllocatedBytes(thread);
            stand.repeat(DnsDoorFixture.CLIENT, question, QUESTIONS);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(least).as(HexFormat.of().formatHex(question)).isLessThan(QUESTIONS / 3);
    }
}
