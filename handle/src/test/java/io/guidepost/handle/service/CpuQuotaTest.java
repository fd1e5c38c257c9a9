package io.guidepost.handle.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What senders may cost: each for itself, all together, and those whose addresses may be invented apart. */
class CpuQuotaTest {
    private static final int SECOND = CpuQuota.SENDER_MICROS_PER_SECOND;

    private final AtomicLong millis = new AtomicLong(1_000_000);

    private CpuQuota effort(int processors) {
        return new CpuQuota(() -> Instant.ofEpochMilli(millis.get()), processors);
    }

    private static InetAddress address(int last) {
        return InetAddress.ofLiteral("192.0.2." + last);
    }

    private static HandleRequest call(InetAddress from, HandleRequest.Transport transport) {
        return new HandleRequest(new byte[0], transport, new InetSocketAddress(from, 1), true);
    }

    private static int taken(CpuQuota effort, InetAddress from) {
        int taken = 0;
        while (effort.charge(from, SECOND / 10).isEmpty()) {
            taken++;
        }
        return taken;
    }

    @Test
    void aSenderHasWhatItSavedAndThenItsShare() {
        CpuQuota effort = effort(64);
        assertThat(taken(effort, address(1))).isEqualTo(100);
        millis.addAndGet(1_000);
        assertThat(taken(effort, address(1))).isEqualTo(10);
        assertThat(taken(effort, address(2))).isEqualTo(100);
        millis.addAndGet(3_600_000);
        assertThat(taken(effort, address(1))).isEqualTo(100);
    }

    @Test
    void aSenderOfSixIsItsNetwork() {
        CpuQuota effort = effort(64);
        assertThat(taken(effort, InetAddress.ofLiteral("2001:db8::1"))).isEqualTo(100);
        assertThat(taken(effort, InetAddress.ofLiteral("2001:db8::2"))).isZero();
        assertThat(taken(effort, InetAddress.ofLiteral("2001:db8:0:1::2"))).isEqualTo(100);
    }

    @Test
    void allTogetherHaveHalfOfTheMachine() {
        CpuQuota effort = effort(4);
        int taken = 0;
        for (int i = 1; i <= 50; i++) {
            taken += taken(effort, address(i));
        }
        assertThat(taken).isEqualTo(200);
        millis.addAndGet(1_000);
        assertThat(taken(effort, address(200))).isEqualTo(20);
    }

    @Test
    void sendersThatAreInventedLeaveTheOthersTheirs() {
        CpuQuota effort = effort(4);
        int taken = 0;
        for (int i = 1; i <= 200; i++) {
            while (effort.tryAcquire(call(address(i), HandleRequest.Transport.UDP), SECOND / 10)) {
                taken++;
            }
        }
        assertThat(taken).isEqualTo(100);
        assertThat(effort.tryAcquire(call(address(201), HandleRequest.Transport.TCP), SECOND)).isTrue();
    }

    @Test
    void aWrongProofIsLikeLongWork() {
        CpuQuota effort = effort(64);
        int wrong = 0;
        while (effort.charge(address(1), 1).isEmpty()) {
            effort.wrongProof(address(1));
            wrong++;
        }
        assertThat(wrong).isEqualTo(100);
    }
}
