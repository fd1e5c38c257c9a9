package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
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
import java.util.concurrent.atomic.AtomicLong;

/**
 * One request at a rate, whether or not it is answered (an open loop), and what came of that. When the machine takes the
 * processor away, what is due is sent at once, but never so much that it could not lie in a socket's buffer.
 *
 * <p>The longest gap between two answers is in time that this thread had: while it did not run, or all threads of the process
 * were stopped, it could see no answer. Nor does it count for how long the kernel let the server's workers, which are of this
 * process, wait for a processor.
 */
final class OpenLoopClient implements AutoCloseable {
    private static final int OUTSTANDING_MAX = 1000;

    /** A turn of the loop takes microseconds; what is longer is the machine's. */
    private static final long TURN_NANOS_MAX = 1_000_000;

    private static final long UNKNOWN = -1;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long WAIT_NANOS_MAX = 5 * NANOS_PER_SECOND;

    private final UdpProtocol protocol;
    private final DatagramChannel channel;
    private final int perSecond;
    private final Thread thread;
    private final ByteBuffer request;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(4096);
    private final BitSet answered = new BitSet();
    private long answers;
    private long right;
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
     * @param sent requests sent
     * @param answered requests answered, each counted once
     * @param right requests answered as they should be, with the topology as it was at first or as it is when changed
     * @param longestGapNanos the longest time without an answer while requests were outstanding
     * @param longestWaitNanos the longest that workers were runnable in such a gap and had no processor, all of them together
     */
    record Counts(long sent, long answered, long right, long longestGapNanos, long longestWaitNanos) {
        long lost() {
            return sent - answered;
        }
    }

    private OpenLoopClient(UdpProtocol protocol, DatagramChannel channel, int perSecond) throws Malformed {
        this.protocol = protocol;
        this.channel = channel;
        this.perSecond = perSecond;
        byte[] bytes = protocol.request(0);
        this.request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        this.thread = Thread.ofPlatform().name("open-loop").unstarted(this::run);
    }

    static OpenLoopClient start(UdpProtocol protocol, InetSocketAddress server, int perSecond) throws IOException, Malformed {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).connect(server);
        channel.configureBlocking(false);
        OpenLoopClient client = new OpenLoopClient(protocol, channel, perSecond);
        client.thread.start();
        return client;
    }

    /** Waits until it has sent that many more. */
    void awaitMore(int more) {
        long enough = sent.get() + more;
        assertThat(RunningServer.eventually(() -> sent.get() >= enough)).isTrue();
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
        request.putInt(protocol.idOffset(), id).rewind();
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
            int id = answer.flip().getInt(protocol.answerIdOffset());
            if (!answered.get(id)) {
                answered.set(id);
                answers++;
                right += isRight() ? 1 : 0;
            }
        }
    }

    private boolean isRight() {
        byte[] bytes = new byte[answer.remaining()];
        answer.get(bytes);
        try {
            return protocol.isAnswer(bytes, false) || protocol.isAnswer(bytes, true);
        } catch (Malformed e) {
            return false;
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
        return new Counts(sent.get(), answers, right, longestGapNanos, longestWaitNanos);
    }

    @Override
    public void close() throws IOException {
        finish();
        channel.close();
    }
}
