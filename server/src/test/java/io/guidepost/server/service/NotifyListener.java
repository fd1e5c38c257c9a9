package io.guidepost.server.service;

import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** What a service manager has: a Unix socket that takes datagrams. */
public final class NotifyListener implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int BYTES_MAX = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment errno = SystemCall.errno(arena);
    private final MemorySegment room = arena.allocate(BYTES_MAX);
    private final long socket;

    /** Listens at a path that is not there yet, or in abstract space. */
    public NotifyListener(String path) throws IOException {
        byte[] name = path.replaceFirst("^@", "\0").getBytes(StandardCharsets.UTF_8);
        MemorySegment address = arena.allocate(2L + name.length + 1);
        address.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) AF_UNIX);
        MemorySegment.copy(name, 0, address, ValueLayout.JAVA_BYTE, 2, name.length);
        socket = SystemCall.call(errno, SystemCall.SOCKET, AF_UNIX, SOCK_DGRAM, 0);
        if (SystemCall.call(errno, SystemCall.BIND, socket, address.address(), 2L + name.length) < 0) {
            throw new IOException(path + " cannot be bound");
        }
    }

    /** Listens in a folder. */
    public static NotifyListener in(Path folder) throws IOException {
        return new NotifyListener(folder.resolve("notify").toString());
    }

    /** Waits for the next message. */
    public String next() {
        return receive(0).orElseThrow();
    }

    /** Returns the next message that is there already. */
    public Optional<String> poll() {
        return receive(MSG_DONTWAIT);
    }

    private Optional<String> receive(int flags) {
        long bytes = SystemCall.call(errno, SystemCall.RECVFROM, socket, room.address(), BYTES_MAX, flags, 0, 0);
        return bytes < 0
                ? Optional.empty()
                : Optional.of(new String(room.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        SystemCall.call(errno, SystemCall.CLOSE, socket, 0, 0);
        arena.close();
    }
}
