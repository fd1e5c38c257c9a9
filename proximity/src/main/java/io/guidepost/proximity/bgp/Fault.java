package io.guidepost.proximity.bgp;

/** Says that a peer broke the protocol in a way that ends the session. It carries no stack trace. */
final class Fault extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Notification notification;
    private final String reason;

    /**
     * Describes a fault.
     *
     * @param notification what the peer is told
     * @param reason what was wrong, as a sentence without a full stop
     */
    Fault(Notification notification, String reason) {
        super(reason, null, false, false);
        this.notification = notification;
        this.reason = reason;
    }

    /** What was wrong. */
    String reason() {
        return reason;
    }

    /** What the peer is told. */
    Notification notification() {
        return notification;
    }
}
