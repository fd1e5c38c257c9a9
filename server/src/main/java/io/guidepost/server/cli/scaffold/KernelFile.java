package io.guidepost.server.cli.scaffold;

import io.guidepost.packet.linux.SystemCall;
import io.guidepost.packet.stream.TcpCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** One file over HTTP, by the kernel's TCP or MPTCP, which the sockets of Java do not have: for the comparison of the demonstration. */
final class KernelFile {
    /** Exit codes of the client, besides 0 for a whole response. */
    static final int HANGS = 3;

    static final int RESET = 4;
    static final int CUT = 5;

    /** Of so long a silence a person would say that the download hangs. */
    static final int SILENCE_MILLIS = 5_000;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int BACKLOG = 16;
    private static final long NAP_NANOS = 100_000;
    private static final String LENGTH = "Content-Length: ";

    private KernelFile() {}

    /** Serves a file until the process ends. */
    static void serve(Path file, int port) throws IOException {
        TcpCalls calls = new TcpCalls(TcpCalls.MULTIPATH);
        int listener = calls.listen(new InetSocketAddress("0.0.0.0", port), BACKLOG);
        while (true) {
            int socket = calls.accept(listener);
            if (socket >= 0) {
                Thread.ofPlatform().daemon().start(() -> answer(file, socket));
            } else {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }

    private static void answer(Path file, int socket) {
        TcpCalls calls = new TcpCalls();
        try (Arena arena = Arena.ofShared(); FileChannel bytes = FileChannel.open(file)) {
            MemorySegment body = bytes.map(FileChannel.MapMode.READ_ONLY, 0, bytes.size(), arena);
            MemorySegment head = arena.allocateFrom("HTTP/1.1 200 OK\r\n" + LENGTH + body.byteSize() + "\r\n\r\n");
            if (send(calls, socket, head.asSlice(0, head.byteSize() - 1))) {
                send(calls, socket, body);
            }
            // A socket that is closed before its last bytes have arrived may be reset when a path fails.
            calls.endOutput(socket);
            MemorySegment rest = arena.allocate(BUFFER_BYTES);
            for (int read = 1; read > 0 || read == -SystemCall.EAGAIN; read = calls.receive(socket, rest.address(), BUFFER_BYTES)) {
                LockSupport.parkNanos(NAP_NANOS);
            }
        } catch (IOException e) {
            System.err.println("guidepost: the file is not served: " + e.getMessage());
        } finally {
            calls.close(socket);
        }
    }

    private static boolean send(TcpCalls calls, int socket, MemorySegment all) {
        for (long at = 0; at < all.byteSize(); ) {
            int sent = calls.send(socket, all.address() + at, (int) Math.min(BUFFER_BYTES, all.byteSize() - at));
            if (sent == -SystemCall.EAGAIN) {
                LockSupport.parkNanos(NAP_NANOS);
            } else if (sent < 0) {
                return false;
            } else {
                at += sent;
            }
        }
        return true;
    }

    /** Writes what a server sends to a stream; returns how it ended. */
    static int fetch(URI from, boolean multipath, OutputStream out) throws IOException {
        TcpCalls calls = new TcpCalls(multipath ? TcpCalls.MULTIPATH : 0);
        int socket = calls.connect(new InetSocketAddress(InetAddress.getByName(from.getHost()), from.getPort()), SILENCE_MILLIS);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = arena.allocateFrom("GET " + from.getPath() + " HTTP/1.1\r\nHost: " + from.getHost() + "\r\n\r\n");
            calls.send(socket, request.address(), (int) request.byteSize() - 1);
            MemorySegment buffer = arena.allocate(BUFFER_BYTES);
            StringBuilder head = new StringBuilder();
            long left = -1;
            while (left != 0) {
                int read = calls.receive(socket, buffer.address(), BUFFER_BYTES);
                if (read <= 0) {
                    return read == 0 ? CUT : read == -SystemCall.EAGAIN ? HANGS : RESET;
                }
                byte[] bytes = buffer.asSlice(0, read).toArray(ValueLayout.JAVA_BYTE);
                int begin = 0;
                for (; left < 0 && begin < read; begin++) {
                    head.append((char) bytes[begin]);
                    left = head.toString().endsWith("\r\n\r\n") ? length(head.toString()) : -1;
                }
                out.write(bytes, begin, read - begin);
                left -= left < 0 ? 0 : read - begin;
            }
            out.flush();
            return 0;
        } finally {
            calls.close(socket);
        }
    }

    private static long length(String head) {
        int at = head.indexOf(LENGTH) + LENGTH.length();
        return Long.parseLong(head.substring(at, head.indexOf("\r\n", at)));
    }
}
