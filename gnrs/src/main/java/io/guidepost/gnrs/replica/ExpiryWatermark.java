package io.guidepost.gnrs.replica;

import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The watermark of expiry: the newest stamp of all bindings that expired here and are gone, or had expired when they
 * came. A binding that has expired by this server's clock may stand at peers whose clocks are behind. An UPDATE with an
 * older stamp would meet nothing here and be taken, while the binding stayed there: the quorum's confirmation would be
 * wrong. So strict changes must be newer than this watermark, too.
 *
 * <p>One number for all records is enough: where clocks agree a change is newer than any binding that has had the time
 * to expire. It is lost with the process; then only clock skew can do harm. The committer reads and writes it.
 */
public final class ExpiryWatermark {
    private final AtomicLong newest = new AtomicLong();

    /** Returns the stamp, 0 if no binding has expired here. */
    public long newest() {
        return newest.get();
    }

    /** Takes a change from a peer: bindings of it that have expired by this server's clock are not kept at all. */
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

    /** Takes a change of a record, see {@link io.guidepost.store.RecordStore.Observer}. */
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
