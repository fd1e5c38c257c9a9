package io.guidepost.server.cli.support;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Keys of a terminal in raw mode, as far as the terminal can be had.
 *
 * @param raw whether it was
 */
public record Keyboard(boolean raw) implements AutoCloseable {
    /** What a terminal clears its screen for. */
    public static final String HOME_AND_CLEAR = "\u001b[H\u001b[2J";

    public static Keyboard none() {
        return new Keyboard(false);
    }

    public static Keyboard open() {
        return new Keyboard(TerminalCheck.isThere() && stty("-icanon", "-echo", "min", "0"));
    }

    /** Waits, and says whether q was pressed meanwhile. */
    public boolean quitWithin(double seconds) throws IOException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            if (raw && System.in.available() > 0 && System.in.read() == 'q') {
                return true;
            }
            LockSupport.parkNanos(Math.min(TimeUnit.MILLISECONDS.toNanos(50), end - System.nanoTime()));
        }
        return false;
    }

    @Override
    public void close() {
        if (raw) {
            stty("sane");
        }
    }

    private static boolean stty(String... options) {
        String[] command = new String[options.length + 1];
        command[0] = "stty";
        System.arraycopy(options, 0, command, 1, options.length);
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
