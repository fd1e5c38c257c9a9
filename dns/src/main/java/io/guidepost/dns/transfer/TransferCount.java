package io.guidepost.dns.transfer;

/** What happens with transfers of the zone, one row each. */
public enum TransferCount {
    /** Whole zones that were sent (AXFR, or IXFR whose changes are no longer known). */
    TRANSFERS_FULL,
    /** Changes that were sent (IXFR). */
    TRANSFERS_INCREMENTAL,
    /** IXFR of secondaries that had all changes. */
    TRANSFERS_CURRENT,
    /** Transfers that ended early: the secondary was gone, too slow, or the store could not be read. */
    TRANSFERS_FAILED,
    /** Transfers that were refused, as too many were under way. */
    TRANSFERS_REFUSED,
    /** NOTIFY sent, repeated ones included. */
    NOTIFIES_SENT,
    /** NOTIFY that a secondary acknowledged. */
    NOTIFIES_ACKNOWLEDGED,
    /** NOTIFY that a secondary did not acknowledge after all repetitions. */
    NOTIFIES_GIVEN_UP
}
