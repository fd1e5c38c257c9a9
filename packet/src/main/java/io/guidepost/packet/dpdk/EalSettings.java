package io.guidepost.packet.dpdk;

import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.PortOptions;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Start-up settings of DPDK's EAL: once in a process, by the first port. Unset values depend
 * on the machine.
 *
 * <p>In a port's name each has a key: {@code dpdk:net_null0,eal-memory=256,eal-huge=off}. Semicolons separate lists
 * there, spaces separate further arguments.
 *
 * @param programName name of the process in DPDK's log ({@code eal-program})
 * @param memoryMegabytes memory for rings and devices, and with huge pages for frames too, 16 to 1,048,576; 0 = 64 and,
 *     with huge pages, as many as are needed ({@code eal-memory})
 * @param channels memory channels of the machine, 1 to 64; 0 = unknown ({@code eal-channels})
 * @param allow the only devices of the PCI bus to use ({@code eal-allow})
 * @param block devices of the PCI bus not to use ({@code eal-block}); not both this and {@code allow}
 * @param huge whether to use the kernel's huge pages ({@code eal-huge}); by default if some are free
 * @param pci whether to scan the PCI bus ({@code eal-pci}); by default if a device there is bound to a user space
 *     driver
 * @param filePrefix prefix of files shared between processes ({@code eal-file-prefix}); empty = unique
 * @param lcores map of DPDK's threads to processors ({@code eal-lcores}); empty = one, on the first allowed processor.
 *     Workers are not lcores
 * @param logLevel lowest level of DPDK's messages in the log: {@code debug}, {@code info}, {@code notice}, {@code
 *     warning}, {@code error} ({@code eal-log})
 * @param extra further arguments as DPDK's documentation has them ({@code eal-extra})
 */
record EalSettings(
        String programName,
        int memoryMegabytes,
        int channels,
        List<String> allow,
        List<String> block,
        Choice huge,
        Choice pci,
        String filePrefix,
        String lcores,
        String logLevel,
        List<String> extra) {
    /** The prefix of all keys. */
    public static final String KEY_PREFIX = "eal-";

    /** Yes, no, or automatic. */
    public enum Choice {
        ON,
        OFF,
        AUTO
    }

    /** Returns the default settings. */
    public static EalSettings standard() {
        try {
            return of("dpdk", Map.of());
        } catch (IOException e) {
            throw new AssertionError("the defaults are right", e);
        }
    }

    /**
     * Returns settings by key; others are the defaults.
     *
     * @param port that the settings are of
     * @param values keys as above
     * @throws IOException in one line: an unknown key, or an invalid value
     */
    public static EalSettings of(String port, Map<String, String> values) throws IOException {
        PortOptions options = new PortOptions(port, FrameSettings.of("").withOptions(values));
        EalSettings read = new EalSettings(
                options.text("eal-program", "guidepost"),
                options.number("eal-memory", 0, 16, 1 << 20),
                options.number("eal-channels", 0, 1, 64),
                list(options, "eal-allow", ";"),
                list(options, "eal-block", ";"),
                choice(options, "eal-huge"),
                choice(options, "eal-pci"),
                options.text("eal-file-prefix", ""),
                options.text("eal-lcores", ""),
                options.text("eal-log", "warning"),
                list(options, "eal-extra", " "));
        options.refuseOthers();
        if (!read.allow.isEmpty() && !read.block.isEmpty()) {
            throw new IOException(port + ": eal-allow and eal-block cannot both be given; leave one out");
        }
        return read;
    }

    private static List<String> list(PortOptions options, String key, String separator) {
        String text = options.text(key, "");
        return text.isEmpty() ? List.of() : List.of(text.split(separator, -1));
    }

    private static Choice choice(PortOptions options, String key) throws IOException {
        return Choice.valueOf(options.choice(key, "auto", List.of("on", "off", "auto")).toUpperCase(Locale.ROOT));
    }
}
