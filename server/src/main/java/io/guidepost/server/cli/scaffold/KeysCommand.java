package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost scaffold keys}: shows whose keys are in the folder of a gateway. */
@Command(
        name = "keys",
        description = "Shows the GUID of this host, whose key it makes if need be, and those of the objects whose keys are in the folder.",
        footer = "Example:  guidepost scaffold keys")
final class KeysCommand extends ConsoleCommand {
    @Mixin
    private final FolderOption folder = new FolderOption();

    @Option(names = "--json", description = "Prints JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        GatewayFolder own = folder.folder();
        own.make();
        Map<String, Object> objects = new LinkedHashMap<>();
        for (String name : own.objects()) {
            objects.put(name, own.objectKey(name).guid());
        }
        TextTable table = new TextTable("of", "name", "GUID").row("host", "", own.hostKey().guid());
        objects.forEach((name, guid) -> table.row("object", name, guid));
        print(json ? JsonWriter.text(JsonWriter.object("host", own.hostKey().guid(), "objects", objects)) : table);
        return ExitCode.DONE;
    }
}
