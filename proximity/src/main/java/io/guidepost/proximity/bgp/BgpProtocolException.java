package io.guidepost.proximity.bgp;

/** A protocol error of the peer that ends the session. It carries no stack trace. */
final class BgpProtocolException extends Exception {
    private final BgpNotification notification;

    /**
     * Creates an error.
     *
     * @param notification sent to the peer
     * @param reason what was wrong, as a sentence without a full stop
     */
    BgpProtocolException(BgpNotification notification, String reason) {
        super(reason, null, false, false);
        this.notification = notification;
    }

    /** Returns what was wrong. */
    String reason() {
        return String.valueOf(getMessage());
    }

    /** Returns the NOTIFICATION for the peer. */
    BgpNotification notification() {
        return notification;
    }
}
