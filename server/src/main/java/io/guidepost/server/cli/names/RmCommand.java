package io.guidepost.server.cli.names;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.NameForm;
import io.guidepost.server.cli.support.ArgumentTypes;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost rm}: forgets a name, or one of its places. */
@Command(
        name = "rm",
        description = "Removes all places of a name, or those that are named. It is no error if it has none.",
        footer = {
            "Example:  guidepost rm printer",
            "          guidepost rm printer 10.1.2.3:4444"
        })
public final class RmCommand extends ConsoleCommand {
    /** When a place that is removed ends: long ago, but not never. */
    private static final long ENDED_MILLIS = 1;

    @Parameters(index = "0", paramLabel = "NAME", description = ArgumentTypes.NAME_HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private NameForm name;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "PLACE", description = "Places to remove (default: all).")
    private List<Locator> places = List.of();

    @Mixin
    private ClientOptions client = new ClientOptions();

    @Option(names = "--json", description = "Says as JSON what was acknowledged.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        try (GnrsClient opened = client.open(1)) {
            if (places.isEmpty()) {
                opened.delete(name.guid());
            } else {
                opened.insert(name.guid(), places.stream().map(each -> new Binding(each, 0, ENDED_MILLIS)).toList());
            }
        }
        if (json) {
            print(JsonWriter.text(JsonWriter.object("guid", name.guid(), "acknowledged", true)));
        }
        return ExitCode.DONE;
    }
}
