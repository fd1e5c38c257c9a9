package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code guidepost scaffold flows}: shows flows and failovers of this host. */
@Command(
        name = "flows",
        description = "Shows the flows of this host, and the last changes of their instances, with cause and duration.",
        footer = "Example:  guidepost scaffold flows --json")
final class FlowsCommand extends GatewayRequest {
    @Override
    Map<String, Object> request() {
        return JsonWriter.object("command", "flows");
    }

    @Override
    String text(Map<String, Object> answer) {
        String flows = table(AdminOptions.rows(answer, "flows"), "id", "role", "protocol", "state", "own", "peer", "epoch", "object");
        List<Map<?, ?>> changes = AdminOptions.rows(answer, "failovers");
        return flows + (changes.isEmpty() ? "" : "\n" + table(changes, "at", "flow", "cause", "millis", "resumed"));
    }

    static String table(List<Map<?, ?>> rows, String... columns) {
        TextTable table = new TextTable(columns);
        for (Map<?, ?> row : rows) {
            Object[] cells = new Object[columns.length];
            for (int i = 0; i < columns.length; i++) {
                cells[i] = AdminOptions.text(row, columns[i]);
            }
            table.row(cells);
        }
        return table.toString();
    }
}
