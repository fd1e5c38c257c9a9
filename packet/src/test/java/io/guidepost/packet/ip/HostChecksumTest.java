package io.guidepost.packet.ip;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.DatagramResponder;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a host makes of what a port says of checksums, and what it leaves to the port. */
class HostChecksumTest {
    /** A datagram of eight bytes to port 5001 of 10.0.0.2, whose checksum is wrong. */
    private static final byte[] BROKEN = HexFormat.of().parseHex("02000000000a02000000000b08004500002400004000401126c7"
            + "0a0000010a0000029c4013890010ffff7175657374696f6e");

    private static final int UDP = 34;

    private final MemoryLink link = new MemoryLink(FrameSettings.of("test"));
    private final Burst out = link.right().tx(0).burst();
    private final Burst in = link.right().rx(0).burst();
    private int answerBytes = 8;
    private final HostPort host =
            new HostPort(new CompletingPort(link.left()), HostPortSettings.of(5001, InterfaceAddress.parse("10.0.0.2/24")));
    private final DatagramResponder responder = new DatagramResponder(host.rx(0), host.tx(0), (question, i, answers) -> {
        for (int at = 0; at < answerBytes; at++) {
            Memory.put8(answers.room() + at, at * 7);
        }
        answers.append(answerBytes, question, i);
    });

    @AfterEach
    void close() {
        host.close();
        link.close();
    }

    private int answers(int state) {
        Memory.copy(BROKEN, 0, out.room(), BROKEN.length);
        out.append(BROKEN.length);
        out.checksum(0, state);
        assertThat(link.right().tx(0).send(out)).isZero();
        responder.work(0);
        return link.right().rx(0).receive(in);
    }

    @Test
    void whatTheDeviceFoundRightIsNotSummedAgain() {
        assertThat(answers(TransportChecksum.UNKNOWN)).isZero();
        assertThat(host.count(InterfaceCount.BAD_CHECKSUM)).isEqualTo(1);
        assertThat(answers(TransportChecksum.WRONG)).isZero();
        assertThat(host.count(InterfaceCount.BAD_CHECKSUM)).isEqualTo(2);
        assertThat(answers(TransportChecksum.RIGHT)).isEqualTo(1);
        assertThat(host.count(InterfaceCount.CHECKSUM_BY_DEVICE)).isEqualTo(1);
        assertThat(answers(TransportChecksum.partial(UDP, 6))).isEqualTo(1);
        assertThat(host.count(InterfaceCount.PARTIAL_CHECKSUM)).isEqualTo(1);
        assertThat(host.rx(0).statistics().drops(Drop.MALFORMED)).isEqualTo(2);
    }

    /** As of a packet in the datagram: completing it makes the outer one right or wrong, here wrong. */
    @Test
    void aPartialOneElsewhereIsCompletedFirst() {
        assertThat(answers(TransportChecksum.partial(UDP + 8, 4))).isZero();
        assertThat(host.count(InterfaceCount.BAD_CHECKSUM)).isEqualTo(1);
    }

    @Test
    void longAnswersAreLeftToTheDeviceAndRightWhenItHasCompletedThem() {
        HeaderParser headers = new HeaderParser();
        for (int bytes : new int[] {1, 511, 512, 513, 1_001, 1_400}) {
            answerBytes = bytes;
            assertThat(answers(TransportChecksum.RIGHT)).isEqualTo(1);
            assertThat(headers.read(in, 0)).isTrue();
            int expected = bytes < 512 ? TransportChecksum.UNKNOWN : TransportChecksum.partial(UDP, 6);
            assertThat(in.checksum(0)).as("%d bytes", bytes).isEqualTo(expected);
            InternetChecksum.complete(in, 0);
            assertThat(InternetChecksum.check(in, 0, headers)).isEqualTo(InternetChecksum.State.RIGHT);
        }
    }
}
