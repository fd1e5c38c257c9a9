package io.guidepost.packet.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Machine;
import io.guidepost.packet.Namespaces;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NetlinkTest {
    @ParameterizedTest
    @ValueSource(strings = {"events", "listeners", "route", "device"})
    void scene(String name) throws IOException, InterruptedException {
        Namespaces.run(NetlinkScenes.class, name);
    }

    /** The kernel is trusted, but a message of a later kernel must not be read beyond its end. */
    @Test
    void messagesOfAnyBytesAreTakenWithoutHarm() throws IOException {
        Machine.assumeLinux();
        Random random = new Random(22);
        try (LinkAddresses links = new LinkAddresses(); Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(256, Long.BYTES).address();
            for (int round = 0; round < 200_000; round++) {
                int bytes = random.nextInt(200);
                for (int i = 0; i < bytes; i += 2) {
                    Memory.put16Le(at + i, random.nextInt(4) == 0 ? random.nextInt(1 << 16) : random.nextInt(40));
                }
                Memory.put16Le(at + 2, 0);
                Memory.put16Le(at + NetlinkSocket.TYPE, 16 + random.nextInt(6));
                links.take(at, bytes);
                assertThat(links.all()).allMatch(each -> each.device().length() < 256);
            }
        }
    }
}
