package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Looks at records wherever they are kept: what was fetched for the question in hand, the own store, and what is
 * remembered of other servers' answers, in this order. Notes what none of these has, so that it can be fetched. Belongs
 * to one worker, and is used within the turns of its store's reader.
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

    CachedReader(RecordReader own, PeerGateway relays) {
        this.own = own;
        this.relays = relays;
    }

    /** Begins to look for a question, for which some records may have been fetched. */
    void begin(@Nullable PendingLookup question) {
        lookup = question;
        missing = 0;
        remembered = false;
    }

    /** How many GUIDs were looked for that must be fetched. */
    int missing() {
        return missing;
    }

    /** Where one of them is: its segment. */
    MemorySegment missingSegment(int index) {
        return segments[index];
    }

    /** Where one of them is: its position. */
    long missingPosition(int index) {
        return positions[index];
    }

    /** Whether anything was known from other servers' earlier answers alone. */
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
        if (own.find(namespace, name, position, length) == Found.YES && !relays.ownMayLag(name, position)) {
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

    /** How long ago the record found last was heard of, in milliseconds. */
    long ageMillis() {
        return ageMillis;
    }
}
