package io.guidepost.bench.gnrs;

import io.guidepost.base.Addresses;
import io.guidepost.bench.load.GnrsRequestTemplates;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.gnrs.GnrsDoor;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.names.Binding;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures a lookup from datagram to response without a network, and the index probe within it. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls the method marked as setup before any other.
public class DoorBenchmark {
    private static final int ROOM_BYTES = 2048;

    /** Requests prepared ahead, so that encoding is not measured; more than the first-level cache holds. */
    private static final int QUESTIONS = 1 << 14;

    private static final int QUESTION_STRIDE = 64;
    private static final int WRITES_WAITING_MAX = 4096;

    /** Records in the store. */
    @Param({"100000", "1000000"})
    public int records;

    private EmbeddedStore store;
    private GnrsDoor door;
    private RecordReader reader;
    private final Exchange exchange = new Exchange();
    private final MemorySegment questions = Arena.global().allocate((long) QUESTIONS * QUESTION_STRIDE, 64);
    private final MemorySegment room = Arena.global().allocate(ROOM_BYTES, 64);
    private int next;
    private int length;

    /** Fills a store in memory and prepares requests. */
    @Setup
    public void fill() throws IOException, InterruptedException {
        store = EmbeddedStore.open(StoreOptions.inMemory().withIndexBytesMax(4L << 30));
        Semaphore waiting = new Semaphore(WRITES_WAITING_MAX);
        Locator place = Locator.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4000));
        for (int i = 0; i < records; i++) {
            Name name = Name.of(SyntheticRecords.guid(i));
            waiting.acquire();
            boolean taken = store.submit(
                    name.key(),
                    (key, current, version, now) ->
                            RecordImage.write(new Record(name, version, List.of(Binding.of(place)), List.of())),
                    (outcome, version) -> waiting.release());
            if (!taken) {
                throw new IllegalStateException("the store's queue is shorter than " + WRITES_WAITING_MAX);
            }
        }
        waiting.acquire(WRITES_WAITING_MAX);
        LongSupplier clock = System::nanoTime;
        GnrsSettings settings = GnrsSettings.defaults();
        door = new GnrsDoor(() -> settings, Placer.EVERYTHING_HERE, store, () -> {}, Runnable::run, clock, 1, null);
        reader = store.reader();
        prepare();
    }

    private void prepare() {
        KeyDistribution keys = KeyDistribution.uniform(records, 1);
        GnrsRequestTemplates writer = new GnrsRequestTemplates(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4001));
        for (int i = 0; i < QUESTIONS; i++) {
            length = writer.lookup(questions, (long) i * QUESTION_STRIDE, i, keys.next());
        }
        exchange.peer(Addresses.IPV4_HIGH, Addresses.ipv4Low(0x7f000001), 4001);
        exchange.local(Addresses.IPV4_HIGH, Addresses.ipv4Low(0x7f000001), 5001);
    }

    /** Closes the store. */
    @TearDown
    public void close() {
        store.close();
    }

    /** Answers one lookup in a burst of its own. */
    @Benchmark
    public int answerLookup() {
        door.begin(1);
        exchange.request(questions, nextQuestion(), length, 1);
        exchange.room(room, 0, ROOM_BYTES);
        door.take(exchange);
        door.end();
        return exchange.responseLength();
    }

    /** Probes the index once. */
    @Benchmark
    public RecordReader.Found find() {
        reader.enter();
        RecordReader.Found found = reader.find(
                Name.Namespace.GUID.code(), questions, nextQuestion() + length - Guid.BYTES, Guid.BYTES);
        reader.exit();
        return found;
    }

    private long nextQuestion() {
        next = next + 1 & QUESTIONS - 1;
        return (long) next * QUESTION_STRIDE;
    }
}
