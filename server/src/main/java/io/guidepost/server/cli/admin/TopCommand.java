package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.Keyboard;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost top}: what a running server is doing, live. */
@Command(
        name = "top",
        description = "Shows what a running server is doing: rates, latencies, drops and why, per worker.",
        footer = {"Example:  guidepost top", "          guidepost top --once --json     (for scripts)"})
public final class TopCommand extends ConsoleCommand {
    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Option(names = "--once", description = "Measures one interval, prints it and ends.")
    private boolean once;

    @Option(names = "--json", description = "As JSON, one object for each interval.")
    private boolean json;

    @Option(
            names = {"-i", "--interval"},
            paramLabel = "SECONDS",
            defaultValue = "1",
            description = "Length of an interval, 0.1 to 60 (default: ${DEFAULT-VALUE}).")
    private double interval;

    @Override
    public Integer call() throws Exception {
        if (!(interval >= 0.1 && interval <= 60)) {
            throw wrong("--interval is " + interval + "; it must be 0.1 to 60 seconds");
        }
        try (Keyboard keyboard = once || json ? Keyboard.none() : Keyboard.open()) {
            MetricsSamples before = scrape();
            long since = System.nanoTime();
            do {
                if (keyboard.quitWithin(interval)) {
                    break;
                }
                MetricsSamples now = scrape();
                long at = System.nanoTime();
                LoadSample load = new LoadSample(before, now, (at - since) / 1e9);
                print(json ? JsonWriter.text(load.json()) : (once ? "" : Keyboard.HOME_AND_CLEAR) + load.screen(!once));
                before = now;
                since = at;
            } while (!once);
        }
        return ExitCode.DONE;
    }

    private MetricsSamples scrape() throws IOException {
        return MetricsSamples.read(admin.get("/metrics").body());
    }
}
