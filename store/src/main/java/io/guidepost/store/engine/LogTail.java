package io.guidepost.store.engine;

import io.guidepost.store.StoreDamagedException;
import io.guidepost.store.StoreLockedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Cuts off what a power loss left torn at the end of RocksDB's write-ahead logs and manifest, before they are read.
 *
 * <p>Of bytes that were not synced a power loss leaves any part. In a log RocksDB takes any damage for that, and drops all that
 * follows; in a manifest it takes none. Which damage is of another kind, and is refused? Bytes that never reached the disk are
 * zeros, a whole sector at least, or behind the end of the file: other damage was done to what had been written. And a group that
 * is synced is written after the one before it was: so damage with such a group behind it was done to synced bytes. A log that
 * has no group yet, but the record of the log before it, may be torn with groups behind it in the next: that record is synced with
 * the first group of its log.
 *
 * <pre>
 *  A log is blocks of 32 KiB; a record does not cross them, and fewer than 7 bytes at the end of one are zeros.
 *  offset size
 *     0     4  CRC-32C of type and payload, masked, little-endian
 *     4     2  length of the payload, little-endian
 *     6     1  type: 1 whole, 2 first, 3 middle, 4 last part of a group; 128 and above: not a group (130: the log before)
 *     7     .  payload; of a group: see {@link WriteBatchBuffer}
 * </pre>
 *
 * <p>Source: RocksDB, db/log_format.h.
 */
final class LogTail {
    private static final System.Logger LOG = System.getLogger(LogTail.class.getName());
    private static final int BLOCK_BYTES = 32 << 10;
    private static final int HEADER_BYTES = 7;
    private static final int WHOLE = 1;
    private static final int FIRST = 2;
    private static final int MIDDLE = 3;
    private static final int LAST = 4;
    private static final int NOT_A_GROUP = 128;

    /** The first record of a log says which log was before it: number, size and last sequence number. */
    private static final int PREDECESSOR_BYTES = HEADER_BYTES + 3 * Long.BYTES;

    private static final int CRC_DELTA = 0xa282ead8;

    /** The least that a disk writes at once. */
    private static final int SECTOR_BYTES = 512;

    private static final ByteBuffer ZEROS = ByteBuffer.allocate(SECTOR_BYTES);

    private final ByteBuffer log;
    private final CRC32C crc = new CRC32C();

