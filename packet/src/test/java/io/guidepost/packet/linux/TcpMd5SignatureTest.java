package io.guidepost.packet.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.Machine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.Test;

/** Connections of this host, signed with the same password, with two, and on one side only. */
class TcpMd5SignatureTest {
    private static final byte[] KEY = "a password".getBytes(StandardCharsets.US_ASCII);

    @BeforeAll
    static void needsAKernelThatSigns() throws IOException {
        Machine.assumeLinux();
        try (Socket socket = bound("127.0.0.1")) {
            TcpMd5Signature.require((InetSocketAddress) socket.getLocalSocketAddress(), InetAddress.ofLiteral("127.0.0.1"), KEY);
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    private static Socket bound(String address) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
        return socket;
    }

    private static ServerSocket listening(String address, byte[] key) throws IOException {
        ServerSocket port = new ServerSocket();
        port.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
        InetAddress peer = InetAddress.ofLiteral(address.equals("::") ? "127.0.0.1" : address);
        TcpMd5Signature.require((InetSocketAddress) port.getLocalSocketAddress(), peer, key);
        return port;
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void bothSidesSign(String address) throws IOException {
        try (ServerSocket port = listening(address, KEY);
                Socket socket = bound(address)) {
            TcpMd5Signature.require(
                    (InetSocketAddress) socket.getLocalSocketAddress(), InetAddress.ofLiteral(address), KEY);
            socket.connect(port.getLocalSocketAddress());
            try (Socket accepted = port.accept()) {
                socket.getOutputStream().write(7);
                assertThat(accepted.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    /** A port of all addresses, as routers are told to connect to, takes IPv4 too. */
    @Test
    void aPortOfAllAddressesSigns() throws IOException {
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        try (ServerSocket port = listening("::", KEY);
                Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(0));
            TcpMd5Signature.require((InetSocketAddress) socket.getLocalSocketAddress(), here, KEY);
            socket.connect(new InetSocketAddress(here, port.getLocalPort()));
            try (Socket accepted = port.accept()) {
                socket.getOutputStream().write(7);
                assertThat(accepted.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    /** Nobody answers who has no password or another one: the timeout is what is expected, however long it takes. */
    @ParameterizedTest
    @ValueSource(strings = {"", "another password"})
    void whoSignsOtherwiseIsNotHeard(String password) throws IOException {
        try (ServerSocket port = listening("127.0.0.1", KEY);
                Socket socket = bound("127.0.0.1")) {
            if (!password.isEmpty()) {
                TcpMd5Signature.require(
                        (InetSocketAddress) socket.getLocalSocketAddress(),
                        InetAddress.ofLiteral("127.0.0.1"),
                        password.getBytes(StandardCharsets.US_ASCII));
            }
            assertThatThrownBy(() -> socket.connect(port.getLocalSocketAddress(), 200))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        InetAddress here = InetAddress.ofLiteral("127.0.0.1");
        try (Socket socket = bound("127.0.0.1")) {
            InetSocketAddress local = (InetSocketAddress) socket.getLocalSocketAddress();
            assertThatThrownBy(() -> TcpMd5Signature.require(local, here, new byte[81]))
                    .hasMessage("a TCP MD5 password has 1 to 80 bytes, not 81");
            assertThatThrownBy(() -> TcpMd5Signature.require(local, here, new byte[0]))
                    .hasMessageContaining("not 0");
            InetSocketAddress nobodys = new InetSocketAddress(here, 1);
            assertThatThrownBy(() -> TcpMd5Signature.require(nobodys, here, KEY)).hasMessageStartingWith("0 TCP sockets");
        }
    }
}
