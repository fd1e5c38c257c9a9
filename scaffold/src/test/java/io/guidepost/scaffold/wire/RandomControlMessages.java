package io.guidepost.scaffold.wire;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Right messages of all types, with a seal of any bytes. */
public final class RandomControlMessages {
    private RandomControlMessages() {}

    /** Returns a message of a type, with whatever it may carry. */
    public static byte[] message(SplittableRandom random, MessageType type) {
        byte[] out = new byte[ScaffoldLimits.CONTROL_BYTES_MAX];
        random.nextBytes(out);
        ControlWriter writer = new ControlWriter()
                .begin(
                        MemorySegment.ofArray(out),
                        0,
                        type,
                        random.nextInt(8),
                        random.nextLong(),
                        random.nextLong(),
                        random.nextInt(),
                        random.nextInt());
        for (Tlv each : Tlv.values()) {
            if ((type.required() & each.bit()) != 0 || (type.allowed() & each.bit()) != 0 && random.nextBoolean()) {
                int times = 1 + random.nextInt(each.timesMax());
                for (int i = 0; i < times; i++) {
                    writer.bytes(each, value(random, each));
                }
            }
        }
        int seal = type.sealed() ? ControlMessage.SEAL_BYTES : 0;
        return Arrays.copyOf(out, writer.end() + seal);
    }

    private static byte[] value(SplittableRandom random, Tlv tlv) {
        int bytes = 0;
        while (!tlv.fits(bytes) || tlv.fits(bytes + 1) && bytes < 120 && random.nextInt(16) > 0) {
            bytes++;
        }
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return value;
    }
}
