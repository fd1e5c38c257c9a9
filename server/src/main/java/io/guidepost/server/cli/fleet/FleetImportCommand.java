package io.guidepost.server.cli.fleet;

import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.server.fleet.FleetService;
import io.guidepost.store.RecordStore;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost fleet import}: names of a file into the store of a configuration. */
@Command(
        name = "import",
        description = {
            "Merges the names of a file that guidepost fleet export wrote into the store that the configuration names: a cluster, or"
                    + " files that no server has open.",
            "Names that were written there later stay; the same import may be repeated. Handles move with guidepost import handle."
        },
        footer = "Example:  guidepost fleet import names.gpn --config front-end.toml")
final class FleetImportCommand extends ConsoleCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "A file that guidepost fleet export wrote.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path file;

    @Option(
            names = "--from",
            paramLabel = "N",
            defaultValue = "0",
            description = "Goes on behind the first N names, where an import that was broken off says that it came to.")
    private long from;

    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Override
    public Integer call() throws Exception {
        if (from < 0) {
            throw wrong("--from must be 0 or more, not " + from);
        }
        Configuration configuration = options.load();
        NameImport names;
        long damaged;
        try (NameFileReader in = NameFileReader.open(file);
                FleetService others = FleetService.ofCommand(configuration);
                RecordStore store = StoreConfiguration.open(
                        configuration, StoreConfiguration.of(configuration), null, others.invalidations());
                ProgressLine progress = new ProgressLine(err(), "names")) {
            names = new NameImport(store, NameImport.PAUSE_NANOS, done -> progress.at(in.fraction(), done));
            names.run(in, from);
            damaged = in.damaged() + names.wrong();
        }
        print("imported " + names.made() + " names; " + names.kept() + " were there already, or belong to handles\n");
        if (names.withoutValues() > 0) {
            err().println("guidepost: " + names.withoutValues() + " names had values beside their places, which were left out");
        }
        if (damaged > 0) {
            err().println("guidepost: " + damaged + " names of the file are damaged, and were left out");
        }
        return damaged == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }
}
