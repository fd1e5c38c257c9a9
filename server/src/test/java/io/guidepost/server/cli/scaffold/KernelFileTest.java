package io.guidepost.server.cli.scaffold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.linux.SystemCall;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the client of the comparison tells what became of a download. */
class KernelFileTest {
    private static void serve(ServerSocket server, int bytes, boolean resets) {
        try (Socket client = server.accept()) {
            client.getInputStream().read(new byte[1_024]);
            client.getOutputStream().write(("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + "data".substring(0, bytes))
                    .getBytes(StandardCharsets.US_ASCII));
            client.setSoLinger(resets, 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"4, false, 0", "2, false, " + KernelFile.CUT, "2, true, " + KernelFile.RESET})
    void theEndIsToldByTheExitCode(int bytes, boolean resets, int code) throws Exception {
        assumeTrue(SystemCall.AVAILABLE, "not Linux");
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread serving = Thread.ofVirtual().start(() -> serve(server, bytes, resets));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            assertThat(KernelFile.fetch(URI.create("http://127.0.0.1:" + server.getLocalPort() + "/file"), false, out))
                    .isEqualTo(code);
            assertThat("data").startsWith(out.toString(StandardCharsets.US_ASCII));
            serving.join();
        }
    }
}
