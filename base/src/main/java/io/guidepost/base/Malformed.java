package io.guidepost.base;

/**
 * Says that untrusted bytes or text are not what they should be: the first reason, and where it stands.
 *
 * <p>It carries no stack trace: it describes the input, not the program, and is made once per refused input. Code on
 * the packet path does not throw it; there a codec returns a reason code instead.
 */
public final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final long offset;

    /**
     * Describes a fault at a position.
     *
     * @param reason what was wrong and what would be right, as a sentence without a full stop
     * @param offset bytes (or characters of a line) from the start of the input to the fault
     */
    public Malformed(String reason, long offset) {
        super(reason + " (at offset " + offset + ")", null, false, false);
        this.reason = reason;
        this.offset = offset;
    }

    /** What was wrong and what would be right, without the position: for whoever tells that in another way. */
    public String reason() {
        return reason;
    }

    /** Bytes from the start of the input to the fault. */
    public long offset() {
        return offset;
    }
}
