package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;

/**
 * A mirror's checkpoint: kept in the store, written after the changes that it covers.
 *
 * <pre>
 *  offset size
 *     0     1  0 follows, 1 in the middle of a dump
 *     1     8  number of the last transaction before those still to be fetched
 *     9     8  the source's time of it, milliseconds since 1970
 *    17     8  dumps: version in this store before the first record of the dump; 0 otherwise
 *    25   4+n  dumps: the last handle that arrived; empty if none
 * </pre>
 *
 * @param dumping whether a dump is in progress
 * @param position up to which the source's changes are known; during a dump, the position at its beginning
 * @param before version of the store before the dump; records with that or an older one are not from it
 * @param last the last handle of the dump that arrived
 */
record MirrorCheckpoint(boolean dumping, TransactionPosition position, long before, Handle last) implements WireRecord {
    /** Nothing was fetched yet. */
    static final MirrorCheckpoint NONE = new MirrorCheckpoint(false, TransactionPosition.NONE, 0, Handle.NONE);

    /** Returns the checkpoint of a mirror that has all changes up to a position. */
    static MirrorCheckpoint following(TransactionPosition position) {
        return new MirrorCheckpoint(false, position, 0, Handle.NONE);
    }

    static MirrorCheckpoint read(byte[] bytes) throws Malformed {
        return WireReader.whole(bytes, in -> new MirrorCheckpoint(
                in.u8() == 1, new TransactionPosition(in.u64(), in.u64()), in.u64(), in.handle()));
    }

    @Override
    public void write(WireWriter out) {
        out.u8(dumping ? 1 : 0).u64(position.transactionId()).u64(position.dateMillis());
        out.u64(before).handle(last);
    }
}
