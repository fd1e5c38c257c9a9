package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;

/**
 * How far a mirror is with a source: kept in the store, behind what it tells of.
 *
 * <pre>
 *  offset size
 *     0     1  0 follows, 1 in the middle of a dump
 *     1     8  number of the source's transaction from which on transactions are still to be fetched
 *     9     8  the source's time of that, milliseconds since 1970
 *    17     8  dumps: version in this store before the first record of the dump; 0 otherwise
 *    25   4+n  dumps: the last handle of it that is here; empty if none is
 * </pre>
 *
 * @param dumping whether a dump was begun and not ended
 * @param position up to where the source's changes are known; of a dump that which it began with
 * @param before version of the store before the dump; records of that or an older one are not from it
 * @param last the last handle of the dump that is here
 */
record MirrorCheckpoint(boolean dumping, TransactionPosition position, long before, Handle last) implements WireRecord {
    /** Nothing was fetched yet. */
    static final MirrorCheckpoint NONE = new MirrorCheckpoint(false, TransactionPosition.NONE, 0, Handle.NONE);

    /** All up to a position is here. */
    static MirrorCheckpoint following(TransactionPosition position) {
        return new MirrorCheckpoint(false, position, 0, Handle.NONE);
    }

    static MirrorCheckpoint read(byte[] bytes) throws Malformed {
        WireReader in = new WireReader(bytes);
        MirrorCheckpoint progress =
                new MirrorCheckpoint(in.u8() == 1, new TransactionPosition(in.u64(), in.u64()), in.u64(), in.handle());
        in.end();
        return progress;
    }

    @Override
    public void write(WireWriter out) {
        out.u8(dumping ? 1 : 0).u64(position.transactionId()).u64(position.dateMillis());
        out.u64(before).handle(last);
    }
}
