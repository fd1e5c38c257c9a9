package io.guidepost.proximity.bgp;

/** Says that a peer broke the protocol in a way that ends the session. It carries no stack trace. */
final class BgpProtocolException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient BgpNotification notification;
    private final String reason;

    /**
     * Describes a fault.
     *
     * @param notification what the peer is told
     * @param reason what was wrong, as a sentence without a full stop
     */
    BgpProtocolException(BgpNotification notification, String reason) {
        super(reason, null, false, false);
        this.notification = notification;
        this.reason = reason;
    }

    /** What was wrong. */
    String reason() {
        return reason;
    }

    /** What the peer is told. */
    BgpNotification notification() {
        return notification;
    }
}
