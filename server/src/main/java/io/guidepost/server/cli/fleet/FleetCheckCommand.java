package io.guidepost.server.cli.fleet;

import io.guidepost.fleet.FleetReport;
import io.guidepost.fleet.FleetSettings;
import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.config.StoreConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code guidepost fleet check}: whether a cluster is fit to keep the records. */
@Command(
        name = "check",
        description = "Looks whether the nodes answer, the tables are those of this version, and records survive the loss of a node.",
        footer = "Example:  guidepost fleet check --set fleet.contact-points=192.0.2.1:9042")
final class FleetCheckCommand extends ConsoleCommand {
    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Override
    public Integer call() throws Exception {
        FleetSettings settings = StoreConfiguration.fleet(options.load());
        FleetReport report = FleetReport.of(settings);
        report.lines().forEach(each -> out().println(each));
        report.warnings().forEach(each -> out().println("warning: " + each));
        out().flush();
        return ExitCode.DONE;
    }
}
