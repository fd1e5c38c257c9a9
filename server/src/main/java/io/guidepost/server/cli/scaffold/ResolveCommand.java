package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost scaffold resolve}: says what a name is. */
@Command(
        name = "resolve",
        description = "Asks the object router for a name, and prints the addresses by which programs of this host reach the object.",
        footer = "Example:  guidepost scaffold resolve web --explain")
final class ResolveCommand extends GatewayRequest {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the object, below the zone.")
    private String name = "";

    @Option(names = "--explain", description = "Says how that came about.")
    private boolean explain;

    @Override
    Map<String, Object> request() throws Exception {
        return JsonWriter.object("command", "resolve", "name", GatewayFolder.name(name));
    }

    @Override
    int code(Map<String, Object> answer) {
        return answer.containsKey("address") ? ExitCode.DONE : is(answer, "known") ? ExitCode.NOT_FOUND : ExitCode.FAILED;
    }

    @Override
    String text(Map<String, Object> answer) {
        String address = AdminOptions.text(answer, "address");
        String ipv6 = answer.containsKey("ipv6") ? " " + AdminOptions.text(answer, "ipv6") : "";
        String why = !is(answer, "joined")
                ? "no object router knows this host: guidepost scaffold ways shows its links\n"
                : address.isEmpty()
                        ? is(answer, "known")
                                ? "the object router knows no object of that name: its host registers it\n"
                                : "the object router has not answered\n"
                        : "the object router knows the object; the gateway of this host gave it this address, for programs here alone\n";
        return (address.isEmpty() ? "there is no address for " + name : address + ipv6) + "\n" + (explain || address.isEmpty() ? why : "");
    }
}
