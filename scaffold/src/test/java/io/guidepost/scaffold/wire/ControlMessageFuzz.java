package io.guidepost.scaffold.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Control messages of SCAFFOLD, for {@code ./guidepost fuzz}. */
public final class ControlMessageFuzz {
    private ControlMessageFuzz() {}

    /** Tries one. */
    public static void fuzz(byte[] datagram) {
        read(datagram);
    }

    /** Reads all that a message has from memory that ends with it. */
    static ControlFault read(byte[] datagram) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(Math.max(1, datagram.length));
            MemorySegment.copy(MemorySegment.ofArray(datagram), 0, segment, 0, datagram.length);
            ControlMessage message = new ControlMessage();
            ControlFault fault = message.parse(segment, 0, datagram.length);
            if (fault != ControlFault.NONE) {
                if (message.faultOffset() < 0 || message.faultOffset() > datagram.length) {
                    throw new AssertionError(fault + " at " + message.faultOffset() + " of " + datagram.length);
                }
                return fault;
            }
            for (Tlv each : Tlv.values()) {
                if (message.has(each)) {
                    message.bytes(each);
                    message.place(each, message.count(each) - 1);
                }
            }
            for (int i = 0; i < message.count(Tlv.LOCATOR); i++) {
                message.locator(i);
            }
            message.reason();
            return fault;
        }
    }

    /** Right messages. */
    public static List<byte[]> seeds() {
        SplittableRandom random = new SplittableRandom(1);
        return Arrays.stream(MessageType.values())
                .map(each -> RandomControlMessages.message(random, each))
                .toList();
    }
}
