package io.guidepost.gnrs;

import io.guidepost.base.CommonLimits;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A list of bound addresses that are somewhere in memory, in the form that wire and store share (type 16, length 16,
 * value), with their times: scratch for answers that are not one copy, and for records merged from others.
 * Preallocated; reading and adding allocates nothing. Not thread-safe.
 */
final class BindingList {
    /** Up to this length a linear search is quicker than a table. */
    private static final int LINEAR_MAX = 16;

    private static final int TABLE_SLOTS = 2 * CommonLimits.LOCATORS_MAX;

    /**
     * Why a secret? Without one an attacker could choose addresses that all fall on one slot, and make each write a
     * linear search. The secret changes no outcome, only where in the table an address stands.
     */
    private static final long SECRET = new SplittableRandom().nextLong() | 1;

    private final MemorySegment[] segments = new MemorySegment[CommonLimits.LOCATORS_MAX];
    private final long[] positions = new long[CommonLimits.LOCATORS_MAX];
    private final int[] lengths = new int[CommonLimits.LOCATORS_MAX];
    private final long[] ttls = new long[CommonLimits.LOCATORS_MAX];
    private final long[] expiries = new long[CommonLimits.LOCATORS_MAX];
    private final long[] hashes = new long[CommonLimits.LOCATORS_MAX];
    private final short[] table = new short[TABLE_SLOTS];

    private int count;
    private int bytes;
    private boolean timed;

    void clear() {
        count = 0;
        bytes = 0;
        timed = false;
    }

    int count() {
        return count;
    }

    /** Returns the bytes of all addresses, each with type and length. */
    int bytes() {
        return bytes;
    }

    /** Returns whether any place has a time. */
    boolean timed() {
        return timed;
    }

    /** Returns the segment of one address, which begins with type and length. */
    MemorySegment segment(int place) {
        return segments[place];
    }

    /** Returns the position of one address in its segment. */
    long position(int place) {
        return positions[place];
    }

    /** Returns the bytes of one address with type and length. */
    int length(int place) {
        return lengths[place];
    }

    boolean full() {
        return count == CommonLimits.LOCATORS_MAX;
    }

    /** Adds a place that the caller knows to be new, to a list that is not full and never used with {@link #merge}. */
    void append(MemorySegment segment, long position, int length, long ttlMillis, long expiryMillis) {
        segments[count] = segment;
        positions[count] = position;
        lengths[count] = length;
        times(count, ttlMillis, expiryMillis);
        bytes += length;
        count++;
    }

    void times(int place, long ttlMillis, long expiryMillis) {
        ttls[place] = ttlMillis;
        expiries[place] = expiryMillis;
        timed |= (ttlMillis | expiryMillis) != 0;
    }

    /** Adds a place to a list that is not full, if it is absent; returns its former index, or -1. */
    int merge(MemorySegment segment, long position, int length, long ttlMillis, long expiryMillis) {
        long hash = hash(segment, position, length);
        int there = find(hash, segment, position, length);
        if (there < 0) {
            hashes[count] = hash;
            append(segment, position, length, ttlMillis, expiryMillis);
            index();
        }
        return there;
    }

    /** Gives a place its end if it is in the list; {@link #removeEnded} then removes it. */
    void end(MemorySegment segment, long position, int length, long expiryMillis) {
        int there = find(hash(segment, position, length), segment, position, length);
        if (there >= 0) {
            times(there, 0, expiryMillis);
        }
    }

