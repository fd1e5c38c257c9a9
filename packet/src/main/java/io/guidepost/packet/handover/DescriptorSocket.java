package io.guidepost.packet.handover;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.guidepost.base.SocketFile;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.linux.MsgHdr;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A Unix socket whose messages carry descriptors beside bytes, which the JDK's do not (unix(7), SCM_RIGHTS). Each message is received
 * as a whole, as it was sent. One thread at a time; {@link #close} is for any.
 *
 * <pre>
 *  struct sockaddr_un:        0 family (2 bytes)   2 path
 *  struct msghdr, 56 bytes:   as the first 56 of {@link MsgHdr}
 *  struct ucred, 12 bytes:    0 process (int)   4 user (int)   8 group (int)
 *  struct timeval, 16 bytes:  0 seconds (long)  8 microseconds (long)
 * </pre>
 */
public final class DescriptorSocket implements AutoCloseable {
    /** Descriptors of one message: fewer than the kernel takes (253). */
    public static final int DESCRIPTORS_MAX = 64;

    /** Bytes of one message: fewer than the kernel keeps for a socket. */
    public static final int MESSAGE_BYTES_MAX = 128 << 10;

    private static final int AF_UNIX = 1;
    private static final int SOCK_SEQPACKET_CLOEXEC = 5 | 0x80000;
    private static final int CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int SO_RCVTIMEO = 20;
    private static final int SCM_RIGHTS = 1;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int SHUT_RDWR = 2;
    private static final int AT_FDCWD = -100;
    private static final int O_PATH_CLOEXEC = 0x200000 | 0x80000;
    private static final int BACKLOG = 4;
    private static final int HEADER_BYTES = 56;
    private static final int CONTROL_BYTES_MAX = MsgHdr.controlSpace(DESCRIPTORS_MAX * Integer.BYTES);
    private static final int PATH_BYTES_MAX = 107;

    private final SharedDescriptor socket;

    /**
     * What was received.
     *
     * @param bytes may be none
     * @param descriptors now of this process, to be closed by the receiver
     */
    public record Message(byte[] bytes, List<Integer> descriptors) {
        /** Returns its bytes as text. */
        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** The other side has ended, or was killed. */
    public static final class EndedException extends IOException {
        private static final long serialVersionUID = 1;

        EndedException() {
            super("the other process has ended");
        }
    }

    private DescriptorSocket(int number) {
        socket = new SharedDescriptor(number);
    }

    /**
     * Listens at a file, in place of one that an ended process left. Only this user may connect.
     *
     * @throws IOException in one line, if the file cannot be had
     */
    public static DescriptorSocket listen(Path file) throws IOException {
        DescriptorSocket opened = open(file);
        try (Arena arena = Arena.ofConfined()) {
            SocketFile.make(file, made -> {
                named(made, arena, (name, bytes) -> opened.call(arena, SystemCall.BIND, name, bytes, 0));
                opened.call(arena, SystemCall.LISTEN, BACKLOG, 0, 0);
            });
            return opened;
        } catch (IOException e) {
            opened.close();
            throw new IOException(file + " cannot be listened at: " + e.getMessage(), e);
        }
    }

    /**
     * Connects to who listens at a file.
     *
     * @throws IOException in one line, if no process does, or this user may not
     */
    public static DescriptorSocket connect(Path file) throws IOException {
        DescriptorSocket opened = open(file);
        try (Arena arena = Arena.ofConfined()) {
            named(file, arena, (name, bytes) -> opened.call(arena, SystemCall.CONNECT, name, bytes, 0));
            return opened;
        } catch (IOException e) {
            opened.close();
            throw new IOException(file + " does not answer: " + e.getMessage(), e);
        }
    }

    private static DescriptorSocket open(Path file) throws IOException {
        if (!SystemCall.AVAILABLE) {
            throw new IOException(file + " cannot be had: descriptors are handed over on Linux alone");
        }
        try (Arena arena = Arena.ofConfined()) {
            return new DescriptorSocket((int) SystemCall.checked(
                    SystemCall.call(SystemCall.errno(arena), SystemCall.SOCKET, AF_UNIX, SOCK_SEQPACKET_CLOEXEC, 0)));
        }
    }

    @FunctionalInterface
    private interface Naming {
        void by(long address, int bytes) throws IOException;
    }

    /** Names a file by its folder's descriptor: a path may be longer than an address of a socket. */
    private static void named(Path file, Arena arena, Naming use) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        MemorySegment errno = SystemCall.errno(arena);
        long number = SystemCall.checked(SystemCall.call(
                errno, SystemCall.OPENAT, AT_FDCWD, arena.allocateFrom(String.valueOf(folder)).address(), O_PATH_CLOEXEC));
        try {
            byte[] path = ("/proc/self/fd/" + number + "/" + file.getFileName()).getBytes(StandardCharsets.UTF_8);
            if (path.length > PATH_BYTES_MAX) {
                throw new IOException("its name is too long");
            }
            MemorySegment address = arena.allocate(Short.BYTES + path.length + 1L, Long.BYTES);
            address.set(JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(path, 0, address, JAVA_BYTE, Short.BYTES, path.length);
            use.by(address.address(), Short.BYTES + path.length);
        } finally {
            SystemCall.call(errno, SystemCall.CLOSE, number, 0, 0);
        }
    }

    /**
     * Waits for the next that connects.
     *
     * @throws IOException when this is closed
     */
    public DescriptorSocket accept() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long number;
            socket.hold();
            try {
                do {
                    number = SystemCall.call(SystemCall.errno(arena), SystemCall.ACCEPT4, socket.number(), 0, 0, CLOEXEC, 0, 0);
                } while (number == -SystemCall.EINTR);
            } finally {
                socket.release();
            }
            return new DescriptorSocket((int) SystemCall.checked(number));
        }
    }

    /** Returns the number of the user that is at the other side. */
    public int peerUser() throws IOException {
        return credentials(Integer.BYTES);
    }

    /** Returns the number of the process that is at the other side. */
    public int peerProcess() throws IOException {
        return credentials(0);
    }

    private int credentials(int at) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment credentials = arena.allocate(3 * Integer.BYTES, Long.BYTES);
            MemorySegment length = arena.allocateFrom(JAVA_INT, 3 * Integer.BYTES);
            SystemCall.checked(SystemCall.call(
                    SystemCall.errno(arena), SystemCall.GETSOCKOPT, socket.number(), SOL_SOCKET, SO_PEERCRED,
                    credentials.address(), length.address(), 0));
            return credentials.get(JAVA_INT, at);
        }
    }

    /** Sends text alone. */
    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.UTF_8), List.of());
    }

    /**
     * Sends a message with descriptors, which stay open here.
     *
     * @param bytes at least one, {@link #MESSAGE_BYTES_MAX} at most
     * @param descriptors {@link #DESCRIPTORS_MAX} at most
     */
    public void send(byte[] bytes, List<Integer> descriptors) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment control = arena.allocate(CONTROL_BYTES_MAX, Long.BYTES);
            int dataBytes = descriptors.size() * Integer.BYTES;
            control.set(JAVA_LONG, 0, MsgHdr.CONTROL_DATA + dataBytes);
            control.set(JAVA_INT, MsgHdr.CONTROL_LEVEL, SOL_SOCKET);
            control.set(JAVA_INT, MsgHdr.CONTROL_TYPE, SCM_RIGHTS);
            for (int i = 0; i < descriptors.size(); i++) {
                control.set(JAVA_INT, MsgHdr.CONTROL_DATA + (long) i * Integer.BYTES, descriptors.get(i));
            }
            MemorySegment header = header(
                    arena, arena.allocateFrom(JAVA_BYTE, bytes), control, descriptors.isEmpty() ? 0 : MsgHdr.controlSpace(dataBytes));
            long sent = SystemCall.call(
                    SystemCall.errno(arena), SystemCall.SENDMSG, socket.number(), header.address(), MsgHdr.MSG_NOSIGNAL);
            if (sent == -SystemCall.EPIPE || sent == -SystemCall.ECONNRESET) {
                throw new EndedException();
            }
            SystemCall.checked(sent);
        }
    }

    private static MemorySegment header(Arena arena, MemorySegment bytes, MemorySegment control, int controlBytes) {
        MemorySegment vector = arena.allocate(2L * Long.BYTES, Long.BYTES);
        vector.set(JAVA_LONG, 0, bytes.address());
        vector.set(JAVA_LONG, Long.BYTES, bytes.byteSize());
        MemorySegment header = arena.allocate(HEADER_BYTES, Long.BYTES);
        header.set(JAVA_LONG, MsgHdr.VECTOR, vector.address());
        header.set(JAVA_LONG, MsgHdr.VECTOR_COUNT, 1);
        header.set(JAVA_LONG, MsgHdr.CONTROL, controlBytes == 0 ? 0 : control.address());
        header.set(JAVA_LONG, MsgHdr.CONTROL_LENGTH, controlBytes);
        return header;
    }

    /**
     * Waits for a message.
     *
     * @throws SocketTimeoutException if none has come in time
     * @throws EndedException if the other side has ended
     */
    public Message receive(Duration patience) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(2L * Long.BYTES, Long.BYTES);
            time.set(JAVA_LONG, 0, patience.toSeconds());
            time.set(JAVA_LONG, Long.BYTES, Math.max(1, patience.toNanosPart() / 1000));
            call(arena, SystemCall.SETSOCKOPT, SOL_SOCKET, SO_RCVTIMEO, time.address(), time.byteSize());
            MemorySegment bytes = arena.allocate(MESSAGE_BYTES_MAX);
            MemorySegment control = arena.allocate(CONTROL_BYTES_MAX, Long.BYTES);
            MemorySegment header = header(arena, bytes, control, CONTROL_BYTES_MAX);
            MemorySegment errno = SystemCall.errno(arena);
            long got;
            do {
                got = SystemCall.call(errno, SystemCall.RECVMSG, socket.number(), header.address(), MSG_CMSG_CLOEXEC);
            } while (got == -SystemCall.EINTR);
            if (got == -SystemCall.EAGAIN) {
                throw new SocketTimeoutException("the other process said nothing for " + patience.toSeconds() + " s");
            }
            if (got == 0 || got == -SystemCall.ECONNRESET) {
                throw new EndedException();
            }
            SystemCall.checked(got);
            int controlBytes = (int) header.get(JAVA_LONG, MsgHdr.CONTROL_LENGTH);
            int count = controlBytes < MsgHdr.CONTROL_DATA
                    ? 0
                    : ((int) control.get(JAVA_LONG, 0) - MsgHdr.CONTROL_DATA) / Integer.BYTES;
            int[] descriptors = control.asSlice(MsgHdr.CONTROL_DATA, (long) count * Integer.BYTES).toArray(JAVA_INT);
            return new Message(
                    bytes.asSlice(0, got).toArray(JAVA_BYTE), java.util.Arrays.stream(descriptors).boxed().toList());
        }
    }

    private void call(Arena arena, int call, long a, long b, long c) throws IOException {
        call(arena, call, a, b, c, 0);
    }

    private void call(Arena arena, int call, long a, long b, long c, long d) throws IOException {
        SystemCall.checked(SystemCall.call(SystemCall.errno(arena), call, socket.number(), a, b, c, d, 0));
    }

    /** Ends the connection, and a wait for one. */
    @Override
    public void close() {
        try (Arena arena = Arena.ofConfined()) {
            SystemCall.call(SystemCall.errno(arena), SystemCall.SHUTDOWN, socket.number(), SHUT_RDWR, 0);
        }
        socket.close();
    }
}
