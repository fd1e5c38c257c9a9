package io.guidepost.server.gnrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.gnrs.GnrsDoor;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.names.Binding;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.packet.bpf.XdpLink;
import io.guidepost.packet.linux.SystemCall;
import io.guidepost.server.config.KernelCacheOptions;
import io.guidepost.store.RecordReader;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A store with a cache in the kernel, whose program the kernel runs on frames of a test (BPF_PROG_TEST_RUN), and a door beside it. */
final class KernelCacheStand implements AutoCloseable {
    static final int PASS = 2;
    static final int SENT = 3;
    static final int PORT = 5001;
    static final long MAC = 0x02_00_00_00_00_02L;
    static final Address IPV4 = Address.ofIpv4(10 << 24 | 2);
    static final Address IPV6 = new Address(0xfd00L << 48, 2);
    static final long NOW = 1_800_000_000_000L;
    private static final long FOREVER = Long.MAX_VALUE;
    static final int LINE_BITS = 17;
    private static final int TEST_RUN = 10;
    private static final long SECRET = 0x9e37_79b9_7f4a_7c15L;

    final EmbeddedStore store;
    final KernelCache cache;
    final int program;
    private final GnrsDoor door;
    private final RecordReader reader;
    private final Arena arena = Arena.ofShared();
    private final Exchange exchange = new Exchange();
    private final MemorySegment request = arena.allocate(4096);
    private final MemorySegment room = arena.allocate(4096);
    private final MemorySegment name = arena.allocate(32);

    /** Opens it, or skips the test with the reason. */
    KernelCacheStand(GnrsSettings settings, Optional<InetSocketAddress> advertised, boolean single) throws IOException {
        this(settings, advertised, single, Integer.MAX_VALUE, LINE_BITS);
    }

    /** The same with a budget of each network, answers in a second, and 2 to the power of {@code lineBits} lines. */
    KernelCacheStand(GnrsSettings settings, Optional<InetSocketAddress> advertised, boolean single, int rateMax, int lineBits)
            throws IOException {
        assumeTrue(SystemCall.AVAILABLE && System.getProperty("os.arch").equals("amd64"), "it takes Linux on x86-64");
        assumeTrue("root".equals(System.getProperty("user.name")), "bpf takes root");
        try {
            cache = new KernelCache(new KernelCacheOptions("test", XdpLink.Mode.AUTO, lineBits, rateMax), single, SECRET);
        } catch (IOException e) {
            assumeTrue(!String.valueOf(e.getMessage()).contains("no bpf"), e.getMessage());
            throw e;
        }
        store = EmbeddedStore.open(StoreOptions.inMemory().withObserver(cache).withClock(InstantSource.system()));
        program = load(List.of(IPV4, IPV6), advertised);
        door = new GnrsDoor(() -> settings, Placer.EVERYTHING_HERE, store, () -> {}, Runnable::run, System::nanoTime, 42, null);
        reader = store.reader();
        cache.control(settings, FOREVER, TimeUnit.MILLISECONDS.toNanos(NOW));
        cache.alone(true);
    }

    /** Loads a program for a server at some addresses. */
    int load(List<Address> addresses, Optional<InetSocketAddress> advertised) throws IOException {
        return cache.load(new KernelCacheProgram.Place(MAC, addresses, PORT, advertised));
    }

    void put(Guid guid, List<Binding> places) throws IOException {
        store.put(new Record(Name.of(guid), 0, places, List.of()), Record.ABSENT);
    }

    /** Writes the line of a GUID as a worker does. */
    void fill(Guid guid) {
        guid.write(name, 0);
        reader.enter();
        cache.fill(name, 0, reader, NOW);
        reader.exit();
    }

    /** Returns what the door answers to the message of a frame; empty if it does not. */
    byte[] door(KernelCacheQuestion question, long nowMillis) {
        byte[] message = question.message();
        MemorySegment.copy(message, 0, request, Memory.BYTE, 0, message.length);
        exchange.request(request, 0, message.length, nowMillis);
        exchange.peer(question.source().high(), question.source().low(), question.sourcePort());
        exchange.local(question.target().high(), question.target().low(), PORT);
        exchange.room(room, 0, (int) room.byteSize());
        door.begin(nowMillis);
        door.take(exchange);
        door.end();
        byte[] answer = new byte[exchange.responseLength()];
        MemorySegment.copy(room, Memory.BYTE, 0, answer, 0, answer.length);
        return answer;
    }

    /** Returns the port that the door answered to last. */
    int doorPort() {
        return exchange.peerPort();
    }

    /** What the program made of a frame. */
    record Ran(int verdict, byte[] frame) {}

    /** Runs the program on a frame. */
    Ran run(byte[] frame) {
        return run(program, frame);
    }

    static Ran run(int program, byte[] frame) {
        try (Arena own = Arena.ofConfined()) {
            MemorySegment in = own.allocate(frame.length);
            MemorySegment.copy(frame, 0, in, Memory.BYTE, 0, frame.length);
            MemorySegment out = own.allocate(512);
            long attribute = own.allocate(128, Long.BYTES).address();
            Memory.put32Le(attribute, program);
            Memory.put32Le(attribute + 8, frame.length);
            Memory.put32Le(attribute + 12, 512);
            Memory.put64Le(attribute + 16, in.address());
            Memory.put64Le(attribute + 24, out.address());
            Memory.put32Le(attribute + 32, 1);
            long result = SystemCall.call(SystemCall.errno(own), SystemCall.BPF, TEST_RUN, attribute, 128);
            assertThat(result).as("BPF_PROG_TEST_RUN").isZero();
            byte[] left = new byte[Memory.i32Le(attribute + 12)];
            MemorySegment.copy(out, Memory.BYTE, 0, left, 0, left.length);
            return new Ran(Memory.i32Le(attribute + 4), left);
        }
    }

    static boolean isIpv4(Address address) {
        return Addresses.isIpv4(address.high(), address.low());
    }

    @Override
    public void close() {
        cache.close();
        store.close();
    }
}
