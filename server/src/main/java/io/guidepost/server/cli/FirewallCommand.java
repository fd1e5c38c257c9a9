package io.guidepost.server.cli;

import io.guidepost.middlebox.firewall.Action;
import io.guidepost.middlebox.firewall.Classifier;
import io.guidepost.middlebox.firewall.Direction;
import io.guidepost.middlebox.firewall.Firewall;
import io.guidepost.middlebox.firewall.RuleSet;
import io.guidepost.names.FaultyFile;
import io.guidepost.packet.Port;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code guidepost firewall}: passes on between two ports what the rules of a file allow. */
@Command(
        name = "firewall",
        description = {
            "Passes on between two ports what the rules of a file allow. The first rule that fits decides:",
            "  (allow | deny) [in | out] [PROTOCOL] [from SIDE] [to SIDE] [established] [fragment] [log]",
            "  SIDE is any or prefixes, and perhaps \"port\" and ranges:  from 10.0.0.0/8,192.0.2.7 to any port 80,443"
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  guidepost firewall packet:veth0 packet:veth1 --rules rules.txt --reload-on-change"})
final class FirewallCommand implements Callable<Integer>, BoxStage.Report {
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
    private Action otherwise = Action.DENY;

    @Option(
            names = "--arp",
            paramLabel = "ACTION",
            defaultValue = "allow",
            description = "ARP, which rules do not see (default: ${DEFAULT-VALUE}).")
    private Action arp = Action.ALLOW;

    @Option(
            names = "--other",
            paramLabel = "ACTION",
            defaultValue = "deny",
            description = "Other frames that are no IP packets (default: ${DEFAULT-VALUE}).")
    private Action other = Action.DENY;

    @Option(
            names = "--classifier",
            paramLabel = "KIND",
            defaultValue = "auto",
            description = "How rules are found: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Classifier classifier = Classifier.AUTO;

    @Option(names = "--reload-on-change", description = "Reads the rules again when the file has changed.")
    private boolean reload;

    @Mixin
    private BoxOptions options = new BoxOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // Set before it is asked for a report.
    private Firewall firewall;

    private String seen = "";

    @Override
    public Integer call() throws Exception {
        seen = stamp();
        RuleSet set = RuleSet.read(rules, otherwise);
        try (BoxStage stage = new BoxStage(List.of(inside, outside), options)) {
            firewall = new Firewall(set, classifier, new Firewall.Others(arp, other), 2 * stage.queues());
            Port in = stage.port(0);
            Port out = stage.port(1);
            stage.start("firewall", queue -> List.of(
                    firewall.way(in.rx(queue), out.tx(queue), Direction.OUT),
                    firewall.way(out.rx(queue), in.tx(queue), Direction.IN)));
            stage.run(spec.commandLine().getOut(), spec.commandLine().getErr(), this);
        }
        return Exit.DONE;
    }

    /** What changes when the file does. */
    private String stamp() throws IOException {
        return Files.getLastModifiedTime(rules) + " " + Files.size(rules);
    }

    @Override
    public void turn() {
        if (!reload) {
            return;
        }
        PrintWriter err = spec.commandLine().getErr();
        try {
            String now = stamp();
            if (!now.equals(seen)) {
                seen = now;
                firewall.publish(RuleSet.read(rules, otherwise));
                err.println("guidepost: " + rules + " was read again");
            }
        } catch (FaultyFile e) {
            e.faults().forEach(each -> err.println("guidepost: " + each));
            err.println("guidepost: " + e.total() + " faults; the rules from before stay");
        } catch (IOException e) {
            err.println("guidepost: " + Wording.of(e) + "; the rules from before stay");
        }
        err.flush();
    }

    @Override
    public Table table() {
        Table table = new Table("line", "packets", "bytes", "action", "rule");
        for (Firewall.Count each : firewall.counts()) {
            table.row(
                    each.line() == 0 ? "" : each.line(),
                    each.packets(),
                    each.bytes(),
                    each.action() == Action.ALLOW ? "allow" : "deny",
                    each.rule());
        }
        return table;
    }

    @Override
    public Object json() {
        return firewall.counts().stream().map(FirewallCommand::row).toList();
    }

    private static Map<String, Object> row(Firewall.Count count) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("line", count.line());
        row.put("rule", count.rule());
        row.put("allow", count.action() == Action.ALLOW);
        row.put("packets", count.packets());
        row.put("bytes", count.bytes());
        return row;
    }
}
