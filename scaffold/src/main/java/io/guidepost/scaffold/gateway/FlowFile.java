package io.guidepost.scaffold.gateway;

import io.guidepost.base.Memory;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.flow.FlowMemory;
import io.guidepost.scaffold.flow.GatewaySettings;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FlowMemory} in a mapped file, which outlives the process, however it ends; the connections of the kernel's TCP that it is
 * about end with the machine, so it holds for one boot. Most of its length is a hole; blocks are there before they are used, as
 * writing to a hole of a full disk would end the process.
 *
 * <pre>
 *  in the header of the memory, from {@link FlowMemory#OWNER_AT} on:
 *  0 "GPFLOWS2" (8)   8 id of the boot (36)   44 GUID of the host (20)   64 zeros: here stood a key once (1,024)
 * </pre>
 */
final class FlowFile implements AutoCloseable {
    private static final Logger LOG = System.getLogger(FlowFile.class.getName());
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final long MAGIC = 0x4750_464c_4f57_5332L;
    private static final int BOOT_BYTES = 36;
    private static final int KEY_AT = 64;
    private static final int KEY_BYTES = 1_024;

    private final @Nullable FileChannel file;
    private final FlowMemory memory;
    private boolean told;

    /**
     * Opens the file, or makes it.
     *
     * @param path null for none: then no flow outlives this process
     * @param host whose flows are in it
     */
    FlowFile(@Nullable Path path, GatewaySettings settings, Guid host) {
        FileChannel opened = null;
        FlowMemory kept = FlowMemory.none();
        try {
            if (path != null) {
                opened = open(path);
                MemorySegment all = map(opened, settings);
                if (!isOf(all, host)) {
                    opened.truncate(0);
                    all = map(opened, settings);
                    begin(all, host);
                }
                kept = new FlowMemory(all, this::grow, settings);
            }
        } catch (IOException e) {
            warn(e);
        }
        file = opened;
        memory = kept;
    }

    FlowMemory memory() {
        return memory;
    }

    private static FileChannel open(Path path) throws IOException {
        FileChannel file = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /** Maps the file for good: the worker may use it until the process ends. */
    private static MemorySegment map(FileChannel file, GatewaySettings settings) throws IOException {
        allocate(file, 0, FlowMemory.HEADER_BYTES);
        long bytes = FlowMemory.bytes(settings);
        if (file.size() < bytes) {
            file.write(ByteBuffer.allocate(1), bytes - 1);
        }
        return file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.global());
    }

    /** Has the disk give blocks to a part of the file: what is there is written again. */
    private static void allocate(FileChannel file, long from, long end) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) (end - from));
        while (bytes.hasRemaining() && file.read(bytes, from + bytes.position()) > 0) {
            // A file may be read in parts.
        }
        bytes.clear();
        while (bytes.hasRemaining()) {
            file.write(bytes, from + bytes.position());
        }
    }

    private boolean grow(long from, long end) {
        try {
            if (file == null) {
                return false;
            }
            allocate(file, from, end);
            return true;
        } catch (IOException e) {
            warn(e);
            return false;
        }
    }

    private void warn(IOException e) {
        if (!told) {
            told = true;
            LOG.log(Level.WARNING, "new flows do not outlive this process: {0}", e.getMessage());
        }
    }

    private static void begin(MemorySegment all, Guid host) throws IOException {
        MemorySegment owner = all.asSlice(FlowMemory.OWNER_AT);
        MemorySegment.copy(boot(), 0, owner, Memory.BYTE, 8, BOOT_BYTES);
        host.write(owner, 8 + BOOT_BYTES);
        owner.set(Memory.LONG, 0, MAGIC);
    }

    /** Returns whether a file is of this host and this boot. */
    private static boolean isOf(MemorySegment all, Guid host) throws IOException {
        MemorySegment owner = all.asSlice(FlowMemory.OWNER_AT);
        owner.asSlice(KEY_AT, KEY_BYTES).fill((byte) 0);
        return owner.get(Memory.LONG, 0) == MAGIC
                && MemorySegment.mismatch(owner, 8, 8 + BOOT_BYTES, MemorySegment.ofArray(boot()), 0, BOOT_BYTES) < 0
                && Guid.read(owner, 8 + BOOT_BYTES).equals(host);
    }

    private static byte[] boot() throws IOException {
        byte[] id = Files.readAllBytes(BOOT);
        return Arrays.copyOf(id, BOOT_BYTES);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
