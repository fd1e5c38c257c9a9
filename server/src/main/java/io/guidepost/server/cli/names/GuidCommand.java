package io.guidepost.server.cli.names;

import io.guidepost.names.NameForm;
import io.guidepost.server.cli.support.ArgumentTypes;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code guidepost guid}: computes the GUIDs of names. */
@Command(
        name = "guid",
        description = "Computes the GUID of names, and prints it with the form that it follows from. Asks no server.",
        footer = "Example:  guidepost guid orders.prod.eu-west-1.example 1234/library")
public final class GuidCommand extends ConsoleCommand {
    @Parameters(paramLabel = "NAME", arity = "1..*", description = ArgumentTypes.NAME_HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private List<NameForm> names;

    @Override
    public Integer call() {
        names.forEach(each -> out().println(each.guid() + "  " + each));
        out().flush();
        return ExitCode.DONE;
    }
}
