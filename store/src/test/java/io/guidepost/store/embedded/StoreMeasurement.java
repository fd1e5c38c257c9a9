package io.guidepost.store.embedded;

import io.guidepost.base.Memory;
import io.guidepost.store.IndexMemory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import io.guidepost.store.engine.RocksEngine;
import io.guidepost.store.engine.StorageEngine;
import io.guidepost.store.engine.StoreFolder;
import io.guidepost.store.engine.WriteBatchBuffer;
import io.guidepost.store.index.ReadIndex;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the store by itself; the module {@code bench} measures the server. A program, not a test:
 *
 * <pre>
 *  updates FOLDER fsync|os|memory OUTSTANDING SECONDS [KEYS]   updates/s and CPU per update
 *  bare    FOLDER fsync|os GROUP SECONDS [KEYS]                the same writes by the bare engine, GROUP to a sync
 *  find    RECORDS                                             random look-ups in the index, bytes per record
 *  load    FOLDER RECORDS                                      fills a store and ends without closing it
 *  reopen  FOLDER                                              time to open, to the first answer, and to warm
 * </pre>
 */
final class StoreMeasurement {
    private StoreMeasurement() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "updates" ->
                updates(Path.of(args[1]), args[2], Integer.parseInt(args[3]), Integer.parseInt(args[4]), keys(args));
            case "bare" ->
                bare(Path.of(args[1]), args[2], Integer.parseInt(args[3]), Integer.parseInt(args[4]), keys(args));
            case "find" -> find(Integer.parseInt(args[1]));
            case "load" -> load(Path.of(args[1]), Integer.parseInt(args[2]));
            case "reopen" -> reopen(Path.of(args[1]));
            default -> throw new IllegalArgumentException("updates, bare, find, load or reopen, not " + args[0]);
        }
    }

    private static int keys(String[] args) {
        return args.length > 5 ? Integer.parseInt(args[5]) : 1_000_000;
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    /** CPU time of the threads with a name, all together. */
    private static long cpuNanos(String name) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds())) {
            sum += each != null && each.getThreadName().equals(name) ? threads.getThreadCpuTime(each.getThreadId()) : 0;
        }
        return sum;
    }

    private static RecordStore.Durability durability(String name) {
        return RecordStore.Durability.valueOf(name.toUpperCase(java.util.Locale.ROOT));
    }

    private static void updates(Path folder, String durability, int outstanding, int seconds, int keys)
            throws IOException, InterruptedException {
        byte[] made = TestImages.image(TestImages.key(0), 0, 0);
        RecordStore.Replace change = (key, current, version, nowMillis) -> {
            byte[] image = made.clone();
            System.arraycopy(key, 0, image, RecordImage.HEADER_BYTES, key.length);
            MemorySegment.ofArray(image).set(Memory.LONG, 8, version);
            return image;
        };
        try (EmbeddedStore store = EmbeddedStore.open(
                StoreOptions.in(folder).withDurability(durability(durability)).withIndexBytesMax(4L << 30))) {
            Semaphore room = new Semaphore(outstanding);
            RecordStore.Completion completion = (outcome, version) -> room.release();
            SplittableRandom random = new SplittableRandom(1);
            for (int round = 0; round < 3; round++) {
                long start = System.nanoTime();
                long cpu = cpuNanos();
                long committer = cpuNanos("store-committer");
                long sender = cpuNanos("main");
                long groups = store.status().groups();
                long done = 0;
                while (System.nanoTime() - start < seconds * 1_000_000_000L / 3) {
                    for (int i = 0; i < 64; i++) {
                        byte[] key = TestImages.key(random.nextInt(keys));
                        room.acquire();
                        while (!store.submit(key, change, completion)) {
                            LockSupport.parkNanos(10_000);
                        }
                    }
                    done += 64;
                }
                report(String.join(" ", "updates", durability, "outstanding", "" + outstanding), start, cpu, done);
                System.out.printf(
                        "   %.1f writes a group; CPU each: committer %d ns, sender %d ns%n",
                        (double) done / (store.status().groups() - groups),
                        (cpuNanos("store-committer") - committer) / done,
                        (cpuNanos("main") - sender) / done);
            }
            room.acquire(outstanding);
            System.out.println("   " + store.status());
        }
    }

    private static void bare(Path folder, String durability, int group, int seconds, int keys) throws IOException {
        Files.createDirectories(folder);
        try (StorageEngine engine = RocksEngine.open(StoreFolder.open(folder), StoreOptions.in(folder))) {
            byte[] image = TestImages.image(TestImages.key(0), 0, 0);
            WriteBatchBuffer batch = new WriteBatchBuffer();
            SplittableRandom random = new SplittableRandom(1);
            for (int round = 0; round < 3; round++) {
                long start = System.nanoTime();
                long cpu = cpuNanos();
                long done = 0;
                while (System.nanoTime() - start < seconds * 1_000_000_000L / 3) {
                    batch.clear();
                    for (int i = 0; i < group; i++) {
                        batch.put(TestImages.key(random.nextInt(keys)), image);
                    }
                    engine.write(batch, durability(durability) == RecordStore.Durability.FSYNC);
                    done += group;
                }
                report(String.join(" ", "bare", durability, "group", "" + group), start, cpu, done);
            }
        }
    }

    private static void report(String what, long start, long cpu, long done) {
        long nanos = System.nanoTime() - start;
        System.out.printf(
                "%s: %,d/s, %d ns CPU each%n", what, done * 1_000_000_000L / nanos, (cpuNanos() - cpu) / done);
    }

    private static void find(int records) {
        ReadIndex index = new ReadIndex(8L << 30, new SplittableRandom(7)::nextLong, IndexMemory.ofRuntime());
        long start = System.nanoTime();
        for (int i = 0; i < records; i++) {
            byte[] key = TestImages.key(i);
            index.put(key, index.hash(key), TestImages.image(key, i, 0));
            if ((i & 63) == 0) {
                index.tidy();
            }
        }
        index.completed();
        long nanos = System.nanoTime() - start;
        double bytes = (double) index.bytes() / records;
        System.out.printf("filled %,d in %.2f s, %.1f bytes a record%n", records, nanos / 1e9, bytes);
        RecordReader reader = index.reader();
        int asked = 1 << 20;
        MemorySegment keys = Arena.ofAuto().allocate(asked * 24L, 8);
        SplittableRandom random = new SplittableRandom(3);
        for (int missing = 0; missing <= 1; missing++) {
            for (int i = 0; i < asked; i++) {
                byte[] key = TestImages.key(random.nextInt(records) + (missing == 1 ? 1L << 40 : 0));
                MemorySegment.copy(key, 1, keys, Memory.BYTE, i * 24L, 20);
            }
            for (int round = 0; round < 5; round++) {
                // CPU time, which other work on the machine disturbs less.
                long from = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                int found = 0;
                for (int i = 0; i < asked; i++) {
                    if ((i & 63) == 0) {
                        reader.enter();
                    }
                    if (reader.find((byte) 1, keys, i * 24L, 20) == RecordReader.Found.YES) {
                        found += RecordImage.bindings(reader.segment(), reader.offset());
                    }
                    if ((i & 63) == 63) {
                        reader.exit();
                    }
                }
                long nanosUsed = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - from;
                double each = (double) nanosUsed / asked;
                System.out.printf("find %s: %.1f ns (%d)%n", missing == 1 ? "miss" : "hit", each, found);
            }
        }
    }

    private static void load(Path folder, int records) throws IOException, InterruptedException {
        EmbeddedStore store =
                EmbeddedStore.open(StoreOptions.in(folder)
                        .withDurability(RecordStore.Durability.OS)
                        .withIndexBytesMax(8L << 30));
        long start = System.nanoTime();
        Semaphore room = new Semaphore(10_000);
        for (int i = 0; i < records; i++) {
            room.acquire();
            while (!store.submit(TestImages.key(i), TestImages.write(0), (outcome, version) -> room.release())) {
                LockSupport.parkNanos(10_000);
            }
        }
        room.acquire(10_000);
        System.out.printf("loaded %,d in %.1f s; %s%n", records, (System.nanoTime() - start) / 1e9, store.status());
        Runtime runtime = Runtime.getRuntime();
        System.out.printf("heap in use %d MiB%n", runtime.totalMemory() - runtime.freeMemory() >> 20);
        printResident();
        Runtime.getRuntime().halt(9);
    }

    private static void printResident() throws IOException {
        System.out.println(Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .toList());
    }

    private static void reopen(Path folder) throws IOException {
        long start = System.nanoTime();
        try (EmbeddedStore store = EmbeddedStore.open(StoreOptions.in(folder).withIndexBytesMax(8L << 30))) {
            long opened = System.nanoTime();
            boolean found = store.get(TestImages.name(1)).isPresent();
            long answered = System.nanoTime();
            while (store.status().warming()) {
                LockSupport.parkNanos(10_000_000);
            }
            double seconds = (System.nanoTime() - answered) / 1e9;
            System.out.printf(
                    "opened in %d ms, first answer (%s) after %d ms more, warm after %.2f s: %,.0f records/s; %s%n",
                    (opened - start) / 1_000_000,
                    found,
                    (answered - opened) / 1_000_000,
                    seconds,
                    store.status().records() / seconds,
                    store.status());
            printResident();
            System.out.printf("CPU of all that: %.2f s%n", cpuNanos() / 1e9);
        }
    }
}
