package io.guidepost.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Look-ups of the GUID "name" at a rate, whether or not they are answered (an open loop), and what came of them. When the
 * machine takes the processor away, what is due is sent at once, but never so much that it could not lie in a socket's buffer.
 *
 * <p>The longest gap between two answers is in time that this thread had: while it did not run, or all threads of the process
 * were stopped, it could see no answer. Nor does it count for how long the kernel let the server's workers, which are of this
 * process, wait for a processor.
 */
final class PacedLookupClient implements AutoCloseable {
    private static final int ID = 4;
    private static final int CODE = 22;
    private static final int COUNT = 26;
    private static final int OUTSTANDING_MAX = 1000;

    /** A turn of the loop takes microseconds; what is longer is the machine's. */
    private static final long TURN_NANOS_MAX = 1_000_000;

    private static final long UNKNOWN = -1;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long WAIT_NANOS_MAX = 5 * NANOS_PER_SECOND;

    private final DatagramChannel channel;
    private final int perSecond;
    private final Thread thread;
    private final ByteBuffer request;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(4096);
    private final BitSet answered = new BitSet();
    private long answers;
    private long found;
    private long turnNanos = System.nanoTime();
    private long gapNanos;
    private long longestGapNanos;
    private long longestWaitNanos;

    /** What the workers had waited when this gap was found to be one. */
    private long waitedNanos = UNKNOWN;

    private final AtomicLong sent = new AtomicLong();
    private volatile boolean running = true;

    /**
     * What came of it.
     *
     * @param sent look-ups sent
     * @param answered look-ups answered, each counted once
     * @param found look-ups answered SUCCESS with one binding
     * @param longestGapNanos the longest time without an answer while look-ups were outstanding
     * @param longestWaitNanos the longest that workers were runnable in such a gap and had no processor, all of them together
     */
    record Counts(long sent, long answered, long found, long longestGapNanos, long longestWaitNanos) {
        long lost() {
            return sent - answered;
        }
    }

    private PacedLookupClient(DatagramChannel channel, int perSecond) throws IOException {
        this.channel = channel;
        this.perSecond = perSecond;
        int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        byte[] bytes = HexFormat.of().parseHex("0001002a0000000000000016000000067f000001"
                + HexFormat.of().toHexDigits((short) port) + "6e616d6500000000000000000000000000000000");
        this.request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        this.thread = Thread.ofPlatform().name("paced-lookups").unstarted(this::run);
    }

    static PacedLookupClient start(InetSocketAddress server, int perSecond) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).connect(server);
        channel.configureBlocking(false);
        PacedLookupClient lookups = new PacedLookupClient(channel, perSecond);
        lookups.thread.start();
        return lookups;
    }

    long sent() {
        return sent.get();
    }

    private void run() {
        try {
            long next = System.nanoTime();
            while (running) {
                receive();
                if (System.nanoTime() < next || sent.get() - answers >= OUTSTANDING_MAX && !overdue(next)) {
                    Thread.onSpinWait();
                    continue;
                }
                send((int) sent.get());
                sent.incrementAndGet();
                next += NANOS_PER_SECOND / perSecond;
            }
            long end = System.nanoTime() + WAIT_NANOS_MAX;
            while (answers < sent.get() && System.nanoTime() < end) {
                receive();
                Thread.onSpinWait();
            }
            endGap();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers that have not come for so long are lost: what is to follow does not wait for them. */
    private static boolean overdue(long next) {
        return System.nanoTime() - next > WAIT_NANOS_MAX;
    }

    private void send(int id) throws IOException {
        request.putInt(ID, id).rewind();
        while (channel.write(request) == 0) {
            Thread.onSpinWait();
        }
    }

    private void receive() throws IOException {
        long now = System.nanoTime();
        gapNanos = answers < sent.get() ? gapNanos + Math.min(now - turnNanos, TURN_NANOS_MAX) : 0;
        turnNanos = now;
        if (gapNanos == 0) {
            waitedNanos = UNKNOWN;
        } else if (gapNanos > TURN_NANOS_MAX && waitedNanos == UNKNOWN) {
            waitedNanos = waitedNanos();
        }
        while (channel.read(answer.clear()) > 0) {
            endGap();
            int id = answer.getInt(ID);
            if (!answered.get(id)) {
                answered.set(id);
                answers++;
                found += answer.getShort(CODE) == 0 && answer.getInt(COUNT) == 1 ? 1 : 0;
            }
        }
    }

    private void endGap() throws IOException {
        if (waitedNanos != UNKNOWN) {
            long waited = waitedNanos() - waitedNanos;
            longestWaitNanos = Math.max(longestWaitNanos, waited);
            gapNanos -= waited;
            waitedNanos = UNKNOWN;
        }
        longestGapNanos = Math.max(longestGapNanos, gapNanos);
        gapNanos = 0;
    }

    /** The time that workers of this process were runnable and had no processor; 0 where the kernel does not say. */
    private static long waitedNanos() throws IOException {
        long nanos = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path each : threads) {
                nanos += waitedNanos(each);
            }
        }
        return nanos;
    }

    private static long waitedNanos(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).startsWith("worker-")
                    ? Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", -1)[1])
                    : 0;
        } catch (IOException e) {
            // It has ended meanwhile, so it is no worker: these run as long as the server.
            return 0;
        }
    }

    /** Sends no more, waits for what is under way, and counts. */
    Counts finish() {
        running = false;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the last answers were awaited", e);
        }
        return new Counts(sent.get(), answers, found, longestGapNanos, longestWaitNanos);
    }

    @Override
    public void close() throws IOException {
        finish();
        channel.close();
    }
}
