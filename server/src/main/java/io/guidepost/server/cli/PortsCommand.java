package io.guidepost.server.cli;

import io.guidepost.packet.device.Ports;
import io.guidepost.server.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code guidepost ports}: the kinds of ports, and which of them this machine has what it takes for. */
@Command(
        name = "ports",
        description = {
            "Shows the kinds of ports for frames, what each needs, and whether this machine has it now.",
            "Each kind is tried with a device that does no harm."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  guidepost ports", "          guidepost serve --port xdp:eth0"})
final class PortsCommand implements Callable<Integer> {
    /** Devices that exist on every machine, or are made for the trial, by kind; and files that exist nowhere. */
    private static final Map<String, String> TRIALS = Map.of(
            "memory", "memory:trial",
            "packet", "packet:lo",
            "xdp", "xdp:lo,mode=generic,redirect=udp:9,oversize=drop",
            "tap", "tap:gptrial%d",
            "tun", "tun:gptrial%d",
            "dpdk", "dpdk:net_null0");

    private record Row(String kind, String purpose, String needs, String here) {}

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Option(names = "--no-trial", description = "Only says what each needs, and tries none.")
    private boolean noTrial;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Row> rows = new ArrayList<>();
        for (Ports.Kind kind : Ports.KINDS) {
            rows.add(new Row(kind.name(), kind.purpose(), kind.needs(), noTrial ? "not tried" : here(kind.name())));
        }
        if (json) {
            List<Object> list = new ArrayList<>();
            rows.forEach(each -> list.add(Json.object(
                    "kind", each.kind, "purpose", each.purpose, "needs", each.needs, "here", each.here)));
            spec.commandLine().getOut().print(Json.write(list));
        } else {
            Table table = new Table("kind", "purpose", "needs", "here");
            rows.forEach(each -> table.row(each.kind, each.purpose, each.needs, each.here));
            spec.commandLine().getOut().print(table);
        }
        spec.commandLine().getOut().flush();
        return Exit.DONE;
    }

    private static String here(String kind) {
        String trial = TRIALS.get(kind);
        if (trial == null) {
            return "yes";
        }
        try {
            Ports.open(trial).close();
            return "yes";
        } catch (IOException e) {
            return "no: " + Wording.of(e);
        }
    }
}
