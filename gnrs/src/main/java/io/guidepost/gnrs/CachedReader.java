package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A reader over all sources of records, in this order: records fetched for the current request, the local store where it
 * has bindings, and the cache of other servers' answers. It notes the GUIDs that none of these has, so that they can be fetched. Belongs
 * to one worker; used within the turns of the store's reader.
 */
final class CachedReader implements RecordReader {
    private final RecordReader own;
    private final PeerGateway relays;
    private final MemorySegment[] segments = new MemorySegment[1 + GnrsLimits.CHAIN_LOOKS_MAX];
    private final long[] positions = new long[1 + GnrsLimits.CHAIN_LOOKS_MAX];
    private @Nullable PendingLookup lookup;
    private int missing;
    private boolean remembered;

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private long ageMillis;
    private long nowMillis;

    CachedReader(RecordReader own, PeerGateway relays) {
        this.own = own;
        this.relays = relays;
    }

    /** Begins the reads of one request at a time, for which some records may have been fetched. */
    void begin(@Nullable PendingLookup question, long now) {
        lookup = question;
        nowMillis = now;
        missing = 0;
        remembered = false;
    }

    /** Returns the number of GUIDs that must be fetched. */
    int missing() {
        return missing;
    }

    MemorySegment missingSegment(int index) {
        return segments[index];
    }

    long missingPosition(int index) {
        return positions[index];
    }

    /** Returns whether the cache of other servers' answers supplied a record or a negative entry. */
    boolean remembered() {
        return remembered;
    }

    @Override
    public void enter() {
        own.enter();
    }

    @Override
    public void exit() {
        own.exit();
    }

    @Override
    public Found find(byte namespace, MemorySegment name, long position, int length) {
        PendingLookup.Look look = lookup == null ? null : lookup.look(name, position);
        if (look != null) {
            return found(look.image(), 0);
        }
        // A copy without bindings proves nothing: a write that a quorum has may not have come here.
        if (own.find(namespace, name, position, length) == Found.YES
                && RecordImage.bound(own.segment(), own.offset(), nowMillis)
                && !relays.ownMayLag(name, position)) {
            segment = own.segment();
            offset = own.offset();
            ageMillis = 0;
            return Found.YES;
        }
        MemorySegment known = relays.remembered(name, position);
        if (known == null) {
            return unknown(name, position);
        }
        remembered = true;
        return found(known, relays.rememberedAgeMillis());
    }

    private Found found(MemorySegment image, long age) {
        segment = image;
        offset = 0;
        ageMillis = age;
        return image.byteSize() == 0 ? Found.NO : Found.YES;
    }

    private Found unknown(MemorySegment name, long position) {
        if (lookup != null && lookup.full()) {
            return Found.NO;
        }
        if (missing < segments.length) {
            segments[missing] = name;
            positions[missing++] = position;
        }
        return Found.UNKNOWN;
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public long offset() {
        return offset;
    }

    long ageMillis() {
        return ageMillis;
    }
}
