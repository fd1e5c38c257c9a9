package io.guidepost.bench.scaffold;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A download by a program that knows nothing of SCAFFOLD, with an event in the middle: each byte is checked, each gap noted. */
final class Download {
    private static final long NOTED_NANOS = 100_000;
    private static final String REQUEST = " /file HTTP/1.1\r\nHost: bench\r\n\r\n";

    /** What happens in the middle; it calls what it is given right before. */
    interface Event {
        void happen(Runnable begins) throws IOException;
    }

    /** Time and bytes before the event, how long its gaps are looked for, from its end or begin on, and how long a gap may be. */
    record Plan(long beforeNanos, long beforeBytes, long afterNanos, boolean fromEnd, int patienceMillis) {}

    private record Gap(long from, long to) {}

    private final Plan plan;
    private final Thread beside;
    private final List<Gap> gaps = new ArrayList<>();
    private volatile long eventNanos = Long.MAX_VALUE;
    private volatile long fromNanos;
    private volatile boolean happened;
    private String method = "GET";

    /** Why it has ended; empty if it went on to the end. */
    volatile String failure = "";

    private long beginNanos;
    private long lastNanos;
    private long bytes;

    Download(Plan plan, Event event) {
        this.plan = plan;
        this.beside = Thread.ofPlatform().unstarted(() -> {
            try {
                event.happen(() -> eventNanos = System.nanoTime());
                fromNanos = plan.fromEnd ? System.nanoTime() : 0;
            } catch (IOException | RuntimeException e) {
                failure = "the event did not happen: " + e.getMessage();
            }
            happened = true;
        });
    }

    /** Asks by another method: only GET is repeated, so that a gateway need not read what it is no other instance could go on with. */
    Download by(String other) {
        method = other;
        return this;
    }

    /** Downloads, on the caller's thread and in its network namespace. */
    Download run(InetSocketAddress from) throws InterruptedException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(plan.patienceMillis);
            socket.setSoLinger(true, 0);
            socket.connect(from, plan.patienceMillis);
            socket.getOutputStream().write((method + REQUEST).getBytes(StandardCharsets.US_ASCII));
            read(socket.getInputStream());
        } catch (IOException e) {
            failure = e.getMessage() + " after " + (System.nanoTime() - lastNanos) / 1_000_000 + " ms";
        }
        if (beside.getState() != Thread.State.NEW) {
            beside.join();
        }
        return this;
    }

    private void read(InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int ends = 0, next = 0; ends < 4 && next >= 0; ends = next == '\r' || next == '\n' ? ends + 1 : 0) {
            next = in.read();
        }
        beginNanos = System.nanoTime();
        lastNanos = beginNanos;
        while (failure.isEmpty() && !(happened && lastNanos - Math.max(eventNanos, fromNanos) >= plan.afterNanos)) {
            int read = in.read(buffer);
            long now = System.nanoTime();
            if (read < 0 || !HttpOrigin.isRight(buffer, read, bytes)) {
                failure = read < 0 ? "the end came" : "not the right bytes";
                return;
            }
            bytes += read;
            if (now - lastNanos > NOTED_NANOS) {
                gaps.add(new Gap(lastNanos, now));
            }
            lastNanos = now;
            if (beside.getState() == Thread.State.NEW && now - beginNanos >= plan.beforeNanos && bytes >= plan.beforeBytes) {
                beside.start();
            }
        }
    }

    /** Returns the longest time without a byte since the event. */
    double gapMillis() {
        long begin = Math.max(eventNanos, fromNanos);
        return gaps.stream().filter(each -> each.to >= begin).mapToLong(each -> each.to - Math.max(each.from, fromNanos)).max().orElse(0)
                / 1e6;
    }

    double beforeMillis() {
        return (eventNanos - beginNanos) / 1e6;
    }

    double megabitsPerSecond() {
        return bytes * 8e3 / Math.max(1, lastNanos - beginNanos);
    }
}
