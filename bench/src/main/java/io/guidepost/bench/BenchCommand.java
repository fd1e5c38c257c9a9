package io.guidepost.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine;

/** The command {@code guidepost bench}. */
@Command(
        name = "bench",
        description = {
            "Measures servers. Scenes start everything that they need, keep server and generator on different",
            "processors, alternate, and print ratios with their spread. Each has --help with an example.",
            "",
            "Example: ./guidepost bench c"
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = {
            GnrsCommand.class,
            HandleCommand.class,
            AltoCommand.class,
            CScene.class,
            BatchScene.class,
            PacedScene.class,
            WritesScene.class,
            RecordsScene.class,
            WorkersScene.class,
            StartScene.class,
            PlacementScene.class,
            FloodScene.class,
            ProxidorScene.class,
            ProxidorFloodScene.class,
            ProxidorClientsCommand.class,
            SitesScene.class,
            StormScene.class,
            GroundScene.class,
            DpdkScene.class,
            CollectionsScene.class,
            SlowScene.class,
            XdpScene.class,
            FastScene.class,
            MicroCommand.class,
            HelpCommand.class
        })
public final class BenchCommand implements Runnable {
    private static final int FAILED = 1;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    private BenchCommand() {}

    /** Runs the command; exits with 0 if it was done, 1 if it failed, 2 if it was called wrongly. */
    public static void main(String[] arguments) {
        System.exit(line().execute(arguments));
    }

    /** The command line, for callers that do not want to exit. */
    static CommandLine line() {
        return new CommandLine(new BenchCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, line, parsed) -> {
                    line.getErr().println("guidepost bench: " + sentence(failure));
                    return FAILED;
                });
    }

    private static String sentence(Exception failure) {
        return switch (failure) {
            case Failure known -> known.sentence();
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
