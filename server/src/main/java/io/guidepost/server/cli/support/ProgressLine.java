package io.guidepost.server.cli.support;

import java.io.PrintWriter;
import java.util.Locale;

/** One line that says how far long work is; only on a terminal, and four times a second at most. */
public final class ProgressLine implements AutoCloseable {
    private static final long BETWEEN_NANOS = 250_000_000;

    private final PrintWriter out;
    private final String things;
    private final boolean shown;
    private final long began = System.nanoTime();
    private long last = began;

    public ProgressLine(PrintWriter out) {
        this(out, "requests");
    }

    /** One that counts other things than requests. */
    public ProgressLine(PrintWriter out, String things) {
        this.out = out;
        this.things = things;
        this.shown = TerminalCheck.isThere();
    }

    /** Says how much is done. */
    public void at(double fraction, long count) {
        long now = System.nanoTime();
        if (shown && now - last > BETWEEN_NANOS) {
            last = now;
            out.print(String.format(
                    Locale.ROOT,
                    "\r%3.0f %%  %,d %s  %,.0f/s ",
                    100 * fraction,
                    count,
                    things,
                    count * 1e9 / (now - began)));
            out.flush();
        }
    }

    /** Says which part of longer work is done; any thread may say so. */
    public synchronized void part(String what, double fraction) {
        long now = System.nanoTime();
        if (shown && now - last > BETWEEN_NANOS) {
            last = now;
            out.print(String.format(Locale.ROOT, "\r\u001b[K%s: %.0f %%", what, 100 * fraction));
            out.flush();
        }
    }

    /** Clears the line. */
    @Override
    public void close() {
        if (shown) {
            out.print("\r\u001b[K");
            out.flush();
        }
    }
}
