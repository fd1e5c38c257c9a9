package io.guidepost.packet.xdp;

import io.guidepost.packet.FrameSettings;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What only this back end knows of its settings.
 *
 * @param mode where the program runs
 * @param redirect what it takes
 * @param ring entries of each ring, a power of two
 * @param firstQueue number of the device's queue that is the port's queue 0
 * @param copy whether the kernel shall copy frames even if the device could put them into packet memory itself
 * @param busyPollMicros how long a look for frames may drive the device by itself, 0 = never
 * @param busyPollFrames frames that it takes at most in such a look
 */
record XdpOptions(
        Mode mode, Redirect redirect, int ring, int firstQueue, boolean copy, int busyPollMicros, int busyPollFrames) {
    /** Where the program runs. */
    enum Mode {
        /** In the driver if it can, else behind it. */
        AUTO,
        /** In the driver, before the kernel makes a packet of its own of the frame. */
        NATIVE,
        /** Behind the driver: with every device. */
        GENERIC
    }

    private static final Set<String> KEYS =
            new TreeSet<>(Set.of("mode", "redirect", "ring", "first-queue", "copy", "busy-poll", "busy-poll-frames"));

    /** Entries of a ring: at 2 million frames in a second a millisecond's, in which a worker on its own processor is back. */
    private static final int RING = 2048;

    /** More than 65,536 entries would be more frames than are worth waiting for. */
    private static final int RING_MAX = 1 << 16;

    /** As the kernel's own budget of a device (NAPI_POLL_WEIGHT). */
    private static final int BUSY_POLL_FRAMES = 64;

    /**
     * Reads them.
     *
     * @throws IOException in one line: which one is wrong, and what would be right
     */
    static XdpOptions of(FrameSettings settings) throws IOException {
        String user = "xdp:" + settings.device();
        Map<String, String> options = settings.options();
        for (String key : options.keySet()) {
            if (!KEYS.contains(key)) {
                throw new IOException(user + ": there is no option " + key + "; there are " + String.join(", ", KEYS)
                        + " and those of all ports");
            }
        }
        int ring = number(options, "ring", RING, 64, RING_MAX, user);
        if (Integer.bitCount(ring) != 1) {
            throw new IOException(user + ": ring is " + ring + "; it must be a power of two");
        }
        return new XdpOptions(
                mode(options.getOrDefault("mode", "auto"), user),
                Redirect.read(options.getOrDefault("redirect", "all"), user),
                ring,
                number(options, "first-queue", 0, 0, 1023, user),
                flag(options.getOrDefault("copy", "false"), user),
                number(options, "busy-poll", 0, 0, 1_000_000, user),
                number(options, "busy-poll-frames", BUSY_POLL_FRAMES, 1, 65_535, user));
    }

    private static Mode mode(String text, String user) throws IOException {
        return switch (text) {
            case "auto" -> Mode.AUTO;
            case "native" -> Mode.NATIVE;
            case "generic" -> Mode.GENERIC;
            default -> throw new IOException(user + ": mode is \"" + text + "\"; it must be auto, native or generic");
        };
    }

    private static boolean flag(String text, String user) throws IOException {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IOException(user + ": copy is \"" + text + "\"; it must be true or false");
        };
    }

    private static int number(Map<String, String> options, String key, int standard, int min, int max, String user)
            throws IOException {
        String text = options.get(key);
        if (text == null) {
            return standard;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below as for numbers out of range.
        }
        throw new IOException(user + ": " + key + " is \"" + text + "\"; it must be " + min + " to " + max);
    }
}
