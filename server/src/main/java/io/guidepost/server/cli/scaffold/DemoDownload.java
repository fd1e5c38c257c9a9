package io.guidepost.server.cli.scaffold;

import io.guidepost.base.Sha256;
import io.guidepost.server.cli.support.TerminalCheck;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;

/** One download by a program that knows nothing of SCAFFOLD, with an event in the middle, and its gaps. */
final class DemoDownload {
    /** What happens in the middle of a download. */
    interface Event {
        void happen() throws IOException;
    }

    private static final int BUFFER_BYTES = 1 << 16;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final long LINE_NANOS = 100_000_000;

    /** Gaps count to an event for so long after it. */
    private static final long AFTER_NANOS = 1_500_000_000L;

    private final MessageDigest digest = Sha256.begin();
    private final PrintWriter out;
    private long bytes;
    private long gapNanos;
    private long gapAtEventNanos;
    private double seconds;
    private int code;

    DemoDownload(PrintWriter out) {
        this.out = out;
    }

    /** Downloads; the event is under way beside it from half of the expected bytes on. */
    void run(List<String> command, long expected, Event event) throws IOException, InterruptedException {
        Process process = DemoNetwork.on(DemoNetwork.CLIENT, command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        byte[] buffer = new byte[BUFFER_BYTES];
        Throwable[] failure = new Throwable[1];
        Thread beside = Thread.ofPlatform().name("event").unstarted(() -> {
            try {
                event.happen();
            } catch (IOException | RuntimeException e) {
                failure[0] = e;
            }
        });
        long begun = 0;
        long last = 0;
        long eventNanos = Long.MAX_VALUE;
        long lineNanos = 0;
        long lineBytes = 0;
        try (InputStream in = process.getInputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                long now = System.nanoTime();
                if (begun == 0) {
                    begun = now;
                    lineNanos = now;
                } else if (now >= eventNanos && now - eventNanos < AFTER_NANOS) {
                    gapAtEventNanos = Math.max(gapAtEventNanos, now - last);
                } else {
                    gapNanos = Math.max(gapNanos, now - last);
                }
                last = now;
                digest.update(buffer, 0, read);
                bytes += read;
                if (eventNanos == Long.MAX_VALUE && bytes >= expected / 2) {
                    eventNanos = now;
                    beside.start();
                }
                if (now - lineNanos >= LINE_NANOS) {
                    line(expected, (bytes - lineBytes) * 8e3 / (now - lineNanos));
                    lineNanos = now;
                    lineBytes = bytes;
                }
            }
        }
        seconds = (last - begun) / 1e9;
        code = process.waitFor();
        beside.join();
        if (TerminalCheck.isThere()) {
            out.print("\r\u001b[K");
        }
        if (failure[0] != null) {
            throw new IOException("the event did not happen: " + failure[0].getMessage(), failure[0]);
        }
    }

    private void line(long expected, double megabits) {
        if (TerminalCheck.isThere()) {
            String bar = "#".repeat(Math.min((int) (megabits / 25), 60));
            out.print(String.format(Locale.ROOT, "\r\u001b[K%3d %%  %6.0f Mbit/s  %s", 100 * bytes / expected, megabits, bar));
            out.flush();
        }
    }

    /** Returns the SHA-256 of what came; may be called once. */
    byte[] sha256() {
        return digest.digest();
    }

    long bytes() {
        return bytes;
    }

    int code() {
        return code;
    }

    double megabitsPerSecond() {
        return seconds == 0 ? 0 : bytes * 8e-6 / seconds;
    }

    /** Returns the longest time without a byte near the event. */
    double gapAtEventMillis() {
        return gapAtEventNanos / NANOS_PER_MILLI;
    }

    /** Returns the longest time without a byte before and after. */
    double gapMillis() {
        return gapNanos / NANOS_PER_MILLI;
    }
}
