package io.guidepost.server.cli.names;

import io.guidepost.base.AddressText;
import io.guidepost.base.FaultyFile;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.PlacementHash;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.names.Guid;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ArgumentTypes;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.gnrs.PlacementTrace;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost where}: which servers keep a GUID, why, and whether they do. */
@Command(
        name = "where",
        description = {
            "Tells step by step which servers keep a GUID, and asks each of them what it has.",
            "The tables are those of a running server, or files that are named here."
        },
        footer = {
            "Example:  guidepost where printer",
            "          guidepost where printer --prefixes prefixes.gz --bindings as-binding.gz --no-ask",
            "Exit code: 3 if no server has it, 1 if servers differ or do not answer"
        })
public final class WhereCommand extends ConsoleCommand {
    @Parameters(paramLabel = "NAME", description = ArgumentTypes.NAME_HELP)
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Guid guid;

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Option(names = "--prefixes", paramLabel = "FILE", description = "Prefix table: 'a.b.c.d/len AS'.")
    private @Nullable Path prefixes;

    @Option(names = "--bindings", paramLabel = "FILE", description = "AS bindings: 'AS host port'.")
    private @Nullable Path bindings;

    @Option(names = "--mode", defaultValue = "DMAP", description = "dmap or compatible, for files named here.")
    private PlacementSettings.Mode mode = PlacementSettings.Mode.DMAP;

    @Option(names = "--hash", defaultValue = "SHA_1", description = "Hash function: ${COMPLETION-CANDIDATES}.")
    private PlacementHash hash = PlacementHash.SHA_1;

    @Option(names = {"-K", "--replicas"}, paramLabel = "K", defaultValue = "5", description = "Copies (default: 5).")
    private int replicas;

    @Option(names = {"-M", "--rehash"}, paramLabel = "M", defaultValue = "10", description = "Hashes tried (default: 10).")
    private int rehash;

    @Option(names = "--no-ask", negatable = false, description = "Does not ask the servers.")
    private boolean silent;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "500ms",
            description = "How long to wait for the answer of a server (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofMillis(500);

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if ((prefixes == null) != (bindings == null)) {
            throw wrong("--prefixes and --bindings belong together: give both");
        }
        PlacementText text = new PlacementText(prefixes == null || bindings == null ? asked() : own(prefixes, bindings));
        List<ReplicaState> holdings = silent ? List.of() : ReplicaState.ask(guid, text.servers(), timeout);
        print(json ? JsonWriter.text(text.json(holdings)) : text.write(guid, holdings));
        if (holdings.isEmpty()) {
            return ExitCode.DONE;
        }
        boolean nothing = holdings.stream().allMatch(each -> each.answered() && each.places().isEmpty());
        return nothing ? ExitCode.NOT_FOUND : ReplicaState.agree(holdings) ? ExitCode.DONE : ExitCode.FAILED;
    }

    private Map<String, Object> asked() throws IOException {
        AdminOptions.Reply reply = admin.get("/where?guid=" + guid);
        Map<String, Object> answer = reply.object();
        if (!reply.done()) {
            throw new IOException("the server said: " + answer.getOrDefault("error", reply.body()));
        }
        return answer;
    }

    private Map<String, Object> own(Path table, Path servers) throws IOException, FaultyFile {
        PlacementSettings settings;
        try {
            settings = new PlacementSettings(mode, hash, replicas, rehash, Set.of());
        } catch (IllegalArgumentException e) {
            throw wrong(e);
        }
        return PlacementTrace.json(Placement.load(table, servers, settings), guid, AddressText::of);
    }
}
