package io.guidepost.server.cli.fleet;

import picocli.CommandLine.Command;

/** {@code guidepost fleet}: the cluster that store.engine = "cassandra" keeps the records in. */
@Command(
        name = "fleet",
        description = "Makes and checks the tables of a cluster of Apache Cassandra that servers share, moves names; see docs/fleets.md.",
        mixinStandardHelpOptions = true,
        subcommands = {FleetSchemaCommand.class, FleetCheckCommand.class, FleetImportCommand.class, FleetExportCommand.class},
        footer = "%nExample:  guidepost fleet check --set fleet.contact-points=192.0.2.1:9042")
public final class FleetCommand {}
