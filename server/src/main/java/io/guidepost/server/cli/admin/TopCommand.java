package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.AdminOptions;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code guidepost top}: what a running server is doing, live. */
@Command(
        name = "top",
        description = "Shows what a running server is doing: rates, latencies, drops and why, per worker.",
        footer = {"Example:  guidepost top", "          guidepost top --once --json     (for scripts)"})
public final class TopCommand extends TopScreen {
    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Override
    protected String scrape() throws IOException {
        return admin.get("/metrics").body();
    }
}
