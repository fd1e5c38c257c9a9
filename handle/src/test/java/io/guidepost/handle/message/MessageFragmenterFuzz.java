package io.guidepost.handle.message;

import io.guidepost.base.Counters;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Packets that are to be joined, each behind two bytes with its length, for {@code ./guidepost fuzz}. */
public final class MessageFragmenterFuzz {
    private MessageFragmenterFuzz() {}

    /** Joins what can be joined. */
    public static void fuzz(byte[] input) {
        MessageReassembly reassembly = new MessageReassembly(new Counters<>(MessagePacketCount.class));
        MemorySegment all = MemorySegment.ofArray(input);
        int at = 0;
        long now = 1_000_000;
        while (at + 2 <= input.length) {
            int length = Math.min(((input[at] & 0x0f) << 8 | input[at + 1] & 0xff), input.length - at - 2);
            // Whose it is, and whether it comes late, is in the bits that no length needs.
            int port = input[at] >> 4 & 3;
            now += (input[at] & 0x80) == 0 ? 1 : 10_000;
            int longest = at + 2 + length;
            reassembly.take(0, 1, port, all, at + 2L, length, now).ifPresent(message -> {
                if (message.length > longest) {
                    throw new AssertionError("a message of " + message.length + " bytes out of " + longest);
                }
            });
            at = longest;
        }
        reassembly.sweep(now + 1_000_000);
        if (reassembly.size() > 0) {
            throw new AssertionError(reassembly.size() + " messages are still waited for");
        }
    }

    /** Messages in their packets. */
    public static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(3);
        for (byte[] message : HandleMessageFuzzTest.messages(random)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            for (byte[] packet : MessageFragmenter.of(message)) {
                out.write(packet.length >> 8);
                out.write(packet.length);
                out.writeBytes(packet);
            }
            seeds.add(out.toByteArray());
        }
        return seeds;
    }
}
