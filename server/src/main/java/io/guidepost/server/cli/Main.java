package io.guidepost.server.cli;

import io.guidepost.names.FaultyFile;
import io.guidepost.server.ConfigurationException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        footer = {
            "",
            "Start here:  guidepost serve --demo",
            "Also:        guidepost test (builds and runs all tests), guidepost bench --help",
            "Exit codes:  0 done, 1 failed, 2 the command or the configuration is wrong, 3 not found"
        })
public final class Main implements Runnable {
    /** The commands by name, in the order of the help. */
    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("serve", Serve.class);
        COMMANDS.put("get", Get.class);
        COMMANDS.put("put", Put.class);
        COMMANDS.put("rm", Rm.class);
        COMMANDS.put("rank", RankCommand.class);
        COMMANDS.put("ping", PingCommand.class);
        COMMANDS.put("oracle", OracleCommand.class);
        COMMANDS.put("topology", TopologyCommand.class);
        COMMANDS.put("handle", HandleCommand.class);
        COMMANDS.put("import", ImportCommand.class);
        COMMANDS.put("export", ExportCommand.class);
        COMMANDS.put("replay", Replay.class);
        COMMANDS.put("prove", Prove.class);
        COMMANDS.put("simulate", Simulate.class);
        COMMANDS.put("top", Top.class);
        COMMANDS.put("sites", SitesCommand.class);
        COMMANDS.put("capture", CaptureCommand.class);
        COMMANDS.put("firewall", FirewallCommand.class);
        COMMANDS.put("generate", Generate.class);
        COMMANDS.put("nat", NatCommand.class);
        COMMANDS.put("balance", BalanceCommand.class);
        COMMANDS.put("forward", ForwardCommand.class);
        COMMANDS.put("where", Where.class);
        COMMANDS.put("reload", Reload.class);
        COMMANDS.put("backup", Backup.class);
        COMMANDS.put("restore", Restore.class);
        COMMANDS.put("config", Config.class);
        COMMANDS.put("doctor", Doctor.class);
        COMMANDS.put("ports", PortsCommand.class);
        COMMANDS.put("train", Train.class);
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        int code = execute(args);
        if (code != Exit.DONE) {
            System.exit(code);
        }
    }

    /** Runs one command, its errors in one line each, and returns its exit code. */
    static int execute(String... args) {
        return commandLine(args).execute(args);
    }

    /** Knows the command that is asked for; all of them if that is none: looking at each costs time at every start. */
    static CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(new Main());
        COMMANDS.forEach((name, command) -> {
            if (args.length == 0 || !COMMANDS.containsKey(args[0]) || args[0].equals(name)) {
                line.addSubcommand(name, command);
            }
        });
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::refused)
                .setExecutionExceptionHandler((failure, failed, parsed) -> failed(failure, failed));
    }

    /** Without a subcommand: says which there are. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say which command: one of " + String.join(", ", names()));
    }

    private List<String> names() {
        return spec.subcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static int refused(ParameterException refusal, String[] args) {
        CommandLine line = refusal.getCommandLine();
        line.getErr().println("guidepost: " + refusal.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(refusal, line.getErr());
        line.getErr().println("See " + line.getCommandSpec().qualifiedName() + " --help");
        return Exit.USAGE;
    }

    private static int failed(Exception failure, CommandLine line) {
        return switch (failure) {
            case ConfigurationException wrong -> {
                wrong.faults().forEach(each -> line.getErr().println("guidepost: " + each));
                yield Exit.USAGE;
            }
            case FaultyFile faulty -> {
                faulty.faults().forEach(each -> line.getErr().println("guidepost: " + each));
                yield Exit.USAGE;
            }
            case IOException expected -> {
                line.getErr().println("guidepost: " + Wording.of(expected));
                yield Exit.FAILED;
            }
            default -> {
                line.getErr().println("guidepost: this is a fault of Guidepost itself, please report it: " + failure
                        + place(failure));
                yield Exit.FAILED;
            }
        };
    }

    /** Where in our own code an exception came from: enough to report it, and no stack trace. */
    private static String place(Throwable failure) {
        for (StackTraceElement each : failure.getStackTrace()) {
            if (each.getClassName().startsWith("io.guidepost.")) {
                return " at " + each;
            }
        }
        return "";
    }
}
