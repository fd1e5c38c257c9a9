package io.guidepost.server.cli.scaffold;

import io.guidepost.base.Sha256;
import io.guidepost.server.cli.support.TerminalCheck;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Downloads by a program that knows nothing of SCAFFOLD.
 *
 * @param command downloads to its output
 * @param bytes that are expected
 * @param sha256 of these
 * @param out shows how fast it goes, if that is a terminal
 */
record DemoDownload(List<String> command, long bytes, String sha256, PrintWriter out) {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final long LINE_NANOS = 100_000_000;

    /** Gaps count to an event for so long after it. */
    private static final long AFTER_NANOS = 1_500_000_000L;

    /**
     * Downloads.
     *
     * @param event under way beside it from half of the bytes on; returns the host that served until then
     * @return what is told of it: that host, the rate, the longest time without a byte near the event and otherwise, and whether all is
     *     right
     */
    Map<String, Object> run(Callable<String> event) throws IOException, InterruptedException {
        Process process = DemoNetwork.on(DemoNetwork.CLIENT, command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        byte[] buffer = new byte[BUFFER_BYTES];
        MessageDigest digest = Sha256.begin();
        FutureTask<String> beside = new FutureTask<>(event);
        long came = 0;
        long begun = 0;
        long last = 0;
        long gapNanos = 0;
        long gapAtEventNanos = 0;
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
                came += read;
                if (eventNanos == Long.MAX_VALUE && came >= bytes / 2) {
                    eventNanos = now;
                    Thread.ofPlatform().name("event").start(beside);
                }
                if (now - lineNanos >= LINE_NANOS) {
                    line(came, (came - lineBytes) * 8e3 / (now - lineNanos));
                    lineNanos = now;
                    lineBytes = came;
                }
            }
        }
        int code = process.waitFor();
        String server = eventNanos == Long.MAX_VALUE ? "" : get(beside);
        if (TerminalCheck.isThere()) {
            out.print("\r\u001b[K");
        }
        return JsonWriter.object(
                "server", server,
                "megabits_per_second", Math.round(came * 8e3 / (last - begun)),
                "gap_millis", millis(gapNanos),
                "gap_at_event_millis", millis(gapAtEventNanos),
                "bytes", came,
                "code", code,
                "whole", code == 0 && HexFormat.of().formatHex(digest.digest()).equals(sha256));
    }

    private static String get(FutureTask<String> event) throws IOException, InterruptedException {
        try {
            return event.get();
        } catch (ExecutionException e) {
            throw new IOException("the event did not happen: " + Objects.requireNonNullElse(e.getCause(), e).getMessage(), e);
        }
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1e5) / 10.0;
    }

    private void line(long came, double megabits) {
        if (TerminalCheck.isThere()) {
            String bar = "#".repeat(Math.min((int) (megabits / 25), 60));
            out.print(String.format(Locale.ROOT, "\r\u001b[K%3d %%  %6.0f Mbit/s  %s", 100 * came / bytes, megabits, bar));
            out.flush();
        }
    }
}
