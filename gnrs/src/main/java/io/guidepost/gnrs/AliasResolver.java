package io.guidepost.gnrs;

import io.guidepost.base.CommonLimits;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;

/**
 * Follows alias chains: the links of a record to the places that they lead to. Preallocated; following allocates
 * nothing. Not thread-safe.
 *
 * <p>The search is breadth-first: first all that the record itself holds, then what its links hold, and so on. A place
 * met twice keeps the form met first, on the shortest path. A place found through links lasts, and may be cached, no
 * longer than every link on its path. A link stays in the answer if it leads to nothing, closes a loop, or lies beyond
 * the bounds of depth ({@link CommonLimits#CHAIN_DEPTH_MAX}), of lookups and of bindings; so the client sees where resolution
 * ended.
 */
final class AliasResolver {
    private static final int NAMES_MAX = 1 + io.guidepost.gnrs.wire.GnrsLimits.CHAIN_LOOKS_MAX;
    private static final byte GUIDS = Name.Namespace.GUID.code();

    private static final int LINK_HEADER = Locator.Type.GUID.code() << 16 | Guid.BYTES;

    private final MemorySegment[] segments = new MemorySegment[NAMES_MAX];
    private final long[] positions = new long[NAMES_MAX];
    private final long[] ttls = new long[NAMES_MAX];
    private final long[] expiries = new long[NAMES_MAX];
    private final int[] depths = new int[NAMES_MAX];
    private final int[] parents = new int[NAMES_MAX];
    private final long[] highs = new long[NAMES_MAX];
    private final long[] middles = new long[NAMES_MAX];
    private final int[] lows = new int[NAMES_MAX];

    private final AnswerBuilder gathering;
    private int names;
    private int looked;

    AliasResolver(AnswerBuilder gathering) {
        this.gathering = gathering;
    }

    /**
     * Gathers the places that a record leads to.
     *
     * @param asked holds the requested GUID
     * @param reader has just found the record
     * @return false if the reader does not know one of the names on the path; all the others were requested from it
     */
    boolean follow(MemorySegment asked, long position, RecordReader reader) {
        names = 0;
        looked = RecordImage.bindings(reader.segment(), reader.offset());
        enter(asked, position, 0, 0, -1);
        gathering.age(reader);
        expand(0, reader.segment(), reader.offset());
        boolean known = true;
        for (int name = 1; name < names; name++) {
            switch (reader.find(GUIDS, segments[name], positions[name], Guid.BYTES)) {
                case UNKNOWN -> known = false;
                case NO -> keep(name);
                case YES -> {
                    gathering.age(reader);
                    visit(name, reader.segment(), reader.offset());
                }
            }
        }
        return known;
    }

    private void visit(int name, MemorySegment image, long offset) {
        looked += RecordImage.bindings(image, offset);
        if (looked > CommonLimits.LOCATORS_MAX) {
            gathering.event(GnrsCount.ALIAS_CHAINS_CUT_BINDINGS_MAX);
            keep(name);
        } else if (!expand(name, image, offset)) {
            keep(name);
        }
    }

    /** Takes the bindings of a name; returns false if it has none, or all of them have expired. */
    private boolean expand(int name, MemorySegment image, long offset) {
        int count = RecordImage.bindings(image, offset);
        long ttlsAt = RecordImage.ttls(image, offset);
        long expiriesAt = RecordImage.expiries(image, offset);
        long at = RecordImage.places(image, offset) + 4;
        boolean any = false;
        for (int i = 0; i < count; i++) {
            int header = image.get(GnrsWire.INT, at);
            long expiry = image.get(GnrsWire.LONG, expiriesAt + 8L * i);
            if (!gathering.ended(expiry)) {
                any = true;
                long ttl = least(ttls[name], gathering.left(image.get(GnrsWire.LONG, ttlsAt + 8L * i)));
                long end = least(expiries[name], expiry);
                if (header != LINK_HEADER || !link(name, image, at + GnrsWire.ADDRESS_HEADER_BYTES, ttl, end)) {
                    gathering.merge(image, at, header, ttl, end);
                }
            }
            at += GnrsWire.ADDRESS_HEADER_BYTES + (header & 0xffff);
        }
        return any;
    }

    /** Queues a link to be followed; returns false if it stays as it is. */
    private boolean link(int from, MemorySegment segment, long position, long ttl, long expiry) {
        long high = segment.get(GnrsWire.LONG, position);
        long middle = segment.get(GnrsWire.LONG, position + 8);
        int low = segment.get(GnrsWire.INT, position + 16);
        for (int name = 0; name < names; name++) {
            if (highs[name] == high && middles[name] == middle && lows[name] == low) {
                boolean loop = isOnWay(from, name);
                if (loop) {
                    gathering.event(GnrsCount.ALIAS_CHAINS_CUT_LOOP);
                }
                return !loop;
            }
        }
        if (depths[from] == CommonLimits.CHAIN_DEPTH_MAX) {
            gathering.event(GnrsCount.ALIAS_CHAINS_CUT_DEPTH_MAX);
            return false;
        }
        if (names == NAMES_MAX) {
            gathering.event(GnrsCount.ALIAS_CHAINS_CUT_LINKS_MAX);
            return false;
        }
        enter(segment, position, ttl, expiry, from);
        return true;
    }

    private boolean isOnWay(int from, int name) {
        for (int each = from; each >= 0; each = parents[each]) {
            if (each == name) {
                return true;
            }
        }
        return false;
    }

    private void enter(MemorySegment segment, long position, long ttl, long expiry, int parent) {
        int name = names++;
        segments[name] = segment;
        positions[name] = position;
        ttls[name] = ttl;
        expiries[name] = expiry;
        parents[name] = parent;
        depths[name] = parent < 0 ? 0 : depths[parent] + 1;
        highs[name] = segment.get(GnrsWire.LONG, position);
        middles[name] = segment.get(GnrsWire.LONG, position + 8);
        lows[name] = segment.get(GnrsWire.INT, position + 16);
    }

    private void keep(int name) {
        gathering.merge(
                segments[name],
                positions[name] - GnrsWire.ADDRESS_HEADER_BYTES,
                LINK_HEADER,
                ttls[name],
                expiries[name]);
    }

    /** Returns the smaller of two times, where 0 stands for none. */
    private static long least(long one, long other) {
        return one == 0 ? other : other == 0 ? one : Math.min(one, other);
    }
}
