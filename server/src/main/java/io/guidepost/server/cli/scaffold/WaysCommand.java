package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.web.JsonWriter;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code guidepost scaffold ways}: shows the links of this host, and the ways to others. */
@Command(
        name = "ways",
        description = "Shows the own addresses with their links, and the ways to other hosts with their round trips.",
        footer = "Example:  guidepost scaffold ways")
final class WaysCommand extends GatewayRequest {
    @Override
    Map<String, Object> request() {
        return JsonWriter.object("command", "ways");
    }

    @Override
    String text(Map<String, Object> answer) {
        return FlowsCommand.table(AdminOptions.rows(answer, "own"), "device", "own", "up") + "\n"
                + FlowsCommand.table(AdminOptions.rows(answer, "peers"), "host", "own", "peer", "current", "round_trip_millis", "flows")
                + (is(answer, "joined") ? "" : "no object router has answered yet\n");
    }
}
