package io.guidepost.bench.scene;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A second running server that alternates with the first. */
public final class VersusOptions {
    @Option(names = "--vs", paramLabel = "HOST:PORT", description = "A second server that alternates with the first.")
    private @Nullable String versus;

    @Option(names = "--vs-pid", paramLabel = "PID", description = "Process of the second server.")
    private long versusPid;

    /** Returns the second server, if there is one. */
    public Optional<BenchTarget.Running> target() {
        return Optional.ofNullable(versus)
                .map(name -> new BenchTarget.Running(name, RunningServerCommand.address(name), versusPid));
    }
}
