package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.web.JsonWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code guidepost scaffold drain}: offers a name no more. */
@Command(
        name = "drain",
        description = {
            "Offers a name no more. Flows that can go on at another instance do so at once; others are reset, and connect elsewhere."
        },
        footer = "Example:  guidepost scaffold drain web")
final class DrainCommand extends GatewayRequest {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name that was registered here.")
    private String name = "";

    @Override
    Map<String, Object> request() throws Exception {
        return JsonWriter.object("command", "drain", "name", GatewayFolder.name(name));
    }

    @Override
    String text(Map<String, Object> answer) {
        return AdminOptions.text(answer, "name") + " is no longer offered; it had " + AdminOptions.text(answer, "flows") + " flows\n";
    }
}
