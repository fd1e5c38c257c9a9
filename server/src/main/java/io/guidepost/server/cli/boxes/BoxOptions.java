package io.guidepost.server.cli.boxes;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that all middleboxes share. */
final class BoxOptions {
    @Option(
            names = "--queues",
            paramLabel = "N",
            description = "Queues of each port, each pair with a worker of its own (default: all that the devices have).")
    int queues;

    @Option(
            names = "--cpus",
            paramLabel = "LIST",
            split = ",",
            description = "Processors of the workers, such as 2,3 (default: wherever the system puts them).")
    int @Nullable [] cpus;

    @Option(
            names = "--frames",
            paramLabel = "N",
            description = "Frames of packet memory that the ports share (default: ${DEFAULT-VALUE}).")
    int frames = 16_384;

    @Option(
            names = "--frame-bytes",
            paramLabel = "BYTES",
            description = "Bytes of each, 256 of them headroom; more for a larger MTU, on xdp at most 4096 (default: ${DEFAULT-VALUE}).")
    int frameBytes = 2048;

    @Option(names = "--seconds", paramLabel = "S", description = "Ends after this many seconds.")
    @Nullable Double seconds;

    @Option(
            names = {"-i", "--interval"},
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "How often the table is printed, 0.1 to 3600 (default: ${DEFAULT-VALUE}).")
    double interval = 1;

    @Option(names = "--quiet", description = "Prints the table at the end alone.")
    boolean quiet;

    @Option(
            names = "--exit-on-loss",
            description = "Ends with exit code 1 when a device is removed, or the peer of a memif ends (default: waits for its return).")
    boolean exitOnLoss;

    @Option(names = "--json", description = "As JSON, one object for each interval.")
    boolean json;

    @Option(
            names = "--ui",
            paramLabel = "PORT",
            description = "Shows it in a browser too, at http://127.0.0.1:PORT/ui/; 0 takes a free port.")
    @Nullable Integer ui;

    @Option(
            names = "--ui-token",
            paramLabel = "FILE",
            description = "File whose first line viewers must know (default: everyone on this machine may look).")
    Path uiToken = Path.of("");

    int cpu(int worker) {
        return cpus == null || cpus.length == 0 ? -1 : cpus[worker % cpus.length];
    }
}
