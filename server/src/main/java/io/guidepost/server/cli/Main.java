package io.guidepost.server.cli;

import io.guidepost.base.FaultyFile;
import io.guidepost.server.cli.admin.BackupCommand;
import io.guidepost.server.cli.admin.ConfigCommand;
import io.guidepost.server.cli.admin.DoctorCommand;
import io.guidepost.server.cli.admin.ReloadCommand;
import io.guidepost.server.cli.admin.RestoreCommand;
import io.guidepost.server.cli.admin.SitesCommand;
import io.guidepost.server.cli.admin.TopCommand;
import io.guidepost.server.cli.admin.UpgradeCommand;
import io.guidepost.server.cli.boxes.BalanceCommand;
import io.guidepost.server.cli.boxes.CaptureCommand;
import io.guidepost.server.cli.boxes.FirewallCommand;
import io.guidepost.server.cli.boxes.ForwardCommand;
import io.guidepost.server.cli.boxes.GenerateCommand;
import io.guidepost.server.cli.boxes.NatCommand;
import io.guidepost.server.cli.boxes.PortsCommand;
import io.guidepost.server.cli.fleet.FleetCommand;
import io.guidepost.server.cli.handle.ExportCommand;
import io.guidepost.server.cli.handle.HandleCommands;
import io.guidepost.server.cli.handle.ImportCommand;
import io.guidepost.server.cli.names.GetCommand;
import io.guidepost.server.cli.names.GuidCommand;
import io.guidepost.server.cli.names.LsCommand;
import io.guidepost.server.cli.names.PingCommand;
import io.guidepost.server.cli.names.PutCommand;
import io.guidepost.server.cli.names.RmCommand;
import io.guidepost.server.cli.names.TokenCommand;
import io.guidepost.server.cli.names.WatchCommand;
import io.guidepost.server.cli.names.WhereCommand;
import io.guidepost.server.cli.scaffold.ScaffoldCommands;
import io.guidepost.server.cli.support.ArgumentTypes;
import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ExceptionText;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.topology.OracleCommand;
import io.guidepost.server.cli.topology.RankCommand;
import io.guidepost.server.cli.topology.TopologyCommand;
import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code guidepost} command. It exits with 0 when all went well, and else with one of {@link ExitCode}. */
@Command(
        name = "guidepost",
        description = "Where is it? A name goes in, the places where it is now come out.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Start here:  guidepost serve --demo",
            "Also:        guidepost test (builds and runs all tests), guidepost bench --help",
            "Exit codes:  0 done, 1 failed, 2 the command or the configuration is wrong, 3 not found"
        })
public final class Main implements Runnable {
    private static final String SERVE = "serve";

