package io.guidepost.server.admin;

import com.sun.management.OperatingSystemMXBean;
import io.guidepost.packet.worker.RealTimePolicy;
import io.guidepost.packet.worker.Worker;
import io.guidepost.proximity.ranking.RoutingDefects;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.server.gnrs.GnrsService;
import io.guidepost.server.topology.TopologyService;
import io.guidepost.web.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What of this machine stands in the way of a server, and what to do about it. */
public final class MachineChecks {
    /** What the kernel may hold for us until a worker that was away comes back: 4 MiB are 10 ms of 500,000/s. */
    private static final long SOCKET_BYTES_LEAST = 4 << 20;

    private static final long FREE_BYTES_LEAST = 1L << 30;

    /** How a check ended. */
    public enum Finding {
        OK,
        NOTE,
        BAD
    }

    /**
     * A check.
     *
     * @param what is looked at
     * @param seen there
     * @param todo what to do; empty if nothing
     */
    public record Row(String what, Finding finding, String seen, String todo) {
        /** Returns it as JSON has it. */
        public Map<String, Object> json() {
            return JsonWriter.object("what", what, "finding", finding, "seen", seen, "todo", todo);
        }
    }

    private MachineChecks() {}

    /** Looks at the machine. */
    public static List<Row> machine(Configuration configuration) {
        List<Row> rows = new ArrayList<>();
        rows.add(java());
        rows.add(nativeAccess());
        rows.add(processors());
        rows.add(socketBuffer("net.core.rmem_max", Path.of("/proc/sys/net/core/rmem_max")));
        rows.add(socketBuffer("net.core.wmem_max", Path.of("/proc/sys/net/core/wmem_max")));
        rows.add(hugePages());
        realTime(configuration).ifPresent(rows::add);
        return rows;
    }

    /** Looks at what the configuration makes of it. */
    public static List<Row> configured(Configuration configuration) throws IOException {
        List<Row> rows = new ArrayList<>();
        rows.add(writers(configuration));
        rows.addAll(topology(configuration));
        rows.add(memory(configuration));
        rows.add(folder(configuration.get(ConfigurationKeys.STORE_FOLDER).toAbsolutePath()));
        return rows;
    }

    private static Row java() {
        return new Row("Java", Finding.OK, Runtime.version() + " of " + System.getProperty("java.vendor"), "");
    }

    private static Row nativeAccess() {
        boolean linux = System.getProperty("os.name").equals("Linux");
        boolean known = List.of("amd64", "aarch64").contains(System.getProperty("os.arch"));
        if (!linux || !known) {
            return new Row(
                    "native sockets", Finding.NOTE, System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                    "the portable sockets are used here; batched ones need Linux on x86-64 or aarch64");
        }
        return MachineChecks.class.getModule().isNativeAccessEnabled()
                ? new Row("native sockets", Finding.OK, "allowed", "")
                : new Row("native sockets", Finding.BAD, "not allowed", "start Java with --enable-native-access=ALL-UNNAMED");
    }

    private static Row processors() {
        int number = Runtime.getRuntime().availableProcessors();
        return number >= 2
                ? new Row("processors", Finding.OK, Integer.toString(number), "")
                : new Row("processors", Finding.NOTE, "1", "give it two: answers and the disk then do not wait for each other");
    }

