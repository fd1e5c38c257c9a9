package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.admin.TopScreen;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code guidepost scaffold top}: what the running gateway of this host is doing, live. */
@Command(
        name = "top",
        description = "Shows what the gateway of this host is doing: flows, outages and their causes, rates, drops and why.",
        footer = {"Example:  guidepost scaffold top", "          guidepost scaffold top --once --json     (for scripts)"})
final class GatewayTop extends TopScreen {
    @Mixin
    private final FolderOption folder = new FolderOption();

    @Override
    protected String scrape() throws IOException {
        return AdminOptions.text(folder.folder().ask(JsonWriter.object("command", "metrics")), "metrics");
    }
}
