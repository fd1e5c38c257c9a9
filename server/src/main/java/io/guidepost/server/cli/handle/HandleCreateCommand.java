package io.guidepost.server.cli.handle;

import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost handle create}: creates a handle. */
@Command(
        name = "create",
        description = "Creates a handle. When it returns, the handle is as durable as the server promises.",
        footer = {
            "Example:  guidepost handle create 1234/abc URL=https://example.org --as 300:1234/ADMIN --key admpriv.bin",
            "          guidepost handle create 1234/ URL=https://example.org --mint --as 301:1234/ADMIN --secret-file secret"
        })
final class HandleCreateCommand extends HandleClientCommand {
    @Mixin
    private ValueArguments values = new ValueArguments();

    @Option(names = "--overwrite", description = "Replaces the handle if it exists.")
    private boolean overwrite;

    @Option(names = "--mint", description = "Appends a suffix that the server makes, and says the whole handle.")
    private boolean mint;

    @Option(
            names = "--no-admin",
            description = "Leaves the values as they are; else who creates is an administrator if no HS_ADMIN says one.")
    private boolean noAdmin;

    @Override
    HandleResult request(HandleClient client) throws IOException {
        Optional<ClientIdentity> who = options().identity();
        List<HandleValue> all = values.read();
        if (!noAdmin && who.isPresent()) {
            all = ValueArguments.withAdmin(all, who.get().who());
        }
        HandleResult outcome = client.create(values.handle(), all, overwrite, mint);
        if (mint && !json() && outcome.success()) {
            out().println(outcome.handle());
        }
        return outcome;
    }
}
