package io.guidepost.bench.store;

import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The storage engine alone, with the settings of a server. Nothing is parsed, ordered, indexed or answered: the
 * difference is the cost of a server. Two modes:
 *
 * <ul>
 *   <li>{@code full}: batches of new records, each with one sync, one after the other in one thread.
 *   <li>{@code waiting}: group commit. WRITES writers wait, and each submits its next write when its last is done; one
 *       committer writes, with one sync, whatever has been submitted while it wrote the batch before.
 * </ul>
 *
 * <p>A program of its own, so that it can be pinned:
 * {@code EngineBaseline FOLDER SETTINGS fsync|os full|waiting WRITES SECONDS} prints writes per second and the processor
 * time of a write in microseconds, where SETTINGS is the engine folder whose settings it takes.
 */
final class EngineBaseline {
    private static final int BATCH_HEADER_BYTES = 12;
    private static final int BATCH_COUNT = 8;
    private static final byte PUT = 1;
    private static final double WARM_SECONDS = 1;
    private static final ValueLayout.OfInt COUNT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final byte[] KEY = Name.of(SyntheticRecords.guid(0)).key();
    private static final byte[] IMAGE = RecordImage.write(new Record(
            Name.of(SyntheticRecords.guid(0)),
            1,
            List.of(Binding.of(Locator.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000)))),
            List.of()));

    /** One write: its kind, then key and image, each after its length, which one byte holds up to 127. */
    private static final int WRITE_BYTES = 1 + 1 + KEY.length + 1 + IMAGE.length;

    static {
        if (KEY.length > Byte.MAX_VALUE || IMAGE.length > Byte.MAX_VALUE) {
            throw new AssertionError("lengths of more than one byte: " + KEY.length + " and " + IMAGE.length);
        }
    }

    private EngineBaseline() {}

    /** Runs and prints. */
    public static void main(String[] arguments) throws RocksDBException {
        Path folder = Path.of(arguments[0]);
        Path settings = Path.of(arguments[1]);
        boolean sync = arguments[2].equals("fsync");
        boolean waiting = arguments[3].equals("waiting");
        int writes = Integer.parseInt(arguments[4]);
        double seconds = Double.parseDouble(arguments[5]);
        Result result = write(folder, settings, sync, waiting, writes, seconds);
        System.out.printf(Locale.ROOT, "%.0f %.4f%n", result.writesPerSecond, result.cpuMicros);
    }

    /**
     * What the engine did.
     *
     * @param cpuMicros processor time of a write
     */
    record Result(double writesPerSecond, double cpuMicros) {
        /** Parses what the program printed. */
        static Result parse(String output) {
            String[] words = output.strip().split(" ", -1);
            return new Result(Double.parseDouble(words[0]), Double.parseDouble(words[1]));
        }
    }

    /** Returns the engine's folder below a server's store; empty if it is in memory. */
    static Optional<Path> engineBelow(Path store) throws IOException {
        if (!Files.isDirectory(store)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(store)) {
            return files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                    .map(Path::getParent)
                    .findFirst();
        }
    }

    private static Result write(
            Path folder, Path settings, boolean sync, boolean waiting, int batched, double seconds)
            throws RocksDBException {
        RocksDB.loadLibrary();
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try (DBOptions options = new DBOptions();
                ConfigOptions reading = new ConfigOptions();
                WriteOptions write = new WriteOptions().setSync(sync)) {
            OptionsUtil.loadLatestOptions(reading, settings.toString(), options, families);
            options.setCreateIfMissing(true);
            try (RocksDB engine = RocksDB.open(options, folder.toString(), families, handles)) {
                byte[] batch = batch(batched);
                long warmed = run(engine, write, batch, 0, Math.max(seconds / 4, Math.min(seconds, WARM_SECONDS)));
                ProcessMeter meter = new ProcessMeter(ProcessHandle.current().pid());
                long cpu = meter.cpuNanos();
                long start = System.nanoTime();
                long written = waiting
                        ? new WaitingWriter(batched).run(engine, write, batch, warmed, seconds)
                        : run(engine, write, batch, warmed, seconds) - warmed;
                Result result = new Result(
                        written / ((System.nanoTime() - start) / 1e9), (meter.cpuNanos() - cpu) / 1e3 / written);
                handles.forEach(ColumnFamilyHandle::close);
                return result;
            }
        }
    }

    /** Writes for a time; returns the number of the first record that was not written. */
    private static long run(RocksDB engine, WriteOptions write, byte[] batch, long first, double seconds)
            throws RocksDBException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        long record = first;
        while (System.nanoTime() - end < 0) {
            record = fill(batch, record);
            try (WriteBatch writes = new WriteBatch(batch)) {
                engine.write(write, writes);
            }
        }
        return record;
    }

    /** Writers that wait for their writes, all simulated by one thread, and the committer that serves them. */
    private static final class WaitingWriter {
        private final int writers;
        private volatile long submitted;
        private volatile long completed;
        private volatile boolean ended;

        WaitingWriter(int writers) {
            this.writers = writers;
        }

        /** Commits for a time on the calling thread; returns the number of writes. */
        long run(RocksDB engine, WriteOptions write, byte[] batch, long first, double seconds)
                throws RocksDBException {
            Thread submitting = Thread.ofPlatform().daemon().start(this::submit);
            long end = System.nanoTime() + (long) (seconds * 1e9);
            long done = 0;
            while (System.nanoTime() - end < 0) {
                int group = (int) (submitted - done);
                if (group == 0) {
                    Thread.onSpinWait();
                    continue;
                }
                byte[] part = Arrays.copyOf(batch, BATCH_HEADER_BYTES + group * WRITE_BYTES);
                MemorySegment.ofArray(part).set(COUNT, BATCH_COUNT, group);
                fill(part, first + done);
                try (WriteBatch writes = new WriteBatch(part)) {
                    engine.write(write, writes);
                }
                done += group;
                completed = done;
            }
            ended = true;
            try {
                submitting.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return done;
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes it.
        private void submit() {
            while (!ended) {
                if (submitted - completed < writers) {
                    submitted++;
                } else {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /** Returns a batch in the engine's own encoding, which crosses into it in one call, as the server's does. */
    private static byte[] batch(int group) {
        byte[] batch = new byte[BATCH_HEADER_BYTES + group * WRITE_BYTES];
        MemorySegment.ofArray(batch).set(COUNT, BATCH_COUNT, group);
        for (int at = BATCH_HEADER_BYTES; at < batch.length; at += WRITE_BYTES) {
            batch[at] = PUT;
            batch[at + 1] = (byte) KEY.length;
            System.arraycopy(KEY, 0, batch, at + 2, KEY.length);
            int image = at + 2 + KEY.length;
            batch[image] = (byte) IMAGE.length;
            System.arraycopy(IMAGE, 0, batch, image + 1, IMAGE.length);
        }
        return batch;
    }

    /** Puts the next records into the batch, in key and image; returns the number after them. */
    private static long fill(byte[] batch, long first) {
        MemorySegment segment = MemorySegment.ofArray(batch);
        long record = first;
        for (int at = BATCH_HEADER_BYTES; at < batch.length; at += WRITE_BYTES) {
            int guid = at + 3;
            SyntheticRecords.guid(record++).write(segment, guid);
            int copy = at + 2 + KEY.length + 1 + RecordImage.HEADER_BYTES + 1;
            System.arraycopy(batch, guid, batch, copy, KEY.length - 1);
        }
        return record;
    }
}
