package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LogCapture;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.FrameForwarder;
import io.guidepost.packet.worker.FrameHandler;
import io.guidepost.packet.worker.TxBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong offset in a handler drops its frame, and nothing else. */
class FrameBoundsTest {
    private static final int LENGTH = 60;

    /** Reads at an offset that the first byte of the frame does not reach: only frames that begin with 1 are read wrongly. */
    private static final class Careless implements FrameHandler {
        private final HeaderParser headers = new HeaderParser();
        private final int offset;

        Careless(int offset) {
            this.offset = offset;
        }

        @Override
        public int frame(Burst in, int index) {
            headers.read(in, index);
            return headers.frame().u8(0) == 1 ? headers.frame().u8(offset) & 0 : 0;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 30, LENGTH, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void aHandlerThatReadsOutsideOfItsFrameLosesThatFrameAlone(int offset) {
        try (MemoryLink in = new MemoryLink(FrameSettings.of("in"));
                MemoryLink out = new MemoryLink(FrameSettings.of("out").withPool(in.pool()));
                LogCapture log = new LogCapture(FrameForwarder.class)) {
            FrameForwarder forwarder = new FrameForwarder(
                    in.right().rx(0), new Careless(offset), new TxBuffer(out.left().tx(0)));
            Burst leaving = in.left().tx(0).burst();
            for (int first : new int[] {0, 1, 0}) {
                Memory.put8(leaving.room(), first);
                leaving.append(LENGTH);
            }
            in.left().tx(0).send(leaving);
            forwarder.work(0);
            assertThat(out.right().rx(0).receive(out.right().rx(0).burst())).isEqualTo(2);
            assertThat(in.right().rx(0).statistics().drops(Drop.FAULT)).isEqualTo(1);
            assertThat(log.messages()).hasSizeLessThanOrEqualTo(1);
        }
    }

    /** The parser knows frames by their least lengths; after each the view has the bounds of the last frame, not of one before. */
    @Test
    void theViewEndsWithTheFrameThatWasParsedLast() {
        try (MemoryLink in = new MemoryLink(FrameSettings.of("in"))) {
            Burst burst = in.left().tx(0).burst();
            long at = burst.room();
            burst.append(LENGTH);
            HeaderParser headers = new HeaderParser();
            for (int length : new int[] {LENGTH, 20, 42, 41, LENGTH, 0, 14, 54}) {
                headers.read(at, length);
                Frame frame = headers.frame();
                assertThat(frame.length()).isEqualTo(length).isEqualTo(headers.unchecked().length());
                assertThat(frame.address()).isEqualTo(at).isEqualTo(headers.unchecked().address());
                assertThatThrownBy(() -> frame.u8(length)).isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> frame.i64(length - 7)).isInstanceOf(IndexOutOfBoundsException.class);
                at++;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 28, -(1 << 28), 1000})
    void aHeaderEndsWhereItsBytesEnd(int number) {
        try (MemoryLink in = new MemoryLink(FrameSettings.of("in"))) {
            Burst burst = in.left().tx(0).burst();
            long at = burst.room();
            burst.append(LENGTH);
            Ethernet ethernet = new Ethernet();
            assertThat(ethernet.read(at, LENGTH)).isTrue();
            assertThatThrownBy(() -> ethernet.tag(number)).isInstanceOf(IndexOutOfBoundsException.class);
            Udp udp = new Udp();
            assertThat(udp.read(at, 3)).isFalse();
            assertThatThrownBy(udp::checksum).hasMessage("2 bytes at 6 of a frame or header with 3 bytes");
        }
    }
}