    /** The commands by name, in the order of the help. */
    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put(SERVE, ServeCommand.class);
        COMMANDS.put("get", GetCommand.class);
        COMMANDS.put("put", PutCommand.class);
        COMMANDS.put("rm", RmCommand.class);
        COMMANDS.put("ls", LsCommand.class);
        COMMANDS.put("watch", WatchCommand.class);
        COMMANDS.put("guid", GuidCommand.class);
        COMMANDS.put("token", TokenCommand.class);
        COMMANDS.put("rank", RankCommand.class);
        COMMANDS.put("ping", PingCommand.class);
        COMMANDS.put("oracle", OracleCommand.class);
        COMMANDS.put("topology", TopologyCommand.class);
        COMMANDS.put("handle", HandleCommands.class);
        COMMANDS.put("import", ImportCommand.class);
        COMMANDS.put("export", ExportCommand.class);
        COMMANDS.put("top", TopCommand.class);
        COMMANDS.put("sites", SitesCommand.class);
        COMMANDS.put("fleet", FleetCommand.class);
        COMMANDS.put("capture", CaptureCommand.class);
        COMMANDS.put("firewall", FirewallCommand.class);
        COMMANDS.put("generate", GenerateCommand.class);
        COMMANDS.put("nat", NatCommand.class);
        COMMANDS.put("balance", BalanceCommand.class);
        COMMANDS.put("forward", ForwardCommand.class);
        COMMANDS.put("scaffold", ScaffoldCommands.class);
        COMMANDS.put("where", WhereCommand.class);
        COMMANDS.put("reload", ReloadCommand.class);
        COMMANDS.put("upgrade", UpgradeCommand.class);
        COMMANDS.put("backup", BackupCommand.class);
        COMMANDS.put("restore", RestoreCommand.class);
        COMMANDS.put("config", ConfigCommand.class);
        COMMANDS.put("doctor", DoctorCommand.class);
        COMMANDS.put("ports", PortsCommand.class);
        COMMANDS.put("train", TrainCommand.class);
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        int code = execute(args);
        if (code != ExitCode.DONE) {
            exit(code);
        }
    }

    /** Ends the process by way of its shutdown hooks. */
    static void exit(int code) {
        System.exit(code);
    }

    /** Runs one command, its errors in one line each, and returns its exit code. */
    public static int execute(String... args) {
        Optional<ConfigurationOptions> plain =
                args.length > 0 && args[0].equals(SERVE) ? ConfigurationOptions.plain(args, 1) : Optional.empty();
        return plain.isPresent() ? serve(plain.get()) : commandLine(args).execute(args);
    }

    private static int serve(ConfigurationOptions options) {
        try {
            return new ServerProcess(options, List.of(), 0, false, new PrintWriter(System.out, false, System.out.charset())).run(null);
        } catch (Exception e) {
            return failed(e, new PrintWriter(System.err, true, System.err.charset()));
        }
    }

    /** Knows the named command, or all commands where none of ours is named: each that is looked at costs start time. */
    public static CommandLine commandLine(String... args) {
        CommandLine line = new CommandLine(new Main());
        if (args.length > 0 && COMMANDS.containsKey(args[0])) {
            line.addSubcommand(args[0], COMMANDS.get(args[0]));
        } else {
            COMMANDS.forEach(line::addSubcommand);
            ServiceLoader.load(CommandProvider.class).forEach(each -> each.commands().forEach(line::addSubcommand));
        }
        ArgumentTypes.register(line);
        return line.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::refused)
                .setExecutionExceptionHandler((failure, failed, parsed) -> failed(failure, failed.getErr()));
    }

    /** Without a subcommand: says which there are. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say which command: one of " + String.join(", ", shown(spec)));
    }

    private static List<String> shown(CommandSpec spec) {
        return spec.subcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static int refused(ParameterException refusal, String[] args) {
        CommandLine line = refusal.getCommandLine();
        line.getErr().println("guidepost: " + fault(refusal));
        CommandLine.UnmatchedArgumentException.printSuggestions(refusal, line.getErr());
        line.getErr().println("See " + line.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    /** What is wrong with arguments; of one that no parameter takes, picocli says its number alone. */
    private static String fault(ParameterException refusal) {
        if (!(refusal instanceof CommandLine.UnmatchedArgumentException unmatched)
                || unmatched.isUnknownOption()
                || unmatched.getUnmatched().isEmpty()) {
            return String.valueOf(refusal.getMessage());
        }
        CommandSpec command = refusal.getCommandLine().getCommandSpec();
        String argument = unmatched.getUnmatched().getFirst();
        String quoted = "'" + argument + "'";
        if (!command.subcommands().isEmpty()) {
            return quoted + " is no command of " + command.qualifiedName() + ": write one of " + String.join(", ", shown(command));
        }
        List<String> parameters = command.positionalParameters().stream().map(PositionalParamSpec::paramLabel).toList();
        if (parameters.isEmpty()) {
            String options = command.options().stream()
                    .filter(each -> each.arity().max() > 0)
                    .findFirst()
                    .map(each -> ", such as " + each.longestName() + " " + each.paramLabel())
                    .orElse("");
            return quoted + " belongs to nothing: " + command.qualifiedName() + " takes options alone" + options;
        }
        PositionalParamSpec last = command.positionalParameters().getLast();
        return last.isMultiValue()
                ? ArgumentTypes.fault(last.auxiliaryTypes()[0], argument)
                        .map(fault -> fault.contains(argument) ? fault : quoted + ": " + fault)
                        .orElse(quoted + " is no " + last.paramLabel())
                : quoted + " is one argument too many: " + command.qualifiedName() + " takes " + String.join(" ", parameters);
    }

    private static int failed(Exception failure, PrintWriter err) {
        return switch (failure) {
            case ConfigurationException wrong -> wrong(wrong.faults(), err);
            case FaultyFile faulty -> wrong(faulty.faults(), err);
            case IOException expected -> {
                err.println("guidepost: " + ExceptionText.of(expected));
                yield ExitCode.FAILED;
            }
            default -> {
                err.println("guidepost: this is a fault of Guidepost itself, please report it: " + failure
                        + place(failure));
                yield ExitCode.FAILED;
            }
        };
    }

    private static int wrong(List<String> faults, PrintWriter err) {
        faults.forEach(each -> err.println("guidepost: " + each));
        return ExitCode.USAGE;
    }

    /** Where in our own code an exception came from: enough to report it, and no stack trace. */
    private static String place(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                .filter(each -> each.getClassName().startsWith("io.guidepost."))
                .findFirst()
                .map(each -> " at " + each)
                .orElse("");
    }
}
