package io.guidepost.middlebox.firewall;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.middlebox.Packet;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FramePool;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plain frames are read the short way; what is found is what the long way finds, of frames of every kind. */
class PacketKeysTest {
    private static final int BURST = 64;

    @Test
    void bothWaysFindTheSame() {
        compare(1, 3000);
    }

    @Test
    @Tag("long")
    void bothWaysFindTheSameOfTenMillionFrames() {
        compare(2, 10_000_000 / BURST);
    }

    private static void compare(long seed, int bursts) {
        SplittableRandom random = new SplittableRandom(seed);
        Burst burst = Burst.ofFrames(new FramePool(128, 2048, 256).view("test"), BURST, 0);
        PacketKeys brief = new PacketKeys(BURST);
        PacketKeys whole = new PacketKeys(BURST);
        int plain = 0;
        for (int round = 0; round < bursts; round++) {
            burst.clear();
            while (burst.hasRoom()) {
                Packet.append(burst, frame(random));
            }
            brief.read(burst, false);
            whole.read(burst, true);
            for (int i = 0; i < BURST; i++) {
                // What is found is said of what is no IP packet alone; a matcher says it of the others.
                long[] is = {brief.addresses[i], brief.facts[i], brief.isIp(i) ? 0 : brief.found(i)};
                long[] must = {whole.addresses[i], whole.facts[i], whole.isIp(i) ? 0 : whole.found(i)};
                if (!Arrays.equals(is, must)) {
                    assertThat(is).as("seed " + seed + ", burst " + round + ", frame " + i).isEqualTo(must);
                }
                plain += brief.isIp(i) ? 1 : 0;
            }
        }
        assertThat(plain).isGreaterThan(bursts * BURST / 8);
    }

    /** A frame that is right, or has some bytes changed, most of them where lengths and kinds are, or is cut off. */
    private static byte[] frame(SplittableRandom random) {
        byte[] frame = random.nextBoolean()
                ? Packet.udp("10.0.0.1", random.nextInt(65536), "10.0.0.2", 53, "x".repeat(random.nextInt(40)))
                : Packet.tcp("10.0.0.1", 80, "10.0.0.2", random.nextInt(65536), random.nextInt(256));
        int cut = random.nextInt(4) == 0 ? random.nextInt(frame.length + 1) : Math.max(frame.length, random.nextInt(70));
        frame = Arrays.copyOf(frame, cut);
        for (int changes = random.nextInt(4); changes > 0 && frame.length > 12; changes--) {
            int at = random.nextInt(3) == 0 ? random.nextInt(frame.length) : 12 + random.nextInt(36);
            if (at < frame.length) {
                frame[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : frame[at] ^ 1 << random.nextInt(8));
            }
        }
        return frame;
    }
}
