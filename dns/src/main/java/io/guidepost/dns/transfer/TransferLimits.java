package io.guidepost.dns.transfer;

/** Bounds of transfers, each with its reason. */
final class TransferLimits {
    /** Transfers at a time: each holds a thread and reads the disk, and few secondaries are usual. */
    static final int TRANSFERS_MAX = 8;

    /** Bytes of changes that are kept for IXFR: some 200,000; secondaries that were away for longer get the whole zone. */
    static final long JOURNAL_BYTES_MAX = 64 << 20;

    private TransferLimits() {}
}
