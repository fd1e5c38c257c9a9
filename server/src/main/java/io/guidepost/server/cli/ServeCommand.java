package io.guidepost.server.cli;

import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.takeover.UpgradeProcess;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost serve}: runs a server until it is told to end. */
@Command(
        name = "serve",
        description = "Runs a server until Ctrl-C or SIGTERM; SIGHUP reloads, as guidepost reload does.",
        footer = {
            "Example:  guidepost serve --demo",
            "          guidepost serve --demo --sites 3",
            "          guidepost serve --config guidepost.toml --set store.durability=os",
            "          guidepost serve --port xdp:eth0        (the fast path; guidepost ports tells the kinds)"
        })
final class ServeCommand extends ConsoleCommand {
    @Mixin
    private final ConfigurationOptions options = new ConfigurationOptions();

    @Option(
            names = "--demo",
            description = "On loopback, with sample records, in a temporary folder that is deleted at the end.")
    private boolean demo;

    @Option(
            names = "--sites",
            paramLabel = "N",
            defaultValue = "1",
            description = "Servers of the demonstration, 1 to 9, at 127.0.0.1 and on: each keeps a part of the records.")
    private int sites;

    @Option(
            names = "--port",
            paramLabel = "KIND:DEVICE[,KEY=VALUE]...",
            description = {
                "Answers on a network device too, as packet.ports does; may be repeated.",
                "xdp:eth0 shares the kernel's addresses; others need one: packet:eth0,address=10.0.0.2/24"
            })
    private List<String> ports = new ArrayList<>();

    @Option(
            names = UpgradeProcess.OPTION,
            description = {
                "Takes over from the server that runs with the same store, and ends it: see guidepost upgrade.",
                "Where this fails, that server goes on."
            })
    private boolean takeOver;

    @Override
    public Integer call() throws Exception {
        if (sites > 1 && !ports.isEmpty()) {
            throw wrong("--port is for one server; leave out --sites");
        }
        if (sites < 1 || sites > ServerDemo.SITES_MAX || sites > 1 && !demo) {
            throw wrong(demo
                    ? "--sites is " + sites + "; it must be 1 to " + ServerDemo.SITES_MAX
                    : "--sites is for --demo; servers of your own are started each by itself, see docs/sites.md");
        }
        if (takeOver && demo) {
            throw wrong("--take-over is not for --demo");
        }
        List<String> settings =
                ports.isEmpty() ? List.of() : List.of(ConfigurationKeys.PACKET_PORTS.name() + "=" + String.join(";", ports));
        return new ServerProcess(options, settings, demo ? sites : 0, takeOver, out()).run(null);
    }
}
