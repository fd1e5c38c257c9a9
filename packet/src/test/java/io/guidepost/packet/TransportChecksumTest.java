package io.guidepost.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.packet.frame.Ethernet;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.memory.FrameRing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransportChecksumTest {
    private final FramePool pool = new FramePool(256, 2048, 256);
    private final Burst burst = Burst.ofFrames(pool.view("test"), 8, 0);

    @AfterEach
    void close() {
        pool.close();
    }

    private static int place(Burst in, int index) {
        int state = in.checksum(index);
        assertThat(TransportChecksum.isPartial(state)).isTrue();
        return TransportChecksum.start(state) << 8 | TransportChecksum.field(state);
    }

    @Test
    void itSaysWhatItWasToldAndNothingAtFirst() {
        burst.append(60);
        assertThat(burst.checksum(0)).isEqualTo(TransportChecksum.UNKNOWN);
        for (int state : new int[] {
            TransportChecksum.RIGHT, TransportChecksum.WRONG, TransportChecksum.UNKNOWN, TransportChecksum.partial(34, 6)
        }) {
            burst.checksum(0, state);
            assertThat(burst.checksum(0)).isEqualTo(state);
            assertThat(burst.length(0)).isEqualTo(60);
        }
        assertThat(TransportChecksum.isPartial(TransportChecksum.WRONG)).isFalse();
        int last = TransportChecksum.partial(65_535, 255);
        assertThat(TransportChecksum.start(last)).isEqualTo(65_535);
        assertThat(TransportChecksum.field(last)).isEqualTo(255);
    }

    @Test
    void aPlaceThatIsNotInTheFrameIsRefused() {
        burst.append(42);
        burst.checksum(0, TransportChecksum.partial(34, 6));
        assertThatThrownBy(() -> burst.checksum(0, TransportChecksum.partial(34, 7)))
                .hasMessage("a checksum from 34, 7 behind it, is not in a frame of 42 bytes");
        assertThatThrownBy(() -> TransportChecksum.partial(-1, 6)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TransportChecksum.partial(34, 256)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TransportChecksum.partial(65_536, 6)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void itGoesWithTheFrame() {
        burst.append(60);
        burst.checksum(0, TransportChecksum.partial(34, 16));
        Burst same = Burst.ofFrames(pool.view("same"), 8, 0);
        assertThat(same.take(burst, 0)).isTrue();
        assertThat(place(same, 0)).isEqualTo(34 << 8 | 16);
        FramePool other = new FramePool(256, 2048, 256);
        Burst copied = Burst.ofFrames(other.view("copied"), 8, 0);
        assertThat(copied.take(same, 0)).isTrue();
        assertThat(place(copied, 0)).isEqualTo(34 << 8 | 16);
        FrameRing ring = new FrameRing(8, 8, pool.view("sends"), pool.view("receives"));
        same.append(100);
        same.mark(1, 77);
        assertThat(ring.tx().send(same)).isZero();
        Burst received = ring.rx().burst();
        assertThat(ring.rx().receive(received)).isEqualTo(2);
        assertThat(place(received, 0)).isEqualTo(34 << 8 | 16);
        assertThat(received.length(0)).isEqualTo(60);
        assertThat(received.checksum(1)).isEqualTo(TransportChecksum.UNKNOWN);
        assertThat(received.length(1)).isEqualTo(100);
        assertThat(received.mark(1)).isEqualTo(77);
        other.close();
    }

    @Test
    void itsPlaceMovesWithTheHeadersInFront() {
        burst.append(60);
        burst.checksum(0, TransportChecksum.partial(34, 6));
        Ethernet.push(burst, 0, HeaderParser.VLAN, 5);
        Ethernet.push(burst, 0, HeaderParser.VLAN, 6);
        assertThat(place(burst, 0)).isEqualTo(42 << 8 | 6);
        Ethernet.pop(burst, 0);
        assertThat(place(burst, 0)).isEqualTo(38 << 8 | 6);
        // What is cut off behind the field matters to the sum alone, and what the field is cut off with to nobody.
        burst.reshape(0, burst.offset(0), 46);
        assertThat(place(burst, 0)).isEqualTo(38 << 8 | 6);
        burst.reshape(0, burst.offset(0), 45);
        assertThat(burst.checksum(0)).isEqualTo(TransportChecksum.UNKNOWN);
        burst.checksum(0, TransportChecksum.partial(30, 6));
        burst.reshape(0, burst.offset(0) + 31, 14);
        assertThat(burst.checksum(0)).isEqualTo(TransportChecksum.UNKNOWN);
        burst.checksum(0, TransportChecksum.RIGHT);
        burst.reshape(0, burst.offset(0) - 31, 45);
        assertThat(burst.checksum(0)).isEqualTo(TransportChecksum.RIGHT);
    }
}
