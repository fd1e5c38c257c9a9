package io.guidepost.server.cli.boxes;

import io.guidepost.middlebox.firewall.ClassifierKind;
import io.guidepost.middlebox.firewall.Firewall;
import io.guidepost.middlebox.firewall.RuleAction;
import io.guidepost.middlebox.firewall.RuleDirection;
import io.guidepost.middlebox.firewall.RuleSet;
import io.guidepost.packet.Port;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost firewall}: passes on between two ports what the rules of a file allow. */
@Command(
        name = "firewall",
        description = {
            "Passes on between two ports what the rules of a file allow. The first rule that fits decides:",
            "  (allow | deny) [in | out] [PROTOCOL] [from SIDE] [to SIDE] [established] [fragment] [log]",
            "  SIDE is any or prefixes, and perhaps \"port\" and ranges:  from 10.0.0.0/8,192.0.2.7 to any port 80,443"
        },
        footer = "Example:  guidepost firewall packet:veth0 packet:veth1 --rules rules.txt --reload-on-change")
public final class FirewallCommand extends BoxCommand {
    @Parameters(index = "0", paramLabel = "INSIDE", description = "Port that is protected, as KIND:DEVICE.")
    private String inside = "";

    @Parameters(index = "1", paramLabel = "OUTSIDE", description = "Port to the others.")
    private String outside = "";

    @Option(names = "--rules", required = true, paramLabel = "FILE", description = "The rules.")
    private Path rules = Path.of("");

    @Option(
            names = "--default",
            paramLabel = "ACTION",
            defaultValue = "deny",
            description = "What no rule fits: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private RuleAction otherwise = RuleAction.DENY;

    @Option(
            names = "--arp",
            paramLabel = "ACTION",
            defaultValue = "allow",
            description = "ARP, which rules do not see (default: ${DEFAULT-VALUE}).")
    private RuleAction arp = RuleAction.ALLOW;

    @Option(
            names = "--other",
            paramLabel = "ACTION",
            defaultValue = "deny",
            description = "Other frames that are no IP packets (default: ${DEFAULT-VALUE}).")
    private RuleAction other = RuleAction.DENY;

    @Option(
            names = "--classifier",
            paramLabel = "KIND",
            defaultValue = "auto",
            description = "How rules are found: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private ClassifierKind classifier = ClassifierKind.AUTO;

    @Option(names = "--reload-on-change", description = "Reads the rules again when the file has changed.")
    private boolean reload;

    @SuppressWarnings("NullAway.Init") // Set before it is asked for a report.
    private Firewall firewall;

    @Override
    void box() throws Exception {
        watch(rules);
        RuleSet set = RuleSet.read(rules, otherwise);
        try (BoxRunner stage = open(List.of(inside, outside))) {
            for (Port port : stage.ports()) {
                if (port.bypass().isPresent()) {
                    throw new IOException(port.name() + ": " + port.bypass().get()
                            + ", so that they pass by the rules; a firewall starts when that setting is changed");
                }
            }
            firewall = new Firewall(set, classifier, new Firewall.Others(arp, other), 2 * stage.queues());
            Port in = stage.port(0);
            Port out = stage.port(1);
            stage.start("firewall", queue -> List.of(
                    firewall.way(in.rx(queue), out.tx(queue), RuleDirection.OUT),
                    firewall.way(out.rx(queue), in.tx(queue), RuleDirection.IN)));
            run(stage);
        }
    }

    @Override
    void turn() {
        if (reload) {
            reloadIfChanged("rules", file -> firewall.publish(RuleSet.read(file, otherwise)));
        }
    }

    @Override
    TextTable table() {
        TextTable table = new TextTable("line", "packets", "bytes", "action", "rule");
        for (Firewall.Count each : firewall.counts()) {
            table.row(
                    each.line() == 0 ? "" : each.line(),
                    each.packets(),
                    each.bytes(),
                    each.action() == RuleAction.ALLOW ? "allow" : "deny",
                    each.rule());
        }
        return table;
    }

    @Override
    Object json() {
        return firewall.counts().stream().map(FirewallCommand::row).toList();
    }

    private static Map<String, Object> row(Firewall.Count count) {
        return JsonWriter.object(
                "line", count.line(),
                "rule", count.rule(),
                "allow", count.action() == RuleAction.ALLOW,
                "packets", count.packets(),
                "bytes", count.bytes());
    }
}
