package io.guidepost.server.cli.admin;

import io.guidepost.fleet.FleetReport;
import io.guidepost.server.admin.MachineChecks;
import io.guidepost.server.admin.MachineChecks.Finding;
import io.guidepost.server.admin.MachineChecks.Row;
import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost doctor}: what of this machine stands in the way, and what to do about it. */
@Command(
        name = "doctor",
        description = "Looks at this machine and the configuration, and says what to do where something is amiss.",
        footer = {"Example:  guidepost doctor", "Exit code: 1 if a server could not run here"})
public final class DoctorCommand extends ConsoleCommand {
    private static final String FLEET = "cluster";

    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        Configuration configuration = options.load();
        List<Row> rows = new ArrayList<>(MachineChecks.machine(configuration));
        rows.addAll(ServedPorts.rows(configuration));
        rows.addAll(MachineChecks.configured(configuration));
        if (StoreConfiguration.isShared(configuration)) {
            rows.addAll(fleet(configuration));
        }
        if (json) {
            print(JsonWriter.text(rows.stream().map(Row::json).toList()));
        } else {
            TextTable table = new TextTable("what", "", "seen", "what to do");
            rows.forEach(each -> table.row(each.what(), each.finding(), each.seen(), each.todo()));
            print(table);
        }
        return rows.stream().anyMatch(each -> each.finding() == Finding.BAD) ? ExitCode.FAILED : ExitCode.DONE;
    }

    private static List<Row> fleet(Configuration configuration) {
        List<Row> rows = new ArrayList<>();
        try {
            FleetReport report = FleetReport.of(StoreConfiguration.fleet(configuration));
            report.lines().forEach(each -> rows.add(new Row(FLEET, Finding.OK, each, "")));
            report.warnings().forEach(each -> rows.add(new Row(FLEET, Finding.NOTE, each.seen(), each.todo())));
        } catch (ConfigurationException | IOException e) {
            rows.add(new Row(FLEET, Finding.BAD, String.valueOf(e.getMessage()), "see docs/fleets.md"));
        }
        return rows;
    }
}
