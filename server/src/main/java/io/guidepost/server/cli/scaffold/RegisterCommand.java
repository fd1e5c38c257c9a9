package io.guidepost.server.cli.scaffold;

import io.guidepost.scaffold.key.Delegation;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.web.JsonWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost scaffold register}: offers a program of this host under a name. */
@Command(
        name = "register",
        description = {
            "Offers a program of this host under a name, now and after each restart of the gateway.",
            "The first time makes the object's key in the folder; a host that shares the object takes a file of scaffold delegate."
        },
        footer = {
            "Example:  guidepost scaffold register web --port 8080",
            "          guidepost scaffold register web --port 8080 --delegation web.delegation.pem"
        })
final class RegisterCommand extends GatewayRequest {
    static final Duration YEAR = Duration.ofDays(365);

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the object, below the zone.")
    private String name = "";

    @Option(names = "--port", required = true, paramLabel = "PORT", description = "Where the program listens, and clients find it.")
    private int port;

    @Option(names = "--udp", description = "Its datagrams, not its connections of TCP.")
    private boolean udp;

    @Option(
            names = "--repeatable",
            description = "Any request may be sent once more to another instance; without it GET and HEAD of HTTP alone.")
    private boolean repeatable;

    @Option(names = "--priority", paramLabel = "N", description = "Lower ones are taken first, 0 to 255 (default: ${DEFAULT-VALUE}).")
    private int priority;

    @Option(
            names = "--weight",
            paramLabel = "N",
            description = "Share among instances of one priority, 1 to 65535 (default: ${DEFAULT-VALUE}).")
    private int weight = 1;

    @Option(names = "--delegation", paramLabel = "FILE", description = "What the owner of the object's key has signed for this host.")
    private @Nullable Path delegation;

    @Override
    Map<String, Object> request() throws Exception {
        if (port < 1 || port > 65_535 || priority < 0 || priority > 255 || weight < 1 || weight > 65_535) {
            throw wrong("--port and --weight are 1 to 65535, --priority is 0 to 255");
        }
        String own = GatewayFolder.name(name);
        return JsonWriter.object(
                "command", "register",
                "name", own,
                "port", port,
                "udp", udp,
                "repeatable", repeatable,
                "priority", priority,
                "weight", weight,
                "delegation", delegation == null ? signed(own) : GatewayFolder.delegation(delegation));
    }

    private Delegation signed(String own) throws Exception {
        long expiry = Instant.now().plus(YEAR).getEpochSecond();
        return folder().objectKey(own).delegate(folder().hostKey().guid(), expiry);
    }

    @Override
    int code(Map<String, Object> answer) {
        return is(answer, "registered") ? ExitCode.DONE : ExitCode.FAILED;
    }

    @Override
    String text(Map<String, Object> answer) {
        String refusal = AdminOptions.text(answer, "refusal");
        if (is(answer, "registered")) {
            return AdminOptions.text(answer, "name") + " is registered: instance " + AdminOptions.text(answer, "instance") + " of object "
                    + AdminOptions.text(answer, "object") + "\n";
        }
        return AdminOptions.text(answer, "name") + " is kept, but not registered: "
                + (refusal.isEmpty() ? "no object router has answered yet, and the gateway goes on asking" : refusal) + "\n";
    }
}
