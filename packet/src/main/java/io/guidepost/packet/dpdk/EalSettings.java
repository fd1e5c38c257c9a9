package io.guidepost.packet.dpdk;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Start-up settings of DPDK's EAL: once in a process, by the first port or by {@link Dpdk#start}. Unset values depend
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

    /** Checks ranges. */
    public EalSettings {
        check("eal-memory", memoryMegabytes, 16, 1 << 20);
        check("eal-channels", channels, 1, 64);
        if (!allow.isEmpty() && !block.isEmpty()) {
            throw new IllegalArgumentException("eal-allow and eal-block cannot both be given; leave one out");
        }
        allow = List.copyOf(allow);
        block = List.copyOf(block);
        extra = List.copyOf(extra);
    }

    /** Returns the default settings. */
    public static EalSettings standard() {
        return new EalSettings(
                "guidepost", 0, 0, List.of(), List.of(), Choice.AUTO, Choice.AUTO, "", "", "warning", List.of());
    }

    /**
     * Returns settings by key; others are as in {@link #standard}.
     *
     * @param values keys as above
     * @throws IllegalArgumentException in one line: an unknown key, or an invalid value
     */
    public static EalSettings of(Map<String, String> values) {
        EalSettings s = standard();
        for (Map.Entry<String, String> each : new TreeMap<>(values).entrySet()) {
            s = s.with(each.getKey(), each.getValue());
        }
        return s;
    }

    private EalSettings with(String key, String value) {
        String name = key.equals("eal-program") ? value : programName;
        int memory = key.equals("eal-memory") ? number(key, value) : memoryMegabytes;
        int lanes = key.equals("eal-channels") ? number(key, value) : channels;
        List<String> only = key.equals("eal-allow") ? List.of(value.split(";", -1)) : allow;
        List<String> never = key.equals("eal-block") ? List.of(value.split(";", -1)) : block;
        Choice pages = key.equals("eal-huge") ? choice(key, value) : huge;
        Choice bus = key.equals("eal-pci") ? choice(key, value) : pci;
        String prefix = key.equals("eal-file-prefix") ? value : filePrefix;
        String map = key.equals("eal-lcores") ? value : lcores;
        String level = key.equals("eal-log") ? value : logLevel;
        List<String> further = key.equals("eal-extra") ? List.of(value.split(" ", -1)) : extra;
        EalSettings changed =
                new EalSettings(name, memory, lanes, only, never, pages, bus, prefix, map, level, further);
        if (changed.equals(this) && !KEYS.contains(key)) {
            throw new IllegalArgumentException("there is no " + key + "; there are " + String.join(", ", KEYS));
        }
        return changed;
    }

    private static final List<String> KEYS = List.of(
            "eal-program",
            "eal-memory",
            "eal-channels",
            "eal-allow",
            "eal-block",
            "eal-huge",
            "eal-pci",
            "eal-file-prefix",
            "eal-lcores",
            "eal-log",
            "eal-extra");

    private static int number(String key, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + " is \"" + value + "\"; it must be a number");
        }
    }

    private static Choice choice(String key, String value) {
        return switch (value) {
            case "on" -> Choice.ON;
            case "off" -> Choice.OFF;
            case "auto" -> Choice.AUTO;
            default -> throw new IllegalArgumentException(key + " is \"" + value + "\"; it must be on, off or auto");
        };
    }

    private static void check(String key, int value, int min, int max) {
        if (value != 0 && (value < min || value > max)) {
            throw new IllegalArgumentException(key + " is " + value + "; it must be " + min + " to " + max);
        }
    }
}
