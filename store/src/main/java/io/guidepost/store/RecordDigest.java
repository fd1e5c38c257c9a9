package io.guidepost.store;

import io.guidepost.base.Memory;
import io.guidepost.names.PlaceAttributes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * A record's digest of 64 bits for anti-entropy, see {@link RecordImage#digest}: the XOR of one mixed word for each binding
 * and one for the last UPDATE. Each word depends on the key, so that equal bindings of two records do not cancel out in
 * a sum of many. One more word says that the text of the name is known.
 *
 * <p>The hash is public: an owner can construct two forms of a record with one digest, and hides only a difference of
 * that record.
 */
final class RecordDigest {
    private static final long ODD = 0x9e3779b97f4a7c15L;

    /** Stands for the text of the name, whose GUID is the key: only whether it is known can differ. */
    private static final long TEXT = 0x7465787400000000L;

    private static final byte[] TEXT_TYPE = PlaceAttributes.TEXT_TYPE.getBytes(StandardCharsets.US_ASCII);

    private RecordDigest() {}

    static long of(MemorySegment segment, long offset) {
        if ((RecordImage.flags(segment, offset) & RecordImage.DERIVED) != 0) {
            // A local flag that is not replicated, so it is no difference.
            return 0;
        }
        long key = bytes(segment, offset + RecordImage.HEADER_BYTES, RecordImage.keyLength(segment, offset), 1);
        int count = RecordImage.bindings(segment, offset);
        long places = RecordImage.places(segment, offset);
        long ttls = RecordImage.ttls(segment, offset);
        long expiries = RecordImage.expiries(segment, offset);
        boolean stamped = (RecordImage.flags(segment, offset) & RecordImage.STAMPED) != 0;
        long stamps = expiries + 8L * count;
        long version = RecordImage.version(segment, offset);
        long cleared = stamped ? segment.get(Memory.LONG, stamps) : 0;
        long digest = cleared == 0 ? 0 : mix(key ^ mix(cleared));
        if (hasText(segment, offset)) {
            digest ^= mix(key ^ mix(TEXT));
        }
        long at = places + 4;
        for (int i = 0; i < count; i++) {
            int length = 4 + (segment.get(Memory.INT, at) & 0xffff);
            long word = bytes(segment, at, length, key);
            word = mix(word ^ (stamped ? segment.get(Memory.LONG, stamps + 16 + 8L * i) : version));
            word = mix(word ^ segment.get(Memory.LONG, ttls + 8L * i));
            digest ^= mix(word ^ segment.get(Memory.LONG, expiries + 8L * i));
            at += length;
        }
        return digest;
    }

    /** Returns whether the first value is the text of the name, as it is written. */
    private static boolean hasText(MemorySegment segment, long offset) {
        boolean values = (RecordImage.flags(segment, offset) & (RecordImage.VALUES | RecordImage.FORM)) == RecordImage.VALUES;
        long type = RecordImage.form(segment, offset) + 4 + 4;
        if (!values || RecordImage.formLength(segment, offset) < 4 + 4 + 2 + TEXT_TYPE.length
                || (segment.get(Memory.INT, type - 2) & 0xffff) != TEXT_TYPE.length) {
            return false;
        }
        for (int i = 0; i < TEXT_TYPE.length; i++) {
            if (segment.get(Memory.BYTE, type + 2 + i) != TEXT_TYPE[i]) {
                return false;
            }
        }
        return true;
    }

    private static long bytes(MemorySegment segment, long from, int length, long seed) {
        long word = seed * ODD + length;
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            word = mix(word ^ segment.get(Memory.LONG, from + at));
        }
        long tail = 0;
        for (; at < length; at++) {
            tail = tail << 8 | segment.get(Memory.BYTE, from + at) & 0xff;
        }
        return mix(word ^ tail);
    }

    /** Returns one step and the finalizer of SplitMix64, so that 0 is mixed too. */
    private static long mix(long value) {
        long z = value + ODD;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
