package io.guidepost.packet.dpdk;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * DPDK's log. DPDK writes into a file in memory instead of standard error; after each call its lines move to our log,
 * and the first ones become part of the error if the call failed.
 */
final class EalLog {
    private static final Logger LOG = System.getLogger("io.guidepost.packet.dpdk");
    /** Lines that go into an error: the cause comes first, then its consequences. */
    private static final int LINES_MAX = 3;

    private static final int IO_NOT_BUFFERED = 2;

    private final DpdkLibrary library;
    private final int descriptor;

    /** Redirects the log; before DPDK is started. */
    EalLog(DpdkLibrary library) {
        this.library = library;
        try (Arena arena = Arena.ofConfined()) {
            this.descriptor =
                    (int) library.call("memfd_create", arena.allocateFrom("dpdk-log").address(), 0);
            long stream = library.call(
                    "fdopen", descriptor, arena.allocateFrom("a").address());
            if (stream != 0) {
                library.call("setvbuf", stream, 0, IO_NOT_BUFFERED);
                library.call("rte_openlog_stream", stream);
            }
        }
    }

    /** Moves new lines to our log; returns the first of them as one line, or an empty text. */
    synchronized String take() {
        String said;
        try {
            said = Files.readString(Path.of("/proc/self/fd/" + descriptor), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
        library.call("ftruncate", descriptor, 0);
        List<String> lines =
                said.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        lines.forEach(line -> LOG.log(Level.DEBUG, "{0}", line));
        return String.join("; ", lines.subList(0, Math.min(LINES_MAX, lines.size())));
    }
}
