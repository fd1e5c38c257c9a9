package io.guidepost.scaffold.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.resume.KeptBytes;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.SegmentWriter;
import io.guidepost.scaffold.segment.TcpOptions;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which connections can go on at another instance. */
class ResumableFlowTest {
    private static final FlowTuple TUPLE =
            new FlowTuple(0, Addresses.ipv4Low(0x6440_0001), 0, Addresses.ipv4Low(0x6440_0101), 40_000 << 16 | 80, IpPacket.TCP);

    private final SegmentWriter segments = new SegmentWriter();
    private final AtomicInteger refused = new AtomicInteger();
    private final KeptBytes room = new KeptBytes(60, refused::incrementAndGet);

    private IpPacket segment(boolean fromPeer, int sequence, int acknowledgment, int flags, String data) {
        byte[] bytes = data.getBytes(StandardCharsets.US_ASCII);
        return segments.write(
                TUPLE, fromPeer, SegmentWriter.Numbers.of(sequence, acknowledgment, flags, 1_000), bytes, 0, bytes.length);
    }

    private ResumableFlow connection() {
        IpPacket syn = segments.write(TUPLE, false, SegmentWriter.Numbers.of(100, 0, Tcp.SYN, 1_000), new byte[0], 0, 0);
        IpPacket synAck = new SegmentWriter()
                .write(TUPLE, true, SegmentWriter.Numbers.of(700, 101, Tcp.SYN | Tcp.ACK, 1_000), new byte[0], 0, 0);
        return new ResumableFlow(syn, synAck, false, new ResumableFlow.Shared(new TcpOptions(), 1 << 20, room));
    }

    @Test
    void aConnectionWithoutARequestGoesOn() {
        assertThat(connection().canResume()).isTrue();
    }

    private IpPacket clocked(boolean fromPeer, int sequence, int acknowledgment, int flags, int clock) {
        return new SegmentWriter().write(
                TUPLE, fromPeer, new SegmentWriter.Numbers(sequence, acknowledgment, flags, 1_000, true, clock, 0), new byte[0], 0, 0);
    }

    /** What goes on to the client later must not look older than what it has: it would be refused for good. */
    @Test
    void theTimestampOfASegmentThatWasOvertakenIsNotTheNewest() {
        ResumableFlow flow = new ResumableFlow(
                clocked(false, 100, 0, Tcp.SYN, 5),
                clocked(true, 700, 101, Tcp.SYN | Tcp.ACK, 7),
                false,
                new ResumableFlow.Shared(new TcpOptions(), 1 << 20, room));
        flow.fromInstance(clocked(true, 701, 101, Tcp.ACK, 20));
        flow.fromInstance(clocked(true, 701, 101, Tcp.ACK, 19));
        flow.fromClient(clocked(false, 101, 701, Tcp.ACK, 31));
        flow.fromClient(clocked(false, 101, 701, Tcp.ACK, 30));

        assertThat(flow.instanceClock()).isEqualTo(20);
        assertThat(flow.clientClock()).isEqualTo(31);
    }

    /** As ssh, SMTP and databases do: the next one's greeting would be taken for a part of the first one's. */
    @Test
    void anInstanceThatSpeaksFirstCannotBeFollowed() {
        ResumableFlow flow = connection();

        assertThat(flow.fromInstance(segment(true, 701, 101, Tcp.ACK, "SSH-2.0"))).isEqualTo(ResumableFlow.Verdict.PASS);
        assertThat(flow.canResume()).isFalse();
    }

    /** What all connections keep together is bounded, and is free again when it is not needed any more. */
    @Test
    void aRequestForWhichThereIsNoRoomIsNotRepeated() {
        ResumableFlow first = connection();
        first.fromClient(segment(false, 101, 701, Tcp.ACK, "GET /".concat("a".repeat(40))));
        ResumableFlow second = connection();
        second.fromClient(segment(false, 101, 701, Tcp.ACK, "GET /".concat("a".repeat(40))));
        assertThat(first.canResume()).isTrue();
        assertThat(second.refusal()).contains("all connections together");
        assertThat(refused).hasValue(1);

        first.forget();
        assertThat(room.taken()).isZero();
        ResumableFlow third = connection();
        third.fromClient(segment(false, 101, 701, Tcp.ACK, "GET / HTTP/1.1\r\n\r\n"));
        third.fromInstance(segment(true, 701, 119, Tcp.ACK, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"));
        third.fromInstance(segment(true, 760, 119, Tcp.ACK, "behind a gap"));
        assertThat(room.taken()).isEqualTo(18 + 12);
        assertThat(third.fromInstance(segment(true, 780, 119, Tcp.ACK, "more than there is room for, here")))
                .isEqualTo(ResumableFlow.Verdict.DROP);
        assertThat(third.canResume()).isTrue();

        third.forget();
        assertThat(room.taken()).isZero();
    }

    @Test
    void nothingFollowsBehindTheEndOfAResponse() {
        ResumableFlow flow = connection();
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        flow.fromClient(segment(false, 101, 701, Tcp.ACK, "GET / HTTP/1.1\r\n\r\n"));
        flow.fromInstance(segment(true, 701, 119, Tcp.ACK, response));
        assertThat(flow.canResume()).isTrue();

        flow.fromInstance(segment(true, 701 + response.length(), 119, Tcp.ACK, "x"));
        assertThat(flow.canResume()).isFalse();
    }

    /** A kernel that sends again may fill a segment with what it has more: of the response before, and of this one. */
    @Test
    void aSegmentOfTwoResponsesCountsInTheSecond() {
        ResumableFlow flow = connection();
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        int first = 701;
        int second = first + response.length();
        flow.fromClient(segment(false, 101, first, Tcp.ACK, "GET / HTTP/1.1\r\n\r\n"));
        flow.fromInstance(segment(true, first, 119, Tcp.ACK, response));
        flow.fromClient(segment(false, 119, second, Tcp.ACK, "GET / HTTP/1.1\r\n\r\n"));

        flow.fromInstance(segment(true, first, 137, Tcp.ACK, response + response.substring(0, 11)));
        IpPacket rest = segment(true, second + 11, 137, Tcp.ACK, response.substring(11));
        assertThat(flow.fromInstance(rest)).isEqualTo(ResumableFlow.Verdict.PASS);
        assertThat(flow.given()).isEqualTo(2L * response.length());
    }

    @Test
    void anEndBeforeTheEndOfTheMessageIsACut() {
        ResumableFlow flow = connection();
        flow.fromClient(segment(false, 101, 701, Tcp.ACK, "GET / HTTP/1.1\r\n\r\n"));

        assertThat(flow.fromInstance(segment(true, 701, 119, Tcp.FIN | Tcp.ACK, ""))).isEqualTo(ResumableFlow.Verdict.CUT);
        flow.fromInstance(segment(true, 701, 119, Tcp.ACK, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no"));
        assertThat(flow.fromInstance(segment(true, 740, 119, Tcp.RST, ""))).isEqualTo(ResumableFlow.Verdict.CUT);
        assertThat(flow.canResume()).isTrue();
    }
}
