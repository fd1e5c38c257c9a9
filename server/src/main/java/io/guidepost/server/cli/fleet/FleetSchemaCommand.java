package io.guidepost.server.cli.fleet;

import io.guidepost.fleet.FleetSchema;
import io.guidepost.fleet.FleetSettings;
import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.config.StoreConfiguration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost fleet schema}: the statements that make the tables. */
@Command(
        name = "schema",
        description = "Prints the statements that make keyspace and tables, for cqlsh; or makes them.",
        footer = "Example:  guidepost fleet schema --replicas 3 --create --set fleet.contact-points=192.0.2.1:9042")
final class FleetSchemaCommand extends ConsoleCommand {
    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Option(names = "--replicas", paramLabel = "N", defaultValue = "3", description = "Replicas of each record (default: 3).")
    private int replicas;

    @Option(
            names = "--data-centre",
            paramLabel = "NAME",
            defaultValue = "datacenter1",
            description = "Data centre of the replicas, as the cluster calls it (default: datacenter1).")
    private String dataCentre = "";

    @Option(names = "--create", description = "Makes them, where they are missing, and moves those of an earlier version.")
    private boolean create;

    @Override
    public Integer call() throws Exception {
        if (replicas < 1 || replicas > 100) {
            throw wrong("--replicas must be from 1 to 100, not " + replicas);
        }
        if (!dataCentre.matches("[A-Za-z0-9._-]{1,128}")) {
            throw wrong("--data-centre is letters, digits and . _ -, not " + dataCentre);
        }
        FleetSettings settings = StoreConfiguration.fleet(options.load());
        String keyspace = FleetSchema.keyspace(settings.keyspace(), dataCentre, replicas);
        if (create) {
            boolean moved = FleetSchema.create(settings, keyspace);
            print((moved ? "tables of an earlier version were moved: they" : "the tables") + " are in the keyspace " + settings.keyspace()
                    + "\n");
        } else {
            List<String> statements = new ArrayList<>();
            statements.add(keyspace);
            statements.addAll(FleetSchema.tables(settings.keyspace()));
            print(String.join(";\n", statements) + ";\n-- only behind earlier tables, when all servers of the fleet have ended:\n-- "
                    + String.join(";\n-- ", FleetSchema.moves(settings.keyspace())) + ";\n");
        }
        return ExitCode.DONE;
    }
}
