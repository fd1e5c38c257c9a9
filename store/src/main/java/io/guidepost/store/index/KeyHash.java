package io.guidepost.store.index;

import io.guidepost.base.Memory;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * A keyed hash with secrets of the process, against hash flooding. Each step folds the 128-bit product of two words
 * that are mixed with secrets (multiply-fold, as in wyhash).
 */
final class KeyHash {
    private final long first;
    private final long second;
    private final long third;

    KeyHash(LongSupplier random) {
        first = random.getAsLong();
        second = random.getAsLong();
        third = random.getAsLong();
    }

    /** Returns the hash of a key: the namespace byte and the bytes in a segment. */
    long hash(byte namespace, MemorySegment segment, long offset, int length) {
        long hash = first ^ (namespace | (long) length << 8);
        int at = 0;
        for (; length - at > 16; at += 16) {
            hash = fold(
                    segment.get(Memory.LONG, offset + at) ^ second, segment.get(Memory.LONG, offset + at + 8) ^ hash);
        }
        long a = 0;
        long b = 0;
        int left = length - at;
        if (left >= 8) {
            a = segment.get(Memory.LONG, offset + at);
            b = segment.get(Memory.LONG, offset + length - 8);
        } else if (left >= 4) {
            a = segment.get(Memory.INT, offset + at);
            b = segment.get(Memory.INT, offset + length - 4);
        } else {
            for (; at < length; at++) {
                a = a << 8 | segment.get(Memory.BYTE, offset + at) & 0xff;
            }
        }
        return fold(fold(a ^ second, b ^ hash) ^ third, second);
    }

    /** Returns the hash of the key of the image at an address. */
    long hashOfImage(long address) {
        return hash(
                Memory.ALL.get(Memory.BYTE, address + RecordImage.HEADER_BYTES),
                Memory.ALL,
                address + RecordImage.HEADER_BYTES + 1,
                RecordImage.keyLength(Memory.ALL, address) - 1);
    }

    private static long fold(long a, long b) {
        return a * b ^ Math.unsignedMultiplyHigh(a, b);
    }
}
