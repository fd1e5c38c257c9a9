package io.guidepost.bench;

import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.Image;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.rocksdb.CompressionType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.VectorMemTableConfig;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The storage engine alone, with the group commit of the server: batches of new records, each batch written with one
 * sync, one after the other in one thread. Nothing is read, ordered, indexed or answered: what the server does less
 * than this is the price of being a server.
 *
 * <p>A program of its own, so that it is kept on the processor that the server had:
 * {@code EngineBaseline FOLDER fsync|os|memory GROUP SECONDS} prints writes a second.
 */
final class EngineBaseline {
    private static final long MEMTABLE_BYTES = 64L << 20;

    private EngineBaseline() {}

    /** Runs and prints. */
    public static void main(String[] arguments) throws RocksDBException, IOException {
        Path folder = Path.of(arguments[0]);
        String durability = arguments[1];
        int group = Integer.parseInt(arguments[2]);
        double seconds = Double.parseDouble(arguments[3]);
        System.out.printf(Locale.ROOT, "%.0f%n", writesPerSecond(folder, durability, group, seconds));
    }

    private static double writesPerSecond(Path folder, String durability, int group, double seconds)
            throws RocksDBException {
        RocksDB.loadLibrary();
        try (Options options = options();
                RocksDB engine = RocksDB.open(options, folder.toString());
                WriteOptions write = new WriteOptions()
                        .setSync(durability.equals("fsync"))
                        .setDisableWAL(durability.equals("memory"));
                WriteBatch batch = new WriteBatch()) {
            run(engine, write, batch, group, 0, seconds / 4);
            return run(engine, write, batch, group, SyntheticRecords.RECORDS_MAX, seconds);
        }
    }

    private static Options options() {
        return new Options()
                .setCreateIfMissing(true)
                .setMemTableConfig(new VectorMemTableConfig())
                .setAllowConcurrentMemtableWrite(false)
                .setWriteBufferSize(MEMTABLE_BYTES)
                .setCompressionType(CompressionType.NO_COMPRESSION);
    }

    private static double run(
            RocksDB engine, WriteOptions write, WriteBatch batch, int group, long first, double seconds)
            throws RocksDBException {
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        long record = first;
        while (System.nanoTime() - end < 0) {
            batch.clear();
            for (int i = 0; i < group; i++) {
                put(batch, record++);
            }
            engine.write(write, batch);
        }
        return (record - first) / ((System.nanoTime() - start) / 1e9);
    }

    /** As the server stores it: key and stored form of the same lengths, the GUID in both. */
    private static void put(WriteBatch batch, long record) throws RocksDBException {
        byte[] key = KEY.clone();
        SyntheticRecords.guid(record).write(java.lang.foreign.MemorySegment.ofArray(key), 1);
        byte[] image = IMAGE.clone();
        System.arraycopy(key, 0, image, Image.HEADER_BYTES, key.length);
        batch.put(key, image);
    }

    private static final byte[] KEY = Name.of(SyntheticRecords.guid(0)).key();

    private static final byte[] IMAGE = Image.write(new Record(
            Name.of(SyntheticRecords.guid(0)),
            1,
            List.of(Binding.of(Locator.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000)))),
            List.of()));
}
