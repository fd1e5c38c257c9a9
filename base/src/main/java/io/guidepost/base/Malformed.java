package io.guidepost.base;

/**
 * Thrown when untrusted bytes or text are malformed: the first reason and its position.
 *
 * <p>It has no stack trace: it describes the input, not the program. Code on the packet path returns a reason code
 * instead of throwing it.
 */
public final class Malformed extends Exception {
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

    /** Returns what was wrong and what would be right, without the position, for callers with their own wording. */
    public String reason() {
        return reason;
    }

    /** Returns the offset in bytes from the start of the input to the fault. */
    public long offset() {
        return offset;
    }
}
