package io.guidepost.server.config;

import io.guidepost.base.Malformed;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.PortOptions;
import io.guidepost.packet.bpf.XdpLink;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What {@code gnrs.kernel-cache} says: {@code DEVICE[,mode=native][,lines=N][,rate=N]}.
 *
 * @param device name of a network interface
 * @param mode where the program runs
 * @param lineBits names for which there is room, as a power of two; each takes 128 bytes
 * @param networkRateMax look-ups of one network that each processor answers in a second, at least 60
 */
public record KernelCacheOptions(String device, XdpLink.Mode mode, int lineBits, int networkRateMax) {
    /** 32 MiB. */
    private static final int LINES = 1 << 18;

    private static final int LINES_MIN = 1 << 9;
    private static final int LINES_MAX = 1 << 26;

    /** As the kernel wants it (dev_valid_name of net/core/dev.c). */
    private static final Pattern DEVICE = Pattern.compile("(?!\\.\\.?$)[^\\s/:]{1,15}");

    /** A fifth of what a processor answers. */
    private static final int RATE = 200_000;

    /** One in each window of a budget. */
    private static final int RATE_MIN = 60;

    /**
     * Parses them.
     *
     * @throws Malformed in one line: which option is wrong, and what would be right
     */
    public static KernelCacheOptions of(String text) throws Malformed {
        String[] words = text.split(",", -1);
        if (!DEVICE.matcher(words[0]).matches()) {
            throw new Malformed("'" + words[0] + "' is not the name of an interface, such as eth0", 0);
        }
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            String[] sides = words[i].split("=", 2);
            given.put(sides[0], sides.length == 1 ? "" : sides[1]);
        }
        try {
            PortOptions options = new PortOptions(words[0], FrameSettings.of(words[0]).withOptions(given));
            String mode = options.choice("mode", "auto", List.of("auto", "native", "generic"));
            int lines = options.number("lines", LINES, LINES_MIN, LINES_MAX);
            int rate = options.number("rate", RATE, RATE_MIN, Integer.MAX_VALUE);
            options.refuseOthers();
            int bits = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(lines);
            return new KernelCacheOptions(words[0], XdpLink.Mode.valueOf(mode.toUpperCase(Locale.ROOT)), bits, rate);
        } catch (IOException | IllegalArgumentException e) {
            throw new Malformed(String.valueOf(e.getMessage()), 0);
        }
    }
}
