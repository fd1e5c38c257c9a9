package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.Keyboard;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost sites}: the servers of the deployment as one of them sees them. */
@Command(
        name = "sites",
        description = {
            "Shows the servers of the deployment as one of them sees them.",
            "keeps: share of all GUIDs placed there; shared: records that this server keeps too;",
            "median, slow: how long its answers take, and how long 95 of 100 take at most;",
            "hints: changes kept for it until it confirms them; differ: ranges of GUIDs, of 256, where copies differ;",
            "compared: how long ago that was looked at; tables: whether it places GUIDs by the same ones."
        },
        footer = {
            "Example:  guidepost sites --watch",
            "          guidepost sites --health down --limit 1000",
            "          guidepost sites --json     (for scripts)"
        })
public final class SitesCommand extends ConsoleCommand {
    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Option(names = "--limit", paramLabel = "N", description = "Servers with a row, 1 to 10000 (default: ${DEFAULT-VALUE}).")
    private int limit = 100;

    @Option(names = "--health", paramLabel = "HEALTH", description = "Rows of those alone that are up, down or unknown.")
    private String health = "";

    @Option(names = "--after", paramLabel = "NAME", description = "Rows of those behind a name, in the order of names.")
    private String after = "";

    @Option(names = "--watch", description = "Stays, and renews itself every second until q or Ctrl-C.")
    private boolean watch;

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if (watch && json) {
            throw wrong("--watch and --json exclude each other");
        }
        try (Keyboard keyboard = watch ? Keyboard.open() : Keyboard.none()) {
            do {
                show();
            } while (watch && !keyboard.quitWithin(1));
        }
        return ExitCode.DONE;
    }

    private void show() throws IOException {
        AdminOptions.Reply reply = admin.get("/sites?limit=" + limit + "&health=" + encoded(health) + "&after=" + encoded(after));
        if (reply.status() == 400) {
            throw wrong(AdminOptions.text(reply.object(), "error"));
        }
        if (!reply.done()) {
            throw new IOException("the server does not tell of other servers: it is older, or said: " + reply.body());
        }
        print(json ? reply.body() : (watch ? Keyboard.HOME_AND_CLEAR : "") + new SitesText(reply.object()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
