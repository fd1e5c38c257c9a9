package io.guidepost.bench;

import io.guidepost.bench.alto.AltoBenchCommand;
import io.guidepost.bench.alto.ProxidorClientsCommand;
import io.guidepost.bench.alto.ProxidorFloodScene;
import io.guidepost.bench.alto.ProxidorScene;
import io.guidepost.bench.dns.DnsScene;
import io.guidepost.bench.fleet.FleetScene;
import io.guidepost.bench.flood.FloodScene;
import io.guidepost.bench.gate.GateCommand;
import io.guidepost.bench.gnrs.BatchScene;
import io.guidepost.bench.gnrs.CBaselineScene;
import io.guidepost.bench.gnrs.GnrsBenchCommand;
import io.guidepost.bench.gnrs.GroundScene;
import io.guidepost.bench.gnrs.PacedScene;
import io.guidepost.bench.gnrs.PlacementScene;
import io.guidepost.bench.gnrs.SitesScene;
import io.guidepost.bench.gnrs.StormScene;
import io.guidepost.bench.gnrs.WorkersScene;
import io.guidepost.bench.handle.HandleBenchCommand;
import io.guidepost.bench.handle.HandleCScene;
import io.guidepost.bench.handle.SlowlorisScene;
import io.guidepost.bench.handle.UpgradeScene;
import io.guidepost.bench.names.NamesScene;
import io.guidepost.bench.packet.CollectionsScene;
import io.guidepost.bench.packet.DpdkScene;
import io.guidepost.bench.packet.FastScene;
import io.guidepost.bench.packet.KernelScene;
import io.guidepost.bench.packet.XdpScene;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scaffold.ScaffoldScene;
import io.guidepost.bench.scene.ReportCommand;
import io.guidepost.bench.store.ConsoleScene;
import io.guidepost.bench.store.RecordsScene;
import io.guidepost.bench.store.StartScene;
import io.guidepost.bench.store.WritesScene;
import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The command {@code guidepost bench}. */
@Command(
        name = "bench",
        description = {
            "Measures servers. Scenes start everything that they need, keep server and generator on different",
            "processors, alternate contestants, and print ratios with their spread. Each has --help with an example.",
            "",
            "Example: ./guidepost bench c"
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = {
            GnrsBenchCommand.class,
            HandleBenchCommand.class,
            HandleCScene.class,
            AltoBenchCommand.class,
            CBaselineScene.class,
            BatchScene.class,
            PacedScene.class,
            WritesScene.class,
            RecordsScene.class,
            WorkersScene.class,
            StartScene.class,
            ConsoleScene.class,
            UpgradeScene.class,
            PlacementScene.class,
            FloodScene.class,
            ProxidorScene.class,
            ProxidorFloodScene.class,
            ProxidorClientsCommand.class,
            DnsScene.class,
            NamesScene.class,
            SitesScene.class,
            FleetScene.class,
            StormScene.class,
            GroundScene.class,
            DpdkScene.class,
            CollectionsScene.class,
            SlowlorisScene.class,
            XdpScene.class,
            FastScene.class,
            KernelScene.class,
            ScaffoldScene.class,
            MicroCommand.class,
            ReportCommand.class,
            HelpCommand.class
        })
public final class BenchCommand implements Runnable {
    private static final int FAILED = 1;
    private static final int HELP_COLUMNS = 120;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    private BenchCommand() {}

    /** Runs the command; exits with 0 on success, 1 on failure, 2 for wrong arguments. */
    public static void main(String[] arguments) {
        System.exit(line().execute(arguments));
    }

    /** Returns the command line, for callers that do not want to exit. */
    public static CommandLine line() {
        return new CommandLine(new BenchCommand())
                .addSubcommand(new GateCommand(BenchCommand::line))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(HELP_COLUMNS)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr().println("guidepost bench: " + sentence(failure));
                    return FAILED;
                });
    }

    private static String sentence(Exception failure) {
        return switch (failure) {
            case BenchFailure known -> known.sentence();
            case IOException io -> "cannot read or write: " + io.getMessage();
            case UncheckedIOException io -> "cannot read or write: " + io.getMessage();
            default -> "unexpected " + failure;
        };
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getErr());
        throw new CommandLine.ParameterException(spec.commandLine(), "Which benchmark? Name a command.");
    }
}