    /** Removes the places that have ended. The list may then be read and cleared, not added to. */
    void removeEnded(long nowMillis) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (expiries[i] != 0 && expiries[i] <= nowMillis) {
                bytes -= lengths[i];
                continue;
            }
            segments[kept] = segments[i];
            positions[kept] = positions[i];
            lengths[kept] = lengths[i];
            ttls[kept] = ttls[i];
            expiries[kept++] = expiries[i];
        }
        count = kept;
    }

    private int find(long hash, MemorySegment segment, long position, int length) {
        return count < LINEAR_MAX
                ? findLinear(hash, segment, position, length)
                : findInTable(hash, segment, position, length);
    }

    private int findLinear(long hash, MemorySegment segment, long position, int length) {
        for (int i = 0; i < count; i++) {
            if (hashes[i] == hash && same(i, segment, position, length)) {
                return i;
            }
        }
        return -1;
    }

    private int findInTable(long hash, MemorySegment segment, long position, int length) {
        for (int slot = slot(hash); table[slot] != 0; slot = slot + 1 & TABLE_SLOTS - 1) {
            int place = table[slot] - 1;
            if (hashes[place] == hash && same(place, segment, position, length)) {
                return place;
            }
        }
        return -1;
    }

    /** Puts the last place into the table; when the list outgrows a linear search, all of them. */
    private void index() {
        if (count < LINEAR_MAX) {
            return;
        }
        int first = count - 1;
        if (count == LINEAR_MAX) {
            Arrays.fill(table, (short) 0);
            first = 0;
        }
        for (int place = first; place < count; place++) {
            int slot = slot(hashes[place]);
            while (table[slot] != 0) {
                slot = slot + 1 & TABLE_SLOTS - 1;
            }
            table[slot] = (short) (place + 1);
        }
    }

    private static int slot(long hash) {
        return (int) (hash >>> 32) & TABLE_SLOTS - 1;
    }

    private boolean same(int place, MemorySegment segment, long position, int length) {
        return lengths[place] == length
                && MemorySegment.mismatch(
                                segments[place],
                                positions[place],
                                positions[place] + length,
                                segment,
                                position,
                                position + length)
                        < 0;
    }

    private static long hash(MemorySegment segment, long position, int length) {
        long hash = SECRET;
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            hash = fold(hash ^ segment.get(GnrsWire.LONG, position + at));
        }
        long rest = length;
        for (; at < length; at++) {
            rest = rest << 8 | segment.get(GnrsWire.BYTE, position + at) & 0xff;
        }
        return fold(hash ^ rest);
    }

    private static long fold(long word) {
        long odd = SECRET ^ 0x9e3779b97f4a7c15L;
        return Math.unsignedMultiplyHigh(word, odd | 1) ^ word * (odd | 1);
    }

    void copy(int place, MemorySegment out, long at) {
        MemorySegment.copy(segments[place], positions[place], out, at, lengths[place]);
    }

    long copyAll(MemorySegment out, long offset) {
        long at = offset;
        for (int i = 0; i < count; i++) {
            copy(i, out, at);
            at += lengths[i];
        }
        return at;
    }

    long copyTtls(MemorySegment out, long offset) {
        return copyTimes(ttls, out, offset);
    }

    long copyExpiries(MemorySegment out, long offset) {
        return copyTimes(expiries, out, offset);
    }

    private long copyTimes(long[] times, MemorySegment out, long offset) {
        for (int i = 0; i < count; i++) {
            out.set(GnrsWire.LONG, offset + 8L * i, times[i]);
        }
        return offset + 8L * count;
    }

    /** Returns the bytes of a stored record that has these places and nothing else. */
    int imageBytes(byte[] key) {
        return RecordImage.HEADER_BYTES + key.length + 4 + bytes + 2 * (2 + 8 * count);
    }

    /** Returns the stored form of a record that has these places and nothing else, see {@link RecordImage}. */
    byte[] image(byte[] key, long version) {
        byte[] image = new byte[imageBytes(key)];
        MemorySegment out = MemorySegment.ofArray(image);
        int flags = 0;
        long nextExpiry = RecordImage.NEVER;
        long plainUntil = RecordImage.NEVER;
        for (int i = 0; i < count; i++) {
            flags |= RecordImage.flagsOf(Short.toUnsignedInt(segments[i].get(GnrsWire.SHORT, positions[i])));
            if (expiries[i] != 0) {
                nextExpiry = Math.min(nextExpiry, expiries[i]);
                plainUntil = Math.min(plainUntil, RecordImage.plainUntil(ttls[i], expiries[i]));
            }
        }
        RecordImage.writeHeader(out, flags, key, image.length, version, plainUntil, nextExpiry, count, bytes);
        long at = (long) RecordImage.HEADER_BYTES + key.length;
        out.set(GnrsWire.INT, at, count);
        at = copyAll(out, at + 4);
        at = copyTtls(out, RecordImage.writeTimesHeader(out, at, GnrsOptionType.TTL.code(), count));
        int last = GnrsWire.OPTION_LAST | GnrsOptionType.EXPIRATION.code();
        copyExpiries(out, RecordImage.writeTimesHeader(out, at, last, count));
        return image;
    }
}
