package io.guidepost.packet.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.guidepost.packet.dpdk.EalSettings.Choice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * DPDK's environment abstraction layer (EAL). It starts once and lives as long as the process; DPDK cannot start a
 * second time, so a failed start stays failed.
 *
 * <p>A short-lived thread starts it: DPDK pins the starting thread to one processor, and its later child threads would
 * inherit that. Threads that call DPDK register: see {@link #register}.
 */
final class Eal {
    /** Memory for rings and devices, when frames have their own memory. */
    private static final int MEGABYTES = 64;

    /** Memory when frames are in it too, as a card reaches small pages only through DPDK. */
    private static final int MEGABYTES_WITH_FRAMES = 512;

    private static @Nullable Eal running;
    private static @Nullable EalSettings startedWith;
    private static @Nullable String refusal;

    final DpdkLibrary library;
    private final EalLog log;
    /** Whether frames live in our memory instead of DPDK's, see {@link MbufPool}. */
    final boolean ownFrameMemory;
    private final int threadKey;
    private final ThreadLocal<Integer> lcore = ThreadLocal.withInitial(this::registered);

    private Eal(DpdkLibrary library, EalLog log, boolean ownFrameMemory) {
        this.library = library;
        this.log = log;
        this.ownFrameMemory = ownFrameMemory;
        try (Arena arena = Arena.ofConfined()) {
            // The C library calls the second argument when a thread that set a value for the key ends.
            MemorySegment key = arena.allocate(Integer.BYTES);
            library.call(
                    "pthread_key_create",
                    key.address(),
                    library.find("rte_thread_unregister").address());
            this.threadKey = key.get(JAVA_INT, 0);
        }
    }

    /**
     * Starts the EAL, or returns the running one.
     *
     * @param settings null for those of the running one, or else the defaults
     * @throws IOException in one line why it does not run, or that it runs with other settings
     */
    static synchronized Eal start(@Nullable EalSettings settings) throws IOException {
        if (refusal != null) {
            throw new IOException(refusal);
        }
        Eal now = running;
        if (now != null) {
            if (settings != null && !settings.equals(startedWith)) {
                throw new IOException("DPDK runs in this process with other settings than these, and starts only once: it"
                        + " has " + startedWith);
            }
            return now;
        }
        EalSettings chosen = settings == null ? EalSettings.standard() : settings;
        try {
            Eal eal = start(DpdkLibrary.load(), chosen);
            running = eal;
            startedWith = chosen;
            return eal;
        } catch (IOException e) {
            refusal = e.getMessage();
            throw e;
        }
    }

    private static Eal start(DpdkLibrary library, EalSettings settings) throws IOException {
        boolean huge = settings.huge() == Choice.AUTO ? hasFreeHugePages() : settings.huge() == Choice.ON;
        boolean pci = settings.pci() == Choice.AUTO ? hasUserSpaceDevice() : settings.pci() == Choice.ON;
        List<String> arguments = arguments(settings, huge, pci);
        EalLog log = new EalLog(library);
        int[] result = new int[2];
        Thread starter = Thread.ofPlatform().name("dpdk-start").unstarted(() -> {
            result[0] = init(library, arguments);
            result[1] = library.lastError();
        });
        starter.start();
        boolean interrupted = false;
        while (starter.isAlive()) {
            try {
                starter.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        String said = log.take();
        if (result[0] < 0) {
            throw new IOException("DPDK does not start: " + (said.isEmpty() ? library.meaning(result[1]) : said)
                    + " (its arguments were " + String.join(" ", arguments) + ")");
        }
        return new Eal(library, log, !huge && !pci);
    }

    private static int init(DpdkLibrary library, List<String> arguments) {
        // DPDK keeps pointers to some of them.
        Arena arena = Arena.global();
        MemorySegment array = arena.allocate(ADDRESS, arguments.size() + 1L);
        for (int i = 0; i < arguments.size(); i++) {
            array.setAtIndex(ADDRESS, i, arena.allocateFrom(arguments.get(i)));
        }
        return (int) library.call("rte_eal_init", arguments.size(), array.address());
    }

    /** Returns the argument list of rte_eal_init. */
    static List<String> arguments(EalSettings settings, boolean huge, boolean pci) {
        List<String> all = new ArrayList<>(List.of(settings.programName(), "--no-telemetry"));
        if (huge) {
            all.add("--in-memory");
        } else {
            all.addAll(List.of("--no-huge", "--no-shconf"));
        }
        int megabytes = settings.memoryMegabytes();
        if (megabytes == 0 && !huge) {
            megabytes = pci ? MEGABYTES_WITH_FRAMES : MEGABYTES;
        }
        if (megabytes > 0) {
            all.addAll(List.of("-m", Integer.toString(megabytes)));
        }
        if (settings.channels() > 0) {
            all.add("-n");
            all.add(Integer.toString(settings.channels()));
        }
        if (!pci) {
            all.add("--no-pci");
        }
        settings.allow().forEach(device -> all.addAll(List.of("-a", device)));
        settings.block().forEach(device -> all.addAll(List.of("-b", device)));
        String prefix = settings.filePrefix();
        all.add("--file-prefix=" + (prefix.isEmpty() ? "guidepost-" + ProcessHandle.current().pid() : prefix));
        all.add("--lcores=" + (settings.lcores().isEmpty() ? "0@" + firstProcessor() : settings.lcores()));
        all.add("--log-level=" + settings.logLevel());
        all.addAll(settings.extra());
        return all;
    }

    /** Returns the new log lines; see {@link EalLog#take}. */
    String said() {
        return log.take();
    }

    /**
     * Registers the calling thread with DPDK, if it is not: DPDK keeps per-thread state under a small number, which is
     * freed when the thread ends.
     *
     * @return the thread's number
     * @throws IllegalStateException if there are too many
     */
    int register() {
        return lcore.get();
    }

    private int registered() {
        if ((int) library.call("rte_thread_register") < 0) {
            throw new IllegalStateException("DPDK has no room for one more thread: " + library.meaning(library.lastError()));
        }
        library.call("pthread_setspecific", threadKey, 1);
        return library.find("per_lcore__lcore_id")
                .reinterpret(Integer.BYTES)
                .get(JAVA_INT, 0);
    }

    private static boolean hasFreeHugePages() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.anyMatch(line -> line.startsWith("HugePages_Free:") && !line.endsWith(" 0"));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean hasUserSpaceDevice() {
        Path drivers = Path.of("/sys/bus/pci/drivers");
        return Stream.of("vfio-pci", "uio_pci_generic", "igb_uio", "mlx4_core", "mlx5_core")
                .anyMatch(name -> hasDevice(drivers.resolve(name)));
    }

    private static boolean hasDevice(Path driver) {
        try (Stream<Path> inside = Files.list(driver)) {
            return inside.anyMatch(entry -> entry.getFileName().toString().contains(":"));
        } catch (IOException e) {
            return false;
        }
    }

    private static String firstProcessor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip().split("[-,]", -1)[0])
                    .findFirst()
                    .orElse("0");
        } catch (IOException e) {
            return "0";
        }
    }
}
