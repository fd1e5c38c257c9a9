package io.guidepost.gnrs;

import io.guidepost.names.Guid;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Mutates messages of GNRS: single bits and bytes, counts and lengths that lie, parts cut off, added and moved. */
public final class MessageMutator {
    private static final int[] TELLING = {0, 1, 2, 15, 16, 17, 20, 22, 42, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff};

    private MessageMutator() {}

    /** Returns one of the seeds, or some of them behind each other, with up to three mutations. */
    public static byte[] mutated(SplittableRandom random, List<byte[]> seeds) {
        byte[] bytes = seeds.get(random.nextInt(seeds.size())).clone();
        if (random.nextInt(8) == 0) {
            bytes = joined(random, seeds, bytes);
        }
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes = mutated(random, bytes);
        }
        return bytes;
    }

    private static byte[] joined(SplittableRandom random, List<byte[]> seeds, byte[] first) {
        byte[][] parts = new byte[1 + random.nextInt(random.nextInt(8) == 0 ? 20 : 4)][];
        parts[0] = first;
        for (int i = 1; i < parts.length; i++) {
            parts[i] = seeds.get(random.nextInt(seeds.size()));
        }
        byte[] joined = GnrsDoorTest.concat(parts);
        return joined.length <= 65_000 ? joined : first;
    }

    private static byte[] mutated(SplittableRandom random, byte[] bytes) {
        int at = random.nextInt(random.nextBoolean() ? Math.min(24, bytes.length) : bytes.length);
        switch (random.nextInt(7)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2 -> set16(bytes, at, TELLING[random.nextInt(TELLING.length)]);
            case 3 -> {
                set16(bytes, at, 0);
                set16(bytes, at + 2, TELLING[random.nextInt(TELLING.length)]);
            }
            case 4 -> {
                return Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            }
            case 5 -> {
                byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(40));
                for (int i = bytes.length; i < longer.length; i++) {
                    longer[i] = (byte) random.nextInt(random.nextBoolean() ? 4 : 256);
                }
                return fixed(random, longer);
            }
            default -> {
                int from = random.nextInt(bytes.length);
                int length = Math.min(random.nextInt(Guid.BYTES + 4), bytes.length - Math.max(at, from));
                System.arraycopy(bytes, from, bytes, at, length);
            }
        }
        return bytes;
    }

    /** Makes the length field right again, half of the time, so that what is behind it is read too. */
    private static byte[] fixed(SplittableRandom random, byte[] bytes) {
        if (random.nextBoolean() && bytes.length >= 4) {
            set16(bytes, 2, bytes.length);
        }
        return bytes;
    }

    private static void set16(byte[] bytes, int at, int value) {
        if (at + 1 < bytes.length) {
            bytes[at] = (byte) (value >> 8);
            bytes[at + 1] = (byte) value;
        }
    }
}
