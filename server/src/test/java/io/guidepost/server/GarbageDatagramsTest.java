package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Promises 6 and 7: garbage is dropped and counted, honest askers are answered meanwhile, and nothing of it remains. */
class GarbageDatagramsTest {
    private static final long SEED = 20261120;
    private static final int ROUNDS = 200;
    private static final int DATAGRAMS_PER_ROUND = 250;
    private static final int BYTES_MAX = 300;

    @TempDir
    private Path folder;

    /** Random bytes, and every fourth time a look-up with a few bytes changed: the second gets further. */
    private static ByteBuffer garbage(SplittableRandom random) {
        if (random.nextInt(4) != 0) {
            byte[] bytes = new byte[random.nextInt(1, BYTES_MAX)];
            random.nextBytes(bytes);
            return ByteBuffer.wrap(bytes);
        }
        byte[] bytes = HexFormat.of()
                .parseHex("0001002edeadbeef002a0016000000067f0000010fa1000102030405060708090a0b0c0d0e0f1011121380020001");
        for (int i = 0; i < 3; i++) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return ByteBuffer.wrap(bytes);
    }

    private static void flood(InetSocketAddress server, SplittableRandom random) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(server);
            for (int i = 0; i < DATAGRAMS_PER_ROUND; i++) {
                try {
                    channel.write(garbage(random));
                } catch (PortUnreachableException e) {
                    throw new IOException("the server is gone", e);
                }
            }
        }
    }

    @Test
    void honestAskersAreAnsweredDuringAndAfterAFlood() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        Guid name = Guid.ofAscii("name");
        List<Binding> places = List.of(Binding.of(Locator.parse("10.0.0.1:7000")));
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = GnrsClient.open(server.address(), new GnrsClientSettings(5000, 1, 1))) {
            client.insert(name, places);
            double heapBefore = heapAfterCollection();
            for (int i = 0; i < ROUNDS; i++) {
                flood(server.address(), random);
                // One datagram, one try: whoever asks behind the flood waits for it to be dropped, and no longer.
                assertThat(client.lookup(name).bindings()).as("seed %d, round %d", SEED, i).isEqualTo(places);
            }
            double datagrams = server.sum("guidepost_gnrs_requests_total") - server.sum("guidepost_gnrs_concatenated_messages_total");
            assertThat(datagrams).isEqualTo(1 + ROUNDS * (DATAGRAMS_PER_ROUND + 1));
            assertThat(server.metric("guidepost_gnrs_drops_total{worker=\"0\",reason=\"malformed\"}"))
                    .isGreaterThan(0.8 * datagrams);
            assertThat(server.metric("guidepost_worker_faults_total{worker=\"0\"}")).isZero();
            assertThat(server.metric("guidepost_store_records")).isEqualTo(1);
            assertThat(heapAfterCollection() - heapBefore).as("bytes of heap").isLessThan(8 << 20);
        }
    }

    @SuppressWarnings("SystemGC") // What is left after a collection is what a flood could make grow.
    private static double heapAfterCollection() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
