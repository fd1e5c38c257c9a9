package io.guidepost.server.cli.scaffold;

import io.guidepost.server.cli.support.ConsoleCommand;
import picocli.CommandLine.Command;

/** {@code guidepost scaffold}: connections to names that outlive links, routers, servers and addresses. */
@Command(
        name = "scaffold",
        description = "Connections to names that outlive links, routers, servers and addresses, for the programs of this host as they are.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            GatewayCommand.class,
            ProxyCommand.class,
            RegisterCommand.class,
            DrainCommand.class,
            FlowsCommand.class,
            WaysCommand.class,
            GatewayTop.class,
            ResolveCommand.class,
            KeysCommand.class,
            DelegateCommand.class,
            ScaffoldDemo.class
        },
        footer = {
            "Example:  guidepost scaffold gateway --router 192.0.2.1",
            "          guidepost scaffold register web --port 8080",
            "          curl http://web.svc.internal:8080/"
        })
public final class ScaffoldCommands extends ConsoleCommand {
    @Override
    public Integer call() {
        throw wrong("say what to do: one of " + String.join(", ", spec().subcommands().keySet()));
    }
}
