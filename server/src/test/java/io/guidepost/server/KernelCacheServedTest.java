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
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose interface answers look-ups in the kernel, to a client in another namespace. */
class KernelCacheServedTest {
    static final String ANSWERED = "guidepost_gnrs_kernel_lookups_total{outcome=\"answered\"}";
    private static final String OWN = "10.78.9.1";
    private static final String SECOND = "10.78.9.7";
    private static final int LOOKUPS_MAX = 10_000;
    private static final int LOOKUPS = 64;
    static final Guid NAME = new Guid(7, 8, 9);

    /** Where the address of a place of a name with one place stands in an answer. */
    static final int PLACE = GnrsWire.HEADER_BYTES + 6 + 8 + 4;


    private final String device = "gpkc" + ProcessHandle.current().pid();

    @TempDir
    private Path folder;

    private NamespaceClient client() throws IOException, InterruptedException {
        return client(device, OWN, "10.78.9.2");
    }

    /** Opens a client at the other end of the interface, which gets the address of the server; each test class has addresses of its own. */
    static NamespaceClient client(String device, String own, String address) throws IOException, InterruptedException {
        assumeTrue(System.getProperty("os.arch").equals("amd64"), "loads of other processors do not stay in their order");
        NamespaceClient client = new NamespaceClient(device, address + "/24");
        ip("addr", "add", own + "/24", "dev", device);
        return client;
    }

    private static void ip(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private RunningServer server(String name) throws Exception {
        return server(name, "[\"127.0.0.1\", \"" + OWN + "\"]");
    }

    private RunningServer server(String name, String listen) throws Exception {
        return RunningServer.start(folder.resolve(name), "gnrs.listen=" + listen, "gnrs.kernel-cache=" + device + ",mode=generic");
    }

    static byte[] question(int id) {
        ByteBuffer question = ByteBuffer.allocate(GnrsWire.HEADER_BYTES + Guid.BYTES);
        question.putLong(GnrsWire.head(GnrsWire.LOOKUP, question.capacity(), id)).putLong(GnrsWire.offsets(0, 0, 0));
        NAME.write(MemorySegment.ofBuffer(question), 0);
        return question.array();
    }

    private static byte[] ask(NamespaceClient client, String address, RunningServer server, int id) throws IOException {
        InetSocketAddress to = new InetSocketAddress(address, server.address().getPort());
        Datagram answer = client.ask(to, question(id));
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
                    byte[] answer = ask(client, OWN, server, ++asked);
                    assertThat(ByteBuffer.wrap(answer).getInt(4)).isEqualTo(asked);
                    assertThat(answer[PLACE + 3]).isEqualTo((byte) version);
                }
                assertThat(server.metric(ANSWERED)).isGreaterThanOrEqualTo(before + 3);
            }
            assertThat(server.metric("guidepost_gnrs_kernel_lines_total{event=\"cleared\"}")).isPositive();
            assertThat(server.page("/health")).contains("\"status\": \"ok\"");
        }
    }

    /** One look-up in eight is a candidate for a line, so the kernel answers most of them. */
    @Test
    void lookUpsOfTheCommandGetAreAnsweredByTheKernelUntilThereAreOtherServers() throws Exception {
        Path members = Files.writeString(folder.resolve("members"), "# none\n");
        String listen = "gnrs.listen=[\"127.0.0.1\", \"" + OWN + "\"]";
        try (NamespaceClient client = client();
                RunningServer server = RunningServer.start(
                        folder.resolve("one"), listen, "gnrs.kernel-cache=" + device + ",mode=generic", "sites.file=" + members);
                GnrsClient writer = server.client()) {
            assertThat(writer.update(NAME, place(1)).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
            get(client, server);
            assertThat(server.metric(ANSWERED)).isGreaterThanOrEqualTo(LOOKUPS / 2.0);

            Files.writeString(members, "tokyo 127.0.0.9:5001\n");
            assertThat(server.server().reload().done()).isTrue();
            double before = server.metric(ANSWERED);
            get(client, server);
            assertThat(server.metric(ANSWERED)).isEqualTo(before);
            awaitKernel(client, OWN, server);
        }
    }

    private static void get(NamespaceClient client, RunningServer server) throws IOException {
        List<String> words = new ArrayList<>(List.of("get", "--server", OWN + ":" + server.address().getPort()));
        words.addAll(Collections.nCopies(LOOKUPS, NAME.toString()));
        assertThat(client.guidepost(words.toArray(String[]::new)).lines())
                .hasSize(LOOKUPS)
                .allMatch(each -> each.contains("10.0.0.1:257"));
    }

    @Test
    void aServerThatMayNotPutItsProgramThereSaysSoAndAnswersAndPutsItWhenItMay() throws Exception {
        try (NamespaceClient client = client()) {
            RunningServer first = server("first");
            try (RunningServer second = server("second");
                    GnrsClient writer = second.client()) {
                assertThat(first.page("/health")).contains("\"status\": \"ok\"");
                assertThat(second.page("/health")).contains("\"condition\": \"kernel-cache\"", "another XDP program is on it");
                assertThat(writer.update(NAME, place(4)).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
                assertThat(ask(client, OWN, second, 5)[PLACE + 3]).isEqualTo((byte) 4);
                first.close();
                assertThat(RunningServer.eventually(() -> health(second).contains("\"status\": \"ok\""))).isTrue();
                awaitKernel(client, OWN, second);
            } finally {
                first.close();
            }
        }
    }

    @Test
    void theProgramAnswersAtTheAddressesThatTheInterfaceHasNow() throws Exception {
        try (NamespaceClient client = client();
                RunningServer server = server("one", "0.0.0.0");
                GnrsClient writer = GnrsClient.open(new InetSocketAddress("127.0.0.1", server.address().getPort()))) {
            assertThat(writer.update(NAME, place(1)).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
            awaitKernel(client, OWN, server);
            ip("addr", "add", SECOND + "/24", "dev", device);
            awaitKernel(client, SECOND, server);
            awaitKernel(client, OWN, server);

            ip("addr", "flush", "dev", device);
            assertThat(RunningServer.eventually(() -> health(server).contains("no Ethernet interface of this name with an address")))
                    .isTrue();
            ip("addr", "add", SECOND + "/24", "dev", device);
            awaitKernel(client, SECOND, server);
            assertThat(RunningServer.eventually(() -> health(server).contains("\"status\": \"ok\""))).isTrue();
        }
    }

    private static String health(RunningServer server) {
        try {
            return server.page("/health");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks at an address until the kernel answers; each look-up has an answer until then. */
    private static void awaitKernel(NamespaceClient client, String address, RunningServer server) throws IOException {
        double before = server.metric(ANSWERED);
        int asked = 0;
        while (server.metric(ANSWERED) == before && asked < LOOKUPS_MAX) {
            ask(client, address, server, ++asked);
        }
        assertThat(server.metric(ANSWERED)).as("answers of the kernel at %s", address).isGreaterThan(before);
    }
}
