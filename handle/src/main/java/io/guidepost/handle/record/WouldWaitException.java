package io.guidepost.handle.record;

/**
 * Thrown on a thread that must not wait, where the disk or another server would have to be asked: a thread that may wait begins
 * again. Nothing was changed. It is a signal, and has no stack.
 */
public final class WouldWaitException extends RuntimeException {
    /** The only one. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // Without a stack one is like another, and the door's threads allocate nothing.
    public static final WouldWaitException SIGNAL = new WouldWaitException();

    private static final long serialVersionUID = 1L;

    private WouldWaitException() {
        super("the disk or another server would have to be asked", null, false, false);
    }
}
