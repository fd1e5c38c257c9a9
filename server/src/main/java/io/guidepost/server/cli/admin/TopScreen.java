package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.Keyboard;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import picocli.CommandLine.Option;

/** A command that shows, live, what a process does, by two scrapes of its metrics. */
public abstract class TopScreen extends ConsoleCommand {
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

    /** Returns the metrics as text. */
    protected abstract String scrape() throws IOException;

    @Override
    public final Integer call() throws Exception {
        if (!(interval >= 0.1 && interval <= 60)) {
            throw wrong("--interval is " + interval + "; it must be 0.1 to 60 seconds");
        }
        try (Keyboard keyboard = once || json ? Keyboard.none() : Keyboard.open()) {
            MetricsSamples before = MetricsSamples.read(scrape());
            long since = System.nanoTime();
            do {
                if (keyboard.quitWithin(interval)) {
                    break;
                }
                MetricsSamples now = MetricsSamples.read(scrape());
                long at = System.nanoTime();
                LoadSample load = new LoadSample(before, now, (at - since) / 1e9);
                print(json ? JsonWriter.text(load.json()) : (once ? "" : Keyboard.HOME_AND_CLEAR) + load.screen(!once));
                before = now;
                since = at;
            } while (!once);
        }
        return ExitCode.DONE;
    }
}
