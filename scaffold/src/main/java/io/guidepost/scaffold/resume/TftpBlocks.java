package io.guidepost.scaffold.resume;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A download by TFTP (RFC 1350, options of RFC 2347 to 2349) that goes on at another instance: it is asked for the file again, its blocks
 * are acknowledged and compared until the client's last one, and go on to the client from then on. The client's program notices
 * nothing, as one block is under way at a time; windows of several (RFC 7440) are not repeated. Not thread-safe.
 */
public final class TftpBlocks {
    /** The port that is asked; the answers come from another one. */
    public static final int PORT = 69;

    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int DATA = 3;
    private static final int ACK = 4;
    private static final int ERROR = 5;
    private static final int OPTIONS = 6;
    private static final int HEADER_BYTES = 4;
    private static final int BLOCK_BYTES = 512;
    private static final byte[] NOTHING = {};

    private final byte[] request;
    private final long bytesMax;
    private final DeliveredBytes delivered = new DeliveredBytes();
    private byte[] options = NOTHING;

    /** The newest block that went on to the client, and the newest that it has acknowledged; the answer to options is block 0. */
    private long block = -1;

    private long acknowledged = -1;
    private boolean isLast;
    private boolean over;

    private DeliveredBytes.@Nullable Comparison comparison;
    private long repeated;
    private byte[] answer = NOTHING;

    /** What is to be done with a datagram of the next instance. */
    public enum Step {
        /** {@link #answer} goes to the instance. */
        ANSWER,
        /** {@link #answer} goes to the instance, and what comes then goes on to the client. */
        DONE,
        /** It goes on to the client, and so does what comes then. */
        PASS,
        /** Nothing. */
        NONE,
        /** The instance has no such file, or gives other bytes than the client has. */
        DIFFERS
    }

    private TftpBlocks(byte[] request, long bytesMax) {
        this.request = request;
        this.bytesMax = bytesMax;
    }

    /**
     * Returns the download that a datagram begins; null if it begins none.
     *
     * @param bytesMax bytes that may be asked for once more
     */
    public static @Nullable TftpBlocks of(byte[] datagram, long bytesMax) {
        return opcode(datagram) == READ ? new TftpBlocks(datagram, bytesMax) : null;
    }

    private static int opcode(byte[] datagram) {
        return datagram.length < HEADER_BYTES ? 0 : ByteBuffer.wrap(datagram).getShort();
    }

    /** Returns whether a datagram asks for a transfer: it goes to {@link #PORT}, and the answer may come from a new port. */
    public static boolean asks(byte[] datagram) {
        return opcode(datagram) == READ || opcode(datagram) == WRITE;
    }

    private static int number(byte[] datagram) {
        return Short.toUnsignedInt(ByteBuffer.wrap(datagram).getShort(2));
    }

    private static boolean isBlock(byte[] datagram, long number) {
        return number(datagram) == (number & 0xffff);
    }

    /** Takes a datagram of the client, which goes on to the instance. */
    public void fromClient(byte[] datagram) {
        if (opcode(datagram) == ACK && block >= 0 && isBlock(datagram, block)) {
            acknowledged = block;
        }
        over |= opcode(datagram) == ERROR;
    }

    /** Takes a datagram of the instance, which goes on to the client. */
    public void fromInstance(byte[] datagram) {
        if (opcode(datagram) == OPTIONS && block < 0) {
            options = datagram;
            block = 0;
        } else if (opcode(datagram) == DATA && isBlock(datagram, Math.max(0, block) + 1)) {
            delivered.take(delivered.withoutGap(), Arrays.copyOfRange(datagram, HEADER_BYTES, datagram.length));
            block = Math.max(0, block) + 1;
            isLast = datagram.length - HEADER_BYTES < number("blksize", BLOCK_BYTES);
        }
        over |= opcode(datagram) == ERROR;
    }

    /** Returns whether the client has something that another instance has to repeat. */
    public boolean hasBegun() {
        return block >= 0;
    }

    /** Returns whether the client has all, or one of both has ended it. */
    public boolean isOver() {
        return over || isLast && acknowledged == block;
    }

    /** Returns the value of an option that the instance has agreed to. */
    private int number(String option, int otherwise) {
        String[] words = new String(options, StandardCharsets.ISO_8859_1).split("\0", -1);
        for (int i = 0; i + 1 < words.length; i++) {
            if (words[i].toLowerCase(Locale.ROOT).endsWith(option) && words[i + 1].matches("[0-9]{1,5}")) {
                return Integer.parseInt(words[i + 1]);
            }
        }
        return otherwise;
    }

    /** Returns why no other instance can go on; empty if one can. */
    public String refusal() {
        if (isOver()) {
            return "the transfer is over";
        }
        if (number("windowsize", 1) > 1) {
            return "several blocks are under way at a time";
        }
        return delivered.withoutGap() > bytesMax ? "more than " + (bytesMax >> 20) + " MiB would have to be repeated" : "";
    }

    /** Begins at another instance; returns the request, which it gets. */
    public byte[] repeat() {
        comparison = delivered.compare();
        repeated = -1;
        answer = request;
        return request;
    }

    /** Returns what the instance got last, and gets again if it does not answer. */
    public byte[] answer() {
        return answer;
    }

    /** Takes a datagram of the next instance. */
    public Step next(byte[] datagram) {
        DeliveredBytes.Comparison with = comparison;
        if (with == null || opcode(datagram) == ERROR) {
            return Step.DIFFERS;
        }
        boolean isData = opcode(datagram) == DATA;
        long number = isData ? Math.max(0, repeated) + 1 : 0;
        if (isData ? !isBlock(datagram, number) : opcode(datagram) != OPTIONS || repeated >= 0) {
            return isData && isBlock(datagram, repeated) ? Step.ANSWER : Step.NONE;
        }
        if (isData == (repeated < 0 && options.length > 0) || !isData && !Arrays.equals(datagram, options)) {
            return Step.DIFFERS;
        }
        repeated = number;
        int fresh = isData ? with.take(Arrays.copyOfRange(datagram, HEADER_BYTES, datagram.length)).length : 0;
        if (with.differs() || fresh > 0 || number == block && with.left() > 0) {
            return Step.DIFFERS;
        }
        if (number == block && acknowledged < block) {
            return Step.PASS;
        }
        answer = ByteBuffer.allocate(HEADER_BYTES).putShort((short) ACK).putShort((short) number).array();
        return number == block ? Step.DONE : Step.ANSWER;
    }

    /** Returns what tells the client that no instance goes on. */
    public static byte[] error() {
        byte[] text = "no instance goes on".getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(HEADER_BYTES + text.length + 1).putShort((short) ERROR).putShort((short) 0).put(text).array();
    }
}
