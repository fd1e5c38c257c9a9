package io.guidepost.server.cli.handle;

import io.guidepost.base.AddressText;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.json.SiteJson;
import io.guidepost.handle.transfer.ServerFolder;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost handle site}: shows the description of a site, and turns one form of it into the other. */
@Command(
        name = "site",
        description = "Shows the description of a server's site, or that in a file, and writes it in either form.",
        footer = {
            "Example:  guidepost handle site --server handle.example.org",
            "          guidepost handle site siteinfo.json --output siteinfo.bin"
        })
final class HandleSiteCommand extends ConsoleCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "siteinfo.json or siteinfo.bin; without one the server is asked.")
    private @Nullable Path file;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Writes it to a file that does not exist: in bytes if its name ends in .bin, else in JSON.")
    private @Nullable Path output;

    @Mixin
    private HandleOptions options = new HandleOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        SiteRecord site = file != null ? ServerFolder.readSiteFile(file) : ask();
        if (output != null) {
            byte[] bytes = output.toString().endsWith(".bin") ? site.write() : SiteJson.write(site);
            Files.write(output, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } else {
            print(json ? new String(SiteJson.write(site), StandardCharsets.UTF_8) + "\n" : text(site));
        }
        return ExitCode.DONE;
    }

    private SiteRecord ask() throws Exception {
        try (HandleClient client = options.open()) {
            return client.site();
        }
    }

    private static String text(SiteRecord site) {
        StringBuilder text = new StringBuilder(site.toString())
                .append(site.primary() ? ", takes changes\n" : ", takes no changes\n");
        TextTable table = new TextTable("server", "address", "port", "transport", "questions", "changes");
        for (SiteServer server : site.servers()) {
            for (SiteInterface each : server.interfaces()) {
                table.row(
                        server.id(),
                        AddressText.of(server.inetAddress()),
                        each.port(),
                        each.transport(),
                        each.query() ? "yes" : "no",
                        each.admin() ? "yes" : "no");
            }
        }
        return text.append(table).toString();
    }
}
