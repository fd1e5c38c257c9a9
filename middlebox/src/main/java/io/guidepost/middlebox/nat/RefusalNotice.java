package io.guidepost.middlebox.nat;

import java.lang.System.Logger;

/** Tells the log when new flows begin to be refused for a reason, and when that is over. Any thread tells it, one looks. */
final class RefusalNotice {
    private static final Logger LOG = System.getLogger(RefusalNotice.class.getName());

    private final NatCount count;
    private final String reason;
    private volatile long lastMillis = Long.MIN_VALUE;
    private boolean told;

    RefusalNotice(NatCount count, String reason) {
        this.count = count;
        this.reason = reason;
    }

    /** Returns the counter of the reason. */
    NatCount count() {
        return count;
    }

    void refused(long nowMillis) {
        if (lastMillis != nowMillis) {
            lastMillis = nowMillis;
        }
    }

    void look(long nowMillis) {
        long last = lastMillis;
        boolean lasts = last != Long.MIN_VALUE && nowMillis - last < NatLimits.NOTICE_MILLIS;
        if (lasts != told) {
            told = lasts;
            LOG.log(lasts ? Logger.Level.WARNING : Logger.Level.INFO, lasts
                    ? reason + ": new flows are refused"
                    : "for " + NatLimits.NOTICE_MILLIS / 1000 + " s no flow was refused because " + reason);
        }
    }
}