    /** The first bytes of the group that {@link #group} read last. */
    private final ByteBuffer beginning =
            ByteBuffer.allocate(WriteBatchBuffer.BEGINNING_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /** Whether {@link #group} came to the end of the file before that of a group. */
    private boolean endless;

    private LogTail(ByteBuffer log) {
        this.log = log.order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Cuts the logs of a folder that no engine has open.
     *
     * @throws StoreDamagedException if one is damaged where it had been written; none is cut then
     */
    static void cut(Path folder) throws IOException {
        Map<Path, Long> torn = new LinkedHashMap<>();
        List<Path> empty = new ArrayList<>();
        for (Path each : logs(folder)) {
            if (isEmpty(each)) {
                empty.add(each);
            } else {
                look(each, true, torn);
            }
        }
        Path current = folder.resolve("CURRENT");
        String manifest = Files.exists(current) ? new String(Files.readAllBytes(current), StandardCharsets.ISO_8859_1).strip() : "";
        if (manifest.matches("MANIFEST-\\d+") && Files.exists(folder.resolve(manifest))) {
            look(folder.resolve(manifest), false, torn);
        }
        empty.forEach(each -> torn.put(each, 0L));
        for (Map.Entry<Path, Long> each : torn.entrySet()) {
            truncate(folder, each.getKey(), each.getValue());
        }
    }

    /** Returns whether a log has zeros alone where no more than the record of the log before it may have been. */
    private static boolean isEmpty(Path log) throws IOException {
        long size = Files.size(log);
        return size > 0 && size <= PREDECESSOR_BYTES && ByteBuffer.wrap(Files.readAllBytes(log)).equals(ZEROS.slice(0, (int) size));
    }

    private static List<Path> logs(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return new ArrayList<>(files.filter(each -> each.toString().endsWith(".log")).sorted().toList());
        }
    }

    /**
     * Looks for a torn end.
     *
     * @param groups whether the records of the file are groups of writes
     * @param torn takes the file, if its end is torn, and how many bytes are whole; has those before it
     */
    private static void look(Path file, boolean groups, Map<Path, Long> torn) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            LogTail log = new LogTail(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena).asByteBuffer());
            int whole = log.whole();
            boolean ends = whole == channel.size();
            boolean damaged = !ends && !log.isTorn(whole);
            if (groups && !damaged && (!torn.isEmpty() || !ends)) {
                damaged = log.hasSyncedGroup(torn.isEmpty() ? whole + 1 : 0);
            }
            if (damaged) {
                throw new StoreDamagedException(
                        torn.isEmpty() || !groups ? file : torn.keySet().iterator().next(),
                        "the log is damaged where it had been written: not as a power loss does",
                        StoreDamagedException.RESTORE);
            }
            if (!ends) {
                torn.put(file, (long) whole);
            }
        }
    }

    private static void truncate(Path folder, Path file, long size) throws IOException {
        try (FileChannel guard =
                        FileChannel.open(folder.resolve("LOCK"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                @Nullable FileLock lock = guard.tryLock();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (lock == null) {
                throw new StoreLockedException(folder);
            }
            LOG.log(
                    System.Logger.Level.INFO,
                    "{0}: {1} bytes after the last whole group are cut off: they were being written when the process or the power ended",
                    file,
                    channel.size() - size);
            channel.truncate(size);
            channel.force(true);
        }
    }

    /** Returns how many bytes from the beginning are whole groups. */
    private int whole() {
        int end = 0;
        int next;
        while ((next = group(end)) > 0) {
            end = next;
        }
        return end;
    }

    /** Returns whether the record at an offset ends behind the file, or a sector from there on has zeros alone. */
    private boolean isTorn(int from) {
        boolean cutOff = group(from) == 0 && endless;
        for (int at = from; at < log.limit() && !cutOff; ) {
            int end = Math.min(log.limit(), (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
            cutOff = log.slice(at, end - at).mismatch(ZEROS.slice(0, end - at)) < 0;
            at = end;
        }
        return cutOff;
    }

    /** Returns whether a whole group that was written to be synced begins at an offset or after it. */
    private boolean hasSyncedGroup(int from) {
        for (int at = from; at + HEADER_BYTES <= log.limit(); at++) {
            // A sum over what follows is made for few of all bytes: those that look like the type of a first record.
            int type = log.get(at + 6);
            if ((type == WHOLE || type == FIRST) && group(at) > 0 && beginning.position() > 0 && !WriteBatchBuffer.isRelaxed(beginning)) {
                return true;
            }
        }
        return false;
    }

    /** Reads a group, or what is not one, at an offset; returns its end, 0 if no whole one is there. */
    private int group(int from) {
        beginning.clear();
        endless = false;
        int at = from;
        boolean inside = false;
        while (true) {
            int left = BLOCK_BYTES - at % BLOCK_BYTES;
            if (left < HEADER_BYTES) {
                at += left;
            }
            if (at + HEADER_BYTES > log.limit()) {
                endless = true;
                return 0;
            }
            int length = log.getShort(at + 4) & 0xffff;
            int type = log.get(at + 6) & 0xff;
            int end = at + HEADER_BYTES + length;
            boolean fits = length <= BLOCK_BYTES - at % BLOCK_BYTES - HEADER_BYTES;
            boolean expected = inside ? type == MIDDLE || type == LAST : type == WHOLE || type == FIRST || type >= NOT_A_GROUP;
            endless = fits && expected && end > log.limit();
            if (!fits || !expected || endless || log.getInt(at) != masked(at + 6, end)) {
                return 0;
            }
            if (type < NOT_A_GROUP) {
                keep(at + HEADER_BYTES, end);
            }
            if (type != FIRST && type != MIDDLE) {
                return end;
            }
            inside = true;
            at = end;
        }
    }

    private int masked(int from, int end) {
        crc.reset();
        crc.update(log.slice(from, end - from));
        int sum = (int) crc.getValue();
        return (sum >>> 15 | sum << 17) + CRC_DELTA;
    }

    private void keep(int from, int end) {
        beginning.put(log.slice(from, Math.min(end - from, beginning.remaining())));
    }
}
