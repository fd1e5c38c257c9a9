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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost put}: binds a name to places. */
@Command(
        name = "put",
        description = "Binds a name to places. When it returns, they are as durable as the server promises.",
        footer = {
            "Example:  guidepost put printer 10.1.2.3:4444 [2001:db8::1]:4444 --ttl 60s --expires 2h",
            "          guidepost put alice guid:alice-phone"
        })
public final class PutCommand extends ConsoleCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = ArgumentTypes.NAME_HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private NameForm name;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "PLACE",
            description = "10.1.2.3:4444, [2001:db8::1]:4444, guid:NAME or a URL.")
    private List<Locator> places = List.of();

    @Mixin
    private ClientOptions client = new ClientOptions();

    @Option(
            names = "--ttl",
            paramLabel = "TIME",
            description = "How long caches may keep them: 30s, 10m, 2h.")
    private @Nullable Duration ttl;

    @Option(
            names = "--expires",
            paramLabel = "TIME",
            description = "After how long they end: 30s, 10m, 2h, 7d.")
    private @Nullable Duration expires;

    @Option(names = "--replace", description = "In place of all places that it has; else they are added.")
    private boolean replace;

    @Option(names = "--json", description = "Says as JSON what was acknowledged.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        long ttlMillis = ttl == null ? 0 : ttl.toMillis();
        long expiryMillis = expires == null ? 0 : System.currentTimeMillis() + expires.toMillis();
        List<Binding> bindings = new ArrayList<>();
        places.forEach(each -> bindings.add(new Binding(each, ttlMillis, expiryMillis)));
        // The server keeps the text of a name whose GUID does not tell it.
        name.text().filter(_ -> NameForm.word(name.guid()).isEmpty()).ifPresent(each -> bindings.add(Binding.of(Locator.ofText(each))));
        try (GnrsClient opened = client.open(1)) {
            if (replace) {
                opened.update(name.guid(), bindings);
            } else {
                opened.insert(name.guid(), bindings);
            }
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
        if (json) {
            print(JsonWriter.text(JsonWriter.object(
                    "guid", name.guid(),
                    "places", places,
                    "replaced", replace,
                    "ttlMillis", ttlMillis,
                    "expiryMillis", expiryMillis,
                    "acknowledged", true)));
        }
        return ExitCode.DONE;
    }
}
