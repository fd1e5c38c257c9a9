package io.guidepost.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.fleet.CacheInvalidations;
import io.guidepost.gnrs.peer.MessageSeal;
import io.guidepost.server.RunningServer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What front ends tell each other, over sockets, and what they do not take. */
final class FrontEndInvalidationsTest {
    private static final byte[] KEY = "a key of a fleet".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NAME = {2, 'a', '/', 'b'};

    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

    private static List<InetSocketAddress> freeAddresses(int number) throws IOException {
        List<InetSocketAddress> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                all.add((InetSocketAddress) socket.getLocalSocketAddress());
            }
        }
        return all;
    }

    private CacheInvalidations.Listener hearing(String who) {
        return (key, version) -> heard.add(who + Arrays.toString(key) + version);
    }

    private static long count(FrontEndInvalidations of, FrontEndCount which) {
        return of.counts().stream().mapToLong(each -> each.get(which)).sum();
    }

    @Test
    void eachTellsTheOthersByOneListOfAddresses() throws IOException {
        List<InetSocketAddress> all = new ArrayList<>(List.of(new InetSocketAddress("192.0.2.1", 5084)));
        all.addAll(freeAddresses(2));
        try (FrontEndInvalidations one = FrontEndInvalidations.listening(all, KEY);
                FrontEndInvalidations other = FrontEndInvalidations.listening(all, KEY);
                FrontEndInvalidations command = FrontEndInvalidations.sending(all, KEY)) {
            assertThat(one.own()).contains(all.get(1));
            assertThat(other.own()).contains(all.get(2));
            one.follow(hearing("one"));
            other.follow(hearing("other"));
            one.written(NAME, 7);
            assertThat(RunningServer.eventually(() -> heard.size() == 1)).isTrue();
            command.written(NAME, CacheInvalidations.UNKNOWN);
            assertThat(RunningServer.eventually(() -> heard.size() == 3)).isTrue();
            String name = Arrays.toString(NAME);
            assertThat(heard).containsExactlyInAnyOrder(
                    "other" + name + 7, "one" + name + Long.MAX_VALUE, "other" + name + Long.MAX_VALUE);
            assertThat(count(one, FrontEndCount.INVALIDATIONS_SENT) + count(one, FrontEndCount.DROPS_UNSENT)).isEqualTo(2);
            assertThat(count(other, FrontEndCount.INVALIDATIONS_RECEIVED)).isEqualTo(2);
            assertThatThrownBy(() -> FrontEndInvalidations.listening(all, KEY))
                    .hasMessageStartingWith("none of fleet.front-ends is an address of this machine that is free: 192.0.2.1:5084, ");
        }
    }

    private static byte[] sealed(byte[] name, long version, byte[] key) {
        byte[] bytes = new byte[InvalidationMessage.BYTES_MAX];
        MemorySegment out = MemorySegment.ofArray(bytes);
        return Arrays.copyOf(bytes, new MessageSeal(key).put(out, 0, InvalidationMessage.write(out, name, version)));
    }

    private void take(FrontEndInvalidations by, byte[] message) {
        byte[] room = Arrays.copyOf(message, InvalidationMessage.BYTES_MAX + 1);
        by.take(room, message.length, hearing(""));
    }

    @Test
    void whatIsNotSealedOrNotWholeIsDroppedAndCounted() throws IOException {
        try (FrontEndInvalidations one = FrontEndInvalidations.listening(freeAddresses(1), KEY)) {
            take(one, sealed(NAME, 7, KEY));
            assertThat(heard).hasSize(1);
            take(one, sealed(NAME, 7, "another key of 16".getBytes(StandardCharsets.US_ASCII)));
            take(one, new byte[0]);
            take(one, new byte[31]);
            assertThat(count(one, FrontEndCount.DROPS_SEAL)).isEqualTo(3);
            take(one, sealed(new byte[] {2}, 7, KEY));
            take(one, sealed(new byte[] {0, 1}, 7, KEY));
            take(one, sealed(NAME, -1, KEY));
            assertThat(count(one, FrontEndCount.DROPS_MALFORMED)).isEqualTo(3);
            long seed = System.nanoTime();
            SplittableRandom random = new SplittableRandom(seed);
            byte[] good = sealed(NAME, 7, KEY);
            for (int i = 0; i < 2000; i++) {
                byte[] bad = Arrays.copyOf(good, random.nextInt(good.length + 20));
                if (bad.length > 0) {
                    bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
                }
                take(one, bad);
            }
            assertThat(heard).as("seed %d", seed).hasSize(1);
        }
    }
}
