package io.guidepost.server.cli;

import io.guidepost.server.ConfigurationException;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code guidepost} command. It exits with 0 when all went well, and else with one of {@link Exit}. */
@Command(
        name = "guidepost",
        description = "Where is it? A name goes in, the places where it is now come out.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            Serve.class,
            Get.class,
            Put.class,
            Rm.class,
            Config.class,
            Reload.class,
            Backup.class,
            Restore.class,
            Top.class,
            Doctor.class,
            Train.class
        },
        footer = {
            "",
            "Start here:  guidepost serve --demo",
            "Also:        guidepost test (builds and runs all tests), guidepost bench --help",
            "Exit codes:  0 done, 1 failed, 2 the command or the configuration is wrong, 3 not found"
        })
public final class Main implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        int code = commandLine().execute(args);
        if (code != Exit.DONE) {
            System.exit(code);
        }
    }

    /** The command with its subcommands, its errors in one line each. */
    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::refused)
                .setExecutionExceptionHandler((failure, line, parsed) -> failed(failure, line));
    }

    /** Without a subcommand: says which there are. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say which command: one of " + String.join(", ", names()));
    }

    private List<String> names() {
        return spec.subcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(java.util.Map.Entry::getKey)
                .toList();
    }

    private static int refused(ParameterException refusal, String[] args) {
        CommandLine line = refusal.getCommandLine();
        line.getErr().println("guidepost: " + refusal.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(refusal, line.getErr());
        line.getErr().println("See " + line.getCommandSpec().qualifiedName() + " --help");
        return Exit.USAGE;
    }

    private static int failed(Exception failure, CommandLine line) throws Exception {
        return switch (failure) {
            case ConfigurationException wrong -> {
                wrong.faults().forEach(each -> line.getErr().println("guidepost: " + each));
                yield Exit.USAGE;
            }
            case IOException expected -> {
                line.getErr().println("guidepost: " + Wording.of(expected));
                yield Exit.FAILED;
            }
            default -> throw failure;
        };
    }
}
