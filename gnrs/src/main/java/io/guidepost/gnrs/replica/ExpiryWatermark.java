package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The newest stamp of all bindings that ended here and are gone, or had ended when they came. One that has ended by this
 * server's clock may stand at others, whose clocks are behind. An UPDATE with an older stamp would meet nothing here and be
 * taken, and would leave the binding standing there: what a quorum confirmed would not be so. So strict changes must be
 * newer than this, too.
 *
 * <p>One number for all records is enough: where clocks agree a change is newer than anything that has had the time to end.
 * It is lost with the process; then the clocks that differ are to blame. Written and read by the
 * committer.
 */
public final class ExpiryWatermark {
    private final AtomicLong newest = new AtomicLong();

    /** The stamp, 0 if nothing has ended here. */
    public long newest() {
        return newest.get();
    }

    /** Hears of what other servers know of a record: what of it has ended by this server's clock is not kept at all. */
    public void came(byte[] change, long nowMillis) {
        MemorySegment image = MemorySegment.ofArray(change);
        for (int i = 0; i < RecordImage.bindings(image, 0); i++) {
            long expiry = expiry(image, i);
            if (expiry != 0 && expiry <= nowMillis) {
                newest.accumulateAndGet(RecordImage.stamp(image, 0, i), Math::max);
            }
        }
    }

    private static long expiry(MemorySegment image, int binding) {
        return image.get(PeerWire.LONG, RecordImage.expiries(image, 0) + 8L * binding);
    }

    /** Hears of a change of a record, see {@link io.guidepost.store.RecordStore.Observer}. */
    void changed(byte @Nullable [] before, byte @Nullable [] after) {
        if (before == null) {
            return;
        }
        MemorySegment old = MemorySegment.ofArray(before);
        if ((RecordImage.flags(old, 0) & RecordImage.STAMPED) == 0) {
            return;
        }
        long left = after == null ? 0 : RecordImage.newest(MemorySegment.ofArray(after), 0);
        long gone = 0;
        for (int i = 0; i < RecordImage.bindings(old, 0); i++) {
            if (expiry(old, i) != 0) {
                gone = Math.max(gone, RecordImage.stamp(old, 0, i));
            }
        }
        if (gone > left) {
            newest.accumulateAndGet(gone, Math::max);
        }
    }
}