    private static Row socketBuffer(String name, Path file) {
        if (!Files.isReadable(file)) {
            return new Row(name, Finding.NOTE, "not to be seen here", "");
        }
        // One read of a whole buffer: the kernel gives such a file once, and nothing to a second read.
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
            long bytes = Long.parseLong(String.valueOf(reader.readLine()).strip());
            return bytes >= SOCKET_BYTES_LEAST
                    ? new Row(name, Finding.OK, bytes + " bytes", "")
                    : new Row(
                            name, Finding.NOTE, bytes + " bytes",
                            "sysctl -w " + name + "=" + SOCKET_BYTES_LEAST + " (unless it runs with CAP_NET_ADMIN)");
        } catch (IOException | NumberFormatException e) {
            return new Row(name, Finding.NOTE, "not to be read: " + e.getMessage(), "");
        }
    }

    private static Row hugePages() {
        Path file = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
        try {
            String setting = Files.readString(file, StandardCharsets.US_ASCII).strip();
            return setting.contains("[never]")
                    ? new Row("huge pages", Finding.NOTE, setting, "echo madvise > " + file + ": large indexes are read faster")
                    : new Row("huge pages", Finding.OK, setting, "");
        } catch (IOException e) {
            return new Row("huge pages", Finding.NOTE, "not to be seen here", "");
        }
    }

    private static Row writers(Configuration configuration) {
        boolean all = configuration.get(ConfigurationKeys.GNRS_ENABLED)
                && !configuration.get(ConfigurationKeys.GNRS_READ_ONLY)
                && configuration.get(ConfigurationKeys.GNRS_WRITERS).stream().anyMatch(each -> each.toString().endsWith("/0"));
        String seen = GnrsService.writersText(configuration);
        return all
                ? new Row("writers", Finding.NOTE, seen, "name the networks of your own clients in gnrs.writers: any stranger may write")
                : new Row("writers", Finding.OK, seen, "");
    }

    /** What the files of the topology say; what feeds add is known to the running server alone ({@code /topology}). */
    private static List<Row> topology(Configuration configuration) throws IOException {
        if (configuration.get(TopologyKeys.PROXIMITY_FILES).isEmpty()) {
            return List.of();
        }
        try {
            RoutingDefects found = TopologyService.defects(configuration);
            return found.lines().isEmpty()
                    ? List.of(new Row("topology", Finding.OK, "all exits have links", ""))
                    : found.lines().stream()
                            .map(each -> new Row("topology", Finding.NOTE, each, "such prefixes are not ranked: see docs/proximity.md"))
                            .toList();
        } catch (ConfigurationException e) {
            return e.faults().stream().map(each -> new Row("topology", Finding.BAD, each, "mend the file")).toList();
        }
    }

    private static Optional<Row> realTime(Configuration configuration) {
        RealTimePolicy wanted = configuration.get(ConfigurationKeys.WORKERS_REAL_TIME);
        if (wanted == RealTimePolicy.FALSE) {
            return Optional.empty();
        }
        String name = ConfigurationKeys.WORKERS_REAL_TIME.name();
        if (Worker.mayRunInRealTime()) {
            return Optional.of(new Row(name, Finding.OK, "allowed", ""));
        }
        String seen = "not allowed: workers stay in the normal class";
        return Optional.of(wanted == RealTimePolicy.AUTO
                ? new Row(name, Finding.OK, seen, "")
                : new Row(name, Finding.NOTE, seen,
                        "grant CAP_SYS_NICE or an rtprio limit of 2 (systemd: LimitRTPRIO=2), or set it to auto"));
    }

    /** The store takes its memory beside the heap of Java; what the machine, or the control group, does not have ends the process. */
    private static Row memory(Configuration configuration) {
        long store = configuration.get(ConfigurationKeys.STORE_MEMORY);
        long heap = Runtime.getRuntime().maxMemory();
        long all = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        String seen = "store.memory is " + mebibytes(store) + " beside " + mebibytes(heap) + " of heap; there are " + mebibytes(all);
        return store + heap <= all
                ? new Row("memory", Finding.OK, seen, "")
                : new Row("memory", Finding.NOTE, seen, "set store.memory to " + Math.max(32, (all - heap >> 20) * 3 / 4)
                        + " MiB: a full index would end the server");
    }

    private static String mebibytes(long bytes) {
        return (bytes >> 20) + " MiB";
    }

    private static Row folder(Path folder) {
        Path existing = folder;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null || !Files.isDirectory(existing) || !Files.isWritable(existing)) {
            return new Row("store folder", Finding.BAD, existing + " is not a folder that can be written", "set store.folder");
        }
        try {
            long free = Files.getFileStore(existing).getUsableSpace();
            return free >= FREE_BYTES_LEAST
                    ? new Row("store folder", Finding.OK, folder + ", " + (free >> 30) + " GiB free", "")
                    : new Row("store folder", Finding.NOTE, folder + ", " + (free >> 20) + " MiB free", "make room, or set store.folder");
        } catch (IOException e) {
            return new Row("store folder", Finding.NOTE, folder + ": " + e.getMessage(), "");
        }
    }
}
