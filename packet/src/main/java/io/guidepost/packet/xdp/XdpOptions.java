package io.guidepost.packet.xdp;

import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.PortOptions;
import io.guidepost.packet.bpf.XdpLink;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * The options of this back end.
 *
 * @param mode where the program runs
 * @param redirect which frames it takes
 * @param rest what becomes of frames on queues without a socket
 * @param ring entries of each ring, a power of two
 * @param firstQueue the device's queue that is the port's queue 0
 * @param copy whether to force copy mode even if the device supports zero copy
 * @param oversizeDropped whether to drop frames longer than a piece, instead of refusing an interface with a larger MTU
 * @param busyPollMicros how long a receive call may busy-poll the device, 0 = never
 * @param busyPollFrames budget of such a poll
 * @param byDevice whether checksums may arrive and leave partial
 */
record XdpOptions(
        XdpLink.Mode mode,
        XdpRedirect redirect,
        Rest rest,
        int ring,
        int firstQueue,
        boolean copy,
        boolean oversizeDropped,
        int busyPollMicros,
        int busyPollFrames,
        boolean byDevice) {
    /** What becomes of frames on queues of the device that the port does not take. */
    enum Rest {
        /** There must be none: the port takes all queues. What comes on later ones is dropped if the port takes all frames. */
        NONE,
        /** The kernel gets them, and may forward them. */
        KERNEL,
        /** They are dropped, and counted. */
        DROP
    }

    /** Entries of a ring: a millisecond at 2 million frames in a second, in which a worker on its own processor is back. */
    private static final int RING = 2048;

    private static final int RING_MIN = 64;

    /** More than 65,536 entries would only add latency. */
    private static final int RING_MAX = 1 << 16;

    /** The last element of the map of sockets; see {@link XdpAttachment}. */
    private static final int QUEUE_MAX = 1023;

    /** A second: a longer busy-poll would look like a hang. */
    private static final int BUSY_POLL_MICROS_MAX = 1_000_000;

    /** The maximum of the option's 16 bits. */
    private static final int BUSY_POLL_FRAMES_MAX = 65_535;

    /** The kernel's own budget of a device (NAPI_POLL_WEIGHT). */
    private static final int BUSY_POLL_FRAMES = 64;

    /**
     * Parses the options.
     *
     * @throws IOException in one line: which option is wrong, and what would be right
     */
    static XdpOptions of(FrameSettings settings) throws IOException {
        String user = "xdp:" + settings.device();
        PortOptions options = new PortOptions(user, settings);
        String mode = options.choice("mode", "auto", List.of("auto", "native", "generic"));
        int ring = options.number("ring", RING, RING_MIN, RING_MAX);
        if (Integer.bitCount(ring) != 1) {
            throw new IOException(user + ": ring is " + ring + "; it must be a power of two");
        }
        XdpOptions read = new XdpOptions(
                XdpLink.Mode.valueOf(mode.toUpperCase(Locale.ROOT)),
                XdpRedirect.read(options.text("redirect", "all"), user),
                rest(options.choice("rest", "", List.of("kernel", "drop", ""))),
                ring,
                options.number("first-queue", 0, 0, QUEUE_MAX),
                options.flag("copy", false),
                options.choice("oversize", "refuse", List.of("refuse", "drop")).equals("drop"),
                options.number("busy-poll", 0, 0, BUSY_POLL_MICROS_MAX),
                options.number("busy-poll-frames", BUSY_POLL_FRAMES, 1, BUSY_POLL_FRAMES_MAX),
                options.checksumsByDevice());
        options.refuseOthers();
        return read;
    }

    private static Rest rest(String word) {
        return word.isEmpty() ? Rest.NONE : Rest.valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** Returns whether frames on queues without a socket are dropped; else the kernel gets them. */
    boolean dropsRest() {
        return rest == Rest.DROP || rest == Rest.NONE && redirect.everything();
    }
}
