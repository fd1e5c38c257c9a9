package io.guidepost.handle.service;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.message.HandleEnvelope;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service on a port of the loopback interface: one request for each connection, as existing servers have it. */
public final class TestTcpHost implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(TestTcpHost.class.getName());

    private static final int READ_MILLIS_MAX = 10_000;

    private final HandleRequestHandler service;
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService connections = Executors.newVirtualThreadPerTaskExecutor();

    public TestTcpHost(HandleRequestHandler service) throws IOException {
        this.service = service;
        connections.execute(this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                connections.execute(() -> serve(connection));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            connection.setSoTimeout(READ_MILLIS_MAX);
            DataInputStream in = new DataInputStream(connection.getInputStream());
            byte[] envelope = new byte[HandleEnvelope.BYTES];
            in.readFully(envelope);
            int length = HandleEnvelope.readPrefix(new WireReader(envelope)).length();
            byte[] whole = Arrays.copyOf(envelope, HandleEnvelope.BYTES + length);
            in.readFully(whole, HandleEnvelope.BYTES, length);
            OutputStream out = connection.getOutputStream();
            InetSocketAddress peer = (InetSocketAddress) connection.getRemoteSocketAddress();
            service.answer(new HandleRequest(whole, HandleRequest.Transport.TCP, peer, true), (answer, _) -> out.write(answer));
        } catch (IOException | Malformed e) {
            // The client is told by the end of the connection, and its test by the client.
            LOG.log(System.Logger.Level.DEBUG, "a connection ends", e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        connections.shutdownNow();
    }
}
