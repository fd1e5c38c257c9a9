package io.guidepost.scaffold.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A download by TFTP goes on at another instance. */
class TftpBlocksTest {
    private static final byte[] REQUEST = datagram(1, "file\0octet\0blksize\0008\0");
    private static final byte[] OPTIONS = datagram(6, "blksize\0008\0");

    private final TftpBlocks blocks = begun(REQUEST);

    private static TftpBlocks begun(byte[] request) {
        TftpBlocks begun = TftpBlocks.of(request, 1 << 20);
        if (begun == null) {
            throw new AssertionError("it asks for a file");
        }
        return begun;
    }

    private static byte[] datagram(int opcode, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(2 + bytes.length).putShort((short) opcode).put(bytes).array();
    }

    private static byte[] data(long block, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return ByteBuffer.allocate(4 + bytes.length).putShort((short) 3).putShort((short) block).put(bytes).array();
    }

    private static byte[] ack(long block) {
        return ByteBuffer.allocate(4).putShort((short) 4).putShort((short) block).array();
    }

    /** Has the first instance give so many blocks of eight bytes. */
    private void deliver(int count, boolean lastIsAcknowledged) {
        blocks.fromInstance(OPTIONS);
        for (int i = 1; i <= count; i++) {
            blocks.fromClient(ack(i - 1));
            blocks.fromInstance(data(i, "block%3d".formatted(i % 1_000)));
            blocks.fromInstance(data(i, "block%3d".formatted(i % 1_000)));
        }
        if (lastIsAcknowledged) {
            blocks.fromClient(ack(count));
        }
    }

    private TftpBlocks.Step repeat(int from, int to) {
        TftpBlocks.Step step = TftpBlocks.Step.NONE;
        for (int i = from; i <= to; i++) {
            step = blocks.next(data(i, "block%3d".formatted(i % 1_000)));
            if (i < to) {
                assertThat(step).isEqualTo(TftpBlocks.Step.ANSWER);
                assertThat(blocks.answer()).isEqualTo(ack(i));
            }
        }
        return step;
    }

    @Test
    void itGoesOnBehindTheLastBlockThatTheClientHas() {
        deliver(5, true);
        assertThat(blocks.refusal()).isEmpty();
        assertThat(blocks.repeat()).isEqualTo(REQUEST);
        assertThat(blocks.next(OPTIONS)).isEqualTo(TftpBlocks.Step.ANSWER);
        assertThat(blocks.answer()).isEqualTo(ack(0));
        assertThat(repeat(1, 5)).isEqualTo(TftpBlocks.Step.DONE);
        assertThat(blocks.answer()).isEqualTo(ack(5));
        blocks.fromInstance(data(6, "end"));
        assertThat(blocks.isOver()).isFalse();
        blocks.fromClient(ack(6));
        assertThat(blocks.isOver()).isTrue();
    }

    /** The client's acknowledgment may be under way: it gets the block once more. */
    @Test
    void aBlockThatIsNotAcknowledgedComesAgain() {
        deliver(3, false);
        blocks.repeat();
        blocks.next(OPTIONS);
        assertThat(repeat(1, 3)).isEqualTo(TftpBlocks.Step.PASS);
    }

    /** 65,535 is followed by 0; and a third instance begins anew. */
    @Test
    void numbersOfBlocksBeginAgain() {
        deliver(70_000, true);
        blocks.repeat();
        blocks.next(OPTIONS);
        repeat(1, 66_000);
        blocks.repeat();
        blocks.next(OPTIONS);
        assertThat(repeat(1, 70_000)).isEqualTo(TftpBlocks.Step.DONE);
    }

    @Test
    void otherBytesOrOptionsDoNotGoOn() {
        deliver(3, true);
        blocks.repeat();
        assertThat(blocks.next(data(1, "block  1"))).as("without the options").isEqualTo(TftpBlocks.Step.DIFFERS);
        blocks.repeat();
        assertThat(blocks.next(datagram(6, "blksize\0009\0"))).isEqualTo(TftpBlocks.Step.DIFFERS);
        blocks.repeat();
        blocks.next(OPTIONS);
        repeat(1, 2);
        assertThat(blocks.next(data(3, "BLOCK  3"))).isEqualTo(TftpBlocks.Step.DIFFERS);
        blocks.repeat();
        blocks.next(OPTIONS);
        repeat(1, 2);
        assertThat(blocks.next(data(3, "block  3 and more"))).isEqualTo(TftpBlocks.Step.DIFFERS);
        blocks.repeat();
        assertThat(blocks.next(datagram(5, "\0\1no such file\0"))).isEqualTo(TftpBlocks.Step.DIFFERS);
    }

    @Test
    void whatComesTwiceOrTooEarlyIsNotCompared() {
        deliver(4, true);
        blocks.repeat();
        blocks.next(OPTIONS);
        repeat(1, 2);
        assertThat(blocks.next(data(1, "block  1"))).isEqualTo(TftpBlocks.Step.NONE);
        assertThat(blocks.next(data(4, "block  4"))).isEqualTo(TftpBlocks.Step.NONE);
        assertThat(blocks.next(data(2, "block  2"))).isEqualTo(TftpBlocks.Step.ANSWER);
        assertThat(repeat(3, 4)).isEqualTo(TftpBlocks.Step.DONE);
    }

    @Test
    void uploadsWindowsAndWhatIsOverAreNotRepeated() {
        assertThat(TftpBlocks.of(datagram(2, "file\0octet\0"), 1)).isNull();
        assertThat(TftpBlocks.of(new byte[3], 1)).isNull();
        TftpBlocks windows = begun(REQUEST);
        windows.fromInstance(datagram(6, "blksize\0008\0windowsize\00016\0"));
        assertThat(windows.refusal()).contains("several blocks");
        deliver(2, true);
        blocks.fromClient(datagram(5, "\0\0enough\0"));
        assertThat(blocks.refusal()).contains("over");
    }
}
