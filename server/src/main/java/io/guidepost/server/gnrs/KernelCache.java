package io.guidepost.server.gnrs;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.gnrs.AnswerCache;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.packet.bpf.BpfCalls;
import io.guidepost.packet.bpf.XdpLink;
import io.guidepost.packet.linux.SystemCall;
import io.guidepost.server.config.KernelCacheOptions;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Answers in the kernel: lines that {@link KernelCacheProgram} answers from, in memory that the kernel and this process share. Whatever
 * the program does not find goes on to the door behind the sockets, which has some of it written here ({@link #answered}). A GUID has two
 * lines in which it may stand, so that two names that are both often asked for do not take each other's.
 *
 * <p>No answer is older than a write that was acknowledged, nor than what another reader has seen. The committer says which record it is
 * about to show ({@link #changing()}), and that it has shown all of a group ({@link #changed}); a worker that writes a line may have read
 * the record before:
 *
 * <pre>
 *  committer                               worker
 *  1 showing := true                       1 counter: even to odd, else leave it
 *  2 counter: even to odd, empty, to even  2 if showing: empty the line, else find the record and write it
 *    or, while it is odd, two further      3 counter: to even, if it is still the worker's; else empty it, and again
 *  3 show the record to readers
 *  4 showing := false
 * </pre>
 *
 * The committer does so in both lines of the name. All steps on counter and flag are full fences. If the worker's first step is before the
 * committer's second, that one takes the line from it; else the worker sees the flag, or what is shown.
 *
 * <p>The program answers until its lease ends, which a thread renews; so when this process ends or stands still, it answers nothing soon
 * after, even if someone has pinned it. The lease also says what the clock of 1970 is.
 */
final class KernelCache implements RecordStore.Observer, AnswerCache, AutoCloseable {
    /** What a lease lasts: short enough for an operator who looks, and long against a pause of this process. */
    static final long LEASE_NANOS = 1_000_000_000L;

    private static final long RENEW_MILLIS = 200;

    /** Renewals until what failed is tried again. */
    private static final int RETRY_TURNS = 5;

    private static final int NONE = -1;

    /** Of the look-ups that a worker answers, one in as many is a candidate: names that are often asked for come soon. */
    private static final int CANDIDATE_OF = 8;

    private static final byte GUIDS = Name.Namespace.GUID.code();
    private static final int WINDOWS_PER_SECOND = (int) (1_000_000_000L >> KernelCacheProgram.WINDOW_BITS) + 1;

    /**
     * Where the server's sockets are.
     *
     * @param port of all of them
     * @param advertised the address in all answers; empty = that which was asked
     */
    record Sockets(List<InetAddress> listen, int port, Optional<InetSocketAddress> advertised) {}

    private record Attachment(int link, int device, KernelCacheProgram.Place place) {}

    private final KernelCacheProgram.Maps maps;
    private final List<Integer> descriptors = new ArrayList<>();
    private final KernelCacheOptions options;
    private final long lines;
    private final long control;
    private final boolean single;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final LongAdder filled = new LongAdder();
    private final LongAdder cleared = new LongAdder();
    private volatile boolean showing;
    private volatile String trouble = "";
    private volatile @Nullable Attachment attachment;
    private int rest;
    private boolean closed;

    /** Mixes candidates of several workers, which need not be counted one by one. */
    private int looks;

    /**
     * Creates the lines, empty; the store may open behind them.
     *
     * @param single whether answers of several places differ by client
     * @param secret a random number
     * @throws IOException in one line: what is missing
     */
    KernelCache(KernelCacheOptions options, boolean single, long secret) throws IOException {
        this.options = options;
        this.single = single;
        int bits = options.lineBits();
        if (!SystemCall.AVAILABLE || !System.getProperty("os.arch", "").equals("amd64")) {
            throw new IOException(options.device() + ": answers in the kernel need Linux on x86-64, whose loads stay in their order");
        }
        try {
            maps = new KernelCacheProgram.Maps(
                    keep(BpfCalls.createSharedArray(KernelCacheProgram.CONTROL_BYTES, 1, "guidepost_lease"), "a shared array"),
                    keep(BpfCalls.createSharedArray(KernelCacheLine.BYTES, 1 << bits, "guidepost_lines"), "the lines"),
                    bits,
                    keep(
                            BpfCalls.createMap(
                                    BpfCalls.PER_CPU_ARRAY,
                                    KernelCacheProgram.NETWORK_BYTES,
                                    1 << KernelCacheProgram.NETWORK_BITS,
                                    "guidepost_nets"),
                            "the budgets"),
                    keep(
                            BpfCalls.createMap(BpfCalls.PER_CPU_ARRAY, Long.BYTES, KernelCacheProgram.COUNTERS, "guidepost_count"),
                            "the counters"),
                    secret | 1);
            control = SystemCall.checked(BpfCalls.memory(maps.control(), KernelCacheProgram.CONTROL_BYTES));
            lines = SystemCall.checked(BpfCalls.memory(maps.lines(), (long) KernelCacheLine.BYTES << bits));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private int keep(int descriptor, String what) throws IOException {
        descriptors.add(XdpLink.checked(descriptor, what, options.device()));
        return descriptor;
    }

    /**
     * Loads the program; returns its descriptor.
     *
     * @throws IOException in one line: why the kernel does not take it
     */
    synchronized int load(KernelCacheProgram.Place place) throws IOException {
        long[] code = KernelCacheProgram.instructions(maps, place);
        return keep(BpfCalls.load(BpfCalls.XDP, code, "guidepost_gnrs", options.device()), "the program");
    }

    /**
     * Answers on the interface from now on, at those of its addresses that the sockets have, and follows these; what is missing says
     * {@link #trouble}.
     *
     * @param inherited the link of a program that another process left, which belongs to this now; negative if there is none
     */
    void start(Sockets sockets, int inherited, Supplier<GnrsSettings> settings) {
        follow(sockets, inherited);
        keepRenewing(settings, () -> follow(sockets, NONE));
    }

    /** Brings the program to where the interface and its addresses are now. */
    private synchronized void follow(Sockets sockets, int inherited) {
        if (closed || attachment == null && rest-- > 0) {
            return;
        }
        int link = attachment == null ? inherited : attachment.link;
        try {
            NetworkInterface found = NetworkInterface.getByName(options.device());
            KernelCacheProgram.Place place = place(found, sockets);
            int device = found.getIndex();
            if (attachment != null && attachment.device == device && attachment.place.equals(place)) {
                return;
            }
            int program = load(place);
            try {
                if (link < 0 || BpfCalls.device(link) != device || BpfCalls.replace(link, program) != 0) {
                    drop(link);
                    link = NONE;
                    link = XdpLink.attach(program, device, options.device(), options.mode(), options.device()).descriptor();
                }
            } finally {
                // The link keeps it.
                descriptors.removeLast();
                drop(program);
            }
            attachment = new Attachment(link, device, place);
            trouble = "";
        } catch (IOException e) {
            drop(link);
            attachment = null;
            trouble = String.valueOf(e.getMessage());
            rest = RETRY_TURNS;
        }
    }

    private static void drop(int descriptor) {
        if (descriptor >= 0) {
            SystemCall.close(descriptor);
        }
    }

    private KernelCacheProgram.Place place(@Nullable NetworkInterface found, Sockets sockets) throws IOException {
        byte[] mac = found == null ? null : found.getHardwareAddress();
        if (found == null || mac == null || mac.length != 6) {
            throw new IOException(options.device() + ": there is no Ethernet interface of this name with an address");
        }
        List<Address> addresses = Collections.list(found.getInetAddresses()).stream()
                .filter(each -> sockets.listen.stream().anyMatch(own -> takes(own, each)))
                .map(each -> new Address(Addresses.high(each), Addresses.low(each)))
                .toList();
        if (addresses.isEmpty()) {
            throw new IOException(options.device() + ": it has none of the addresses of gnrs.listen");
        }
        long number = 0;
        for (byte each : mac) {
            number = number << Byte.SIZE | each & 0xff;
        }
        return new KernelCacheProgram.Place(number, addresses, sockets.port, sockets.advertised);
    }

    /** Returns whether a socket at an address takes what is sent to another. */
    private static boolean takes(InetAddress own, InetAddress sentTo) {
        return own.isAnyLocalAddress()
                ? own instanceof Inet6Address || sentTo instanceof Inet4Address
                : Addresses.high(own) == Addresses.high(sentTo) && Addresses.low(own) == Addresses.low(sentTo);
    }

    /**
     * Says whether this server is alone, as it is not at first: where there are others, one of them may have a newer record for a
     * look-up that allows to ask them.
     */
    synchronized void alone(boolean alone) {
        if (!closed) {
            Memory.put32Le(control + KernelCacheProgram.ALONE, alone ? 1 : 0);
        }
    }

    /** Renews the lease until the end, by the settings in force, and does something else at the same pace. */
    void keepRenewing(Supplier<GnrsSettings> settings, Runnable beside) {
        renew(settings.get());
        Thread.ofPlatform().daemon(true).name("guidepost-kernel-cache").start(() -> {
            try {
                while (!closing.await(RENEW_MILLIS, TimeUnit.MILLISECONDS)) {
                    renew(settings.get());
                    beside.run();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private synchronized void renew(GnrsSettings settings) {
        if (!closed) {
            // The millisecond at its end: a line ends rather sooner than later.
            control(settings, System.nanoTime() + LEASE_NANOS, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() + 1) - 1);
        }
    }

    /** Sets what the program goes by; tests choose the end of the lease, and the time in ns since 1970. */
    synchronized void control(GnrsSettings settings, long leaseEnd, long nowNanos) {
        // The monotonic clock of Linux is that of System.nanoTime.
        Memory.put64Le(control + KernelCacheProgram.CLOCK, nowNanos - System.nanoTime());
        Memory.put64Le(control + KernelCacheProgram.BUDGET, options.networkRateMax() / WINDOWS_PER_SECOND);
        int longest = Math.min(settings.answerBytesMax(), GnrsLimits.ANSWER_BYTES_PLAIN);
        Memory.put32Le(control + KernelCacheProgram.ANSWER_BYTES_MAX, longest);
        Memory.put32Le(control + KernelCacheProgram.AMPLIFICATION_MAX, settings.amplificationMax());
        Memory.slot(control + KernelCacheProgram.LEASE, leaseEnd);
    }

    /** Returns the first of the two lines in which a GUID may stand. */
    private long line(MemorySegment segment, long guid) {
        int number = KernelCacheLine.number(segment, guid, maps.secret(), maps.lineBits());
        return lines + (long) number * KernelCacheLine.BYTES;
    }

    /** Returns the other line of the two. */
    private static long other(long line) {
        return line ^ KernelCacheLine.BYTES;
    }

    /** Returns the line that a GUID has, else one of the two that holds no answer any more, else either. */
    private long place(MemorySegment segment, long guid, long nowMillis) {
        long first = line(segment, guid);
        long second = other(first);
        if (KernelCacheLine.holds(first, segment, guid) || KernelCacheLine.holds(second, segment, guid)) {
            return KernelCacheLine.holds(first, segment, guid) ? first : second;
        }
        if (!KernelCacheLine.lasts(first, nowMillis) || !KernelCacheLine.lasts(second, nowMillis)) {
            return KernelCacheLine.lasts(first, nowMillis) ? second : first;
        }
        return (looks & CANDIDATE_OF) == 0 ? first : second;
    }

    @Override
    public void answered(MemorySegment segment, long guid, RecordReader reader, long nowMillis) {
        if (attachment != null && looks++ % CANDIDATE_OF == 0) {
            fill(segment, guid, reader, nowMillis);
        }
    }

    /** Writes the line of a GUID, if it does not stand there yet; for a worker in its turn. */
    void fill(MemorySegment segment, long guid, RecordReader reader, long nowMillis) {
        long line = place(segment, guid, nowMillis);
        int counter = KernelCacheLine.counter(line);
        boolean free = (counter & 1) == 0;
        if (!free
                || KernelCacheLine.holds(line, segment, guid) && KernelCacheLine.lasts(line, nowMillis)
                || !KernelCacheLine.count(line, counter, counter + 1)) {
            return;
        }
        boolean written = !showing
                && reader.find(GUIDS, segment, guid, Guid.BYTES) == RecordReader.Found.YES
                && KernelCacheLine.write(line, reader.segment(), reader.offset(), single);
        if (!written) {
            KernelCacheLine.clear(line);
        }
        int own = counter + 1;
        while (!KernelCacheLine.count(line, own, own + 1)) {
            // The committer has shown another record of this line meanwhile.
            written = false;
            KernelCacheLine.clear(line);
            own = KernelCacheLine.counter(line);
        }
        if (written) {
            filled.increment();
        }
    }

    @Override
    public Consumer<byte[]> changing() {
        return this::changing;
    }

    private void changing(byte[] key) {
        if (key[0] == GUIDS && key.length == 1 + Guid.BYTES) {
            if (!showing) {
                showing = true;
            }
            MemorySegment name = MemorySegment.ofArray(key);
            long first = line(name, 1);
            clear(first, name);
            clear(other(first), name);
        }
    }

    private void clear(long line, MemorySegment key) {
        for (int counter = KernelCacheLine.counter(line); ; counter = KernelCacheLine.counter(line)) {
            boolean free = (counter & 1) == 0;
            if (free && !KernelCacheLine.holds(line, key, 1)) {
                return;
            }
            if (KernelCacheLine.count(line, counter, free ? counter + 1 : counter + 2)) {
                if (free) {
                    KernelCacheLine.clear(line);
                    KernelCacheLine.count(line, counter + 1, counter + 2);
                    cleared.increment();
                }
                return;
            }
        }
    }

    @Override
    public void changed(long sequence, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        if (showing) {
            showing = false;
        }
    }

    /** Returns one of the program's counters, see {@link KernelCacheProgram}. */
    synchronized long counter(int number) {
        return closed ? 0 : BpfCalls.sum(maps.counters(), number);
    }

    /** Writes what was counted; zeros where there is none. */
    static void write(Exposition out, Optional<KernelCache> cache) {
        ToLongFunction<ToLongFunction<KernelCache>> count = counter -> cache.map(counter::applyAsLong).orElse(0L);
        out.counter("guidepost_gnrs_kernel_lookups", "Look-ups that the program of gnrs.kernel-cache can answer, by outcome.")
                .sample(count.applyAsLong(each -> each.counter(KernelCacheProgram.ANSWERED)), "outcome", "answered")
                .sample(count.applyAsLong(each -> each.counter(KernelCacheProgram.PASSED)), "outcome", "passed")
                .sample(count.applyAsLong(each -> each.counter(KernelCacheProgram.OVER_BUDGET)), "outcome", "over_budget");
        out.counter("guidepost_gnrs_kernel_lines", "Lines of the cache in the kernel, by what was done with them.")
                .sample(count.applyAsLong(each -> each.filled.sum()), "event", "filled")
                .sample(count.applyAsLong(KernelCache::cleared), "event", "cleared");
    }

    /** Returns the link of the program, for another process; empty if there is none. */
    synchronized OptionalInt link() {
        return attachment == null ? OptionalInt.empty() : OptionalInt.of(attachment.link);
    }

    /** Returns why nothing is answered; empty if that is not so. */
    String trouble() {
        return trouble;
    }

    /** Returns the lines that were emptied, as the record of their name changed. */
    long cleared() {
        return cleared.sum();
    }

    /**
     * Ends the lease and takes the program off, unless another process has its link; idempotent. The lines stay in memory as long as this
     * process runs.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        closing.countDown();
        if (control > 0) {
            Memory.slot(control + KernelCacheProgram.LEASE, 0);
        }
        if (attachment != null) {
            drop(attachment.link);
            attachment = null;
        }
        descriptors.reversed().forEach(KernelCache::drop);
        descriptors.clear();
    }
}
