package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.DatagramClient.Datagram;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose interface answers look-ups in the kernel, to a client in another namespace. */
class KernelCacheServedTest {
    private static final String ANSWERED = "guidepost_gnrs_kernel_lookups_total{outcome=\"answered\"}";
    private static final String OWN = "10.78.9.1";
    private static final int LOOKUPS_MAX = 10_000;
    private static final Guid NAME = new Guid(7, 8, 9);

    private final String device = "gpkc" + ProcessHandle.current().pid();

    @TempDir
    private Path folder;

    /** Opens a client at the other end of the interface, which gets the address of the server. */
    private NamespaceClient client() throws IOException, InterruptedException {
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "loads of other processors do not stay in their order");
        NamespaceClient client = new NamespaceClient(device, "10.78.9.2/24");
        assertThat(new ProcessBuilder("ip", "addr", "add", OWN + "/24", "dev", device).inheritIO().start().waitFor()).isZero();
        return client;
    }

    private RunningServer server(String name) throws Exception {
        return RunningServer.start(
                folder.resolve(name), "gnrs.listen=[\"127.0.0.1\", \"" + OWN + "\"]", "gnrs.kernel-cache=" + device + ",mode=generic");
    }

    private static byte[] ask(NamespaceClient client, RunningServer server, int id) throws IOException {
        ByteBuffer question = ByteBuffer.allocate(GnrsWire.HEADER_BYTES + Guid.BYTES);
        question.putLong(GnrsWire.head(GnrsWire.LOOKUP, question.capacity(), id)).putLong(GnrsWire.offsets(0, 0, 0));
        NAME.write(MemorySegment.ofBuffer(question), 0);
        InetSocketAddress to = new InetSocketAddress(OWN, server.address().getPort());
        Datagram answer = client.ask(to, question.array());
        assertThat(answer.from()).isEqualTo(to);
        return answer.bytes();
    }

    private static List<Binding> place(int last) {
        return List.of(Binding.of(new Locator(0, new byte[] {10, 0, 0, (byte) last, 1, 1})));
    }

    @Test
    void aNameThatIsAskedForOftenIsAnsweredByTheKernelAndNeverAsItWas() throws Exception {
        try (NamespaceClient client = client();
                RunningServer server = server("one");
                GnrsClient writer = server.client()) {
            for (int version = 1; version <= 3; version++) {
                assertThat(writer.update(NAME, place(version)).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
                double before = server.metric(ANSWERED);
                int asked = 0;
                while (server.metric(ANSWERED) < before + 3 && asked < LOOKUPS_MAX) {
                    byte[] answer = ask(client, server, ++asked);
                    assertThat(ByteBuffer.wrap(answer).getInt(4)).isEqualTo(asked);
                    assertThat(answer[GnrsWire.HEADER_BYTES + 6 + 8 + 4 + 3]).isEqualTo((byte) version);
                }
                assertThat(server.metric(ANSWERED)).isGreaterThanOrEqualTo(before + 3);
            }
            assertThat(server.metric("guidepost_gnrs_kernel_lines_total{event=\"cleared\"}")).isPositive();
            assertThat(server.page("/health")).contains("\"status\": \"ok\"");
        }
    }

    @Test
    void aServerThatMayNotPutItsProgramThereSaysSoAndAnswers() throws Exception {
        try (NamespaceClient client = client();
                RunningServer first = server("first");
                RunningServer second = server("second");
                GnrsClient writer = second.client()) {
            assertThat(first.page("/health")).contains("\"status\": \"ok\"");
            assertThat(second.page("/health")).contains("\"condition\": \"kernel-cache\"", "another XDP program is on it");
            assertThat(writer.update(NAME, place(4)).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
            assertThat(ask(client, second, 5)[GnrsWire.HEADER_BYTES + 6 + 8 + 4 + 3]).isEqualTo((byte) 4);
        }
    }
}
