package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.base.FaultyFile;
import io.guidepost.proximity.oracle.OracleError.Refusal;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Oracle's console: a line of text in, text out. An empty line lists the commands, an incomplete one gets its help,
 * and a refusal is {@code Error -N: what: why}. Thread-safe.
 */
public final class OracleConsole {
    /** Result of a command without other output. */
    static final String SUCCESS = "operation successful\n";

    /**
     * The result of a line.
     *
     * @param error number of the {@link OracleError}; 0 on success
     * @param text for people, in whole lines
     */
    public record Answer(int error, String text) {}

    private final LiveNetwork live;
    private final ConsoleBackend controls;
    private final OracleGrammar grammar = new OracleGrammar();

    /**
     * Creates a console.
     *
     * @param live the network that it shows and changes
     * @param controls of the server around the network
     */
    public OracleConsole(LiveNetwork live, ConsoleBackend controls) {
        this.live = live;
        this.controls = controls;
        print(new ShowCommands(live));
        edit(new EditCommands(live));
        grammar.row("reload networks|routers|all", "reads the files again", this::reload)
                .row("dump DIRECTORY", "writes the network as configuration files", this::dump)
                .row("thread list", "the workers", _ -> lines(controls.threads()))
                .row("thread delay", "the delay of each before a response", _ -> lines(List.of(
                        controls.settings().threadDelayMillis() + " ms")))
                .row("thread delay MILLIS", "sets the delay of each before a response", this::threadDelay);
    }

    private void print(ShowCommands printing) {
        for (String kind : List.of("src", "ext")) {
            boolean internal = kind.equals("src");
            String help = internal ? "internal networks" : "external networks";
            grammar.row("print networks " + kind, help, _ -> printing.networks(
                            internal, Optional.empty(), Optional.empty()))
                    .row("print networks " + kind + " PREFIX", "those inside a prefix", arguments -> printing.networks(
                            internal, Optional.of(arguments.prefix("PREFIX")), Optional.empty()))
                    .row("print networks " + kind + " PREFIX after LAST", "where a list ended", arguments -> printing.networks(
                            internal, Optional.of(arguments.prefix("PREFIX")), Optional.of(arguments.prefix("LAST"))));
        }
        grammar.row("print router", "all routers", _ -> printing.routers(Optional.empty()))
                .row("print router ROUTER", "one router with its cards and links", printing::router)
                .row("print router after LAST", "where the list ended", arguments -> printing.routers(
                        Optional.of(arguments.address("LAST"))))
                .row("print routes ROUTER", "explicit routes of a router", printing::routes)
                .row("print path FROM TO", "the path between two addresses, and its cost", printing::path)
                .row("print stats", "sizes", _ -> printing.statistics(controls.statistics()))
                .row("print config", "settings", _ -> printing.configuration(controls.settings()));
    }

    private void edit(EditCommands editing) {
        grammar.row("set link ROUTER NIC lat|bw|cong|weight VALUE", "ms, Mbit/s, any, any", editing::setLink)
                .row("set nic ROUTER NIC up|down", "turns a card on or off", editing::setNic)
                .row("set router ROUTER up|down", "turns a router on or off", editing::setRouter)
                .row("set iroutes expl|impl", "paths along the routes, or by weights", editing::setRouting)
                .row("create router ADDRESS NICS", "a router with a number of cards", arguments -> editing.createRouter(
                        arguments, controls.settings().routersMax()))
                .row("create nic ROUTER NIC OWN PEER up|down", "a card, and the address of the card at the other end",
                        editing::createNic)
                .row("create link ROUTER NIC LATENCY BANDWIDTH CONGESTION WEIGHT", "the outgoing link of a card",
                        editing::createLink)
                .row("create route ROUTER NIC DESTINATION", "an explicit route to a router by a card", editing::createRoute)
                .row("create snetwork PREFIX ROUTER NIC", "an internal network", arguments -> editing.createNetwork(
                        arguments, true))
                .row("create enetwork PREFIX ROUTER NIC AS DISTANCE", "an external network", arguments ->
                        editing.createNetwork(arguments, false))
                .row("delete router ROUTER", "with the networks attached to it", editing::deleteRouter)
                .row("delete nic ROUTER NIC", "with the routes that leave by it", editing::deleteNic)
                .row("delete link ROUTER NIC", "the outgoing link of a card", editing::deleteLink)
                .row("delete route ROUTER DESTINATION", "", editing::deleteRoute)
                .row("delete snetwork PREFIX ROUTER NIC", "", arguments -> editing.deleteNetwork(arguments, true))
                .row("delete enetwork PREFIX ROUTER NIC", "", arguments -> editing.deleteNetwork(arguments, false));
    }

    /** Executes one line. */
    public Answer execute(String line) {
        try {
            if (line.length() > OracleLimits.LINE_CHARACTERS_MAX) {
                throw OracleError.TOO_LONG.because("write no more than " + OracleLimits.LINE_CHARACTERS_MAX + " characters");
            }
            List<String> words = OracleGrammar.words(line);
            if (words.isEmpty() || words.equals(List.of("help"))) {
                return new Answer(0, grammar.help());
            }
            OracleGrammar.Parsed parsed = grammar.parse(words);
            OracleArguments arguments = new OracleArguments(parsed, live.read(OperatorNetwork::topology)::named);
            return new Answer(0, parsed.row().action().run(arguments));
        } catch (Refusal e) {
            return new Answer(e.error().number(), e.text().stripTrailing() + "\n");
        }
    }

    /** Returns completions of the last word of a line; after a blank, the possible next words. Bounded. */
    public List<String> complete(String line) {
        return line.length() > OracleLimits.LINE_CHARACTERS_MAX ? List.of() : grammar.complete(line, this::candidates);
    }

    private List<String> candidates(String argument, List<String> before) {
        Topology topology = live.read(OperatorNetwork::topology);
        return switch (argument) {
            case "ROUTER", "DESTINATION" -> topology.routers().keySet().stream().map(Address::toString).toList();
            case "NIC" -> nics(topology, before.getLast());
            default -> List.of();
        };
    }

    private static List<String> nics(Topology topology, String router) {
        for (TopologyRouter each : topology.routers().values()) {
            if (each.id().toString().equals(router)) {
                Stream<Integer> last = each.nicCount() > 0 ? Stream.of(each.nicCount() - 1) : Stream.of();
                return Stream.concat(each.nics().stream().map(Nic::index), last)
                        .distinct()
                        .map(String::valueOf)
                        .toList();
            }
        }
        return List.of();
    }

    private static String lines(List<String> lines) {
        return lines.isEmpty() ? "none\n" : String.join("\n", lines) + "\n";
    }

    private String reload(OracleArguments arguments) throws Refusal {
        try {
            String told = controls.reload(ConsoleBackend.Part.valueOf(arguments.choice(1).toUpperCase(Locale.ROOT)));
            return told.isEmpty() ? SUCCESS : told.stripTrailing() + "\n" + SUCCESS;
        } catch (FaultyFile e) {
            throw OracleError.RELOAD.because("nothing is changed\n" + e.getMessage());
        } catch (IOException e) {
            throw OracleError.RELOAD.because(reason(e));
        }
    }

    /** Writes a copy, so that changes wait no longer than the copy takes. */
    private String dump(OracleArguments arguments) throws Refusal {
        OperatorNetwork copy = live.read(network -> {
            OperatorNetwork same = new OperatorNetwork();
            same.topology(network.topology());
            network.forEach((prefix, attachments) -> attachments.forEach(each -> same.add(prefix, each)));
            return same;
        });
        try {
            List<String> warnings =
                    OracleDump.write(copy, controls.settings(), controls.dumpFolder(arguments.text("DIRECTORY")));
            return String.join("", warnings.stream().map(each -> each + "\n").toList()) + SUCCESS;
        } catch (IOException e) {
            throw OracleError.DUMP.because(reason(e));
        } catch (InvalidPathException e) {
            throw OracleError.DUMP.because("'" + arguments.text("DIRECTORY") + "' is not a directory");
        }
    }

    private String threadDelay(OracleArguments arguments) throws Refusal {
        int millis = arguments.number("MILLIS", OracleError.NUMBER, 0, OracleLimits.THREAD_DELAY_MILLIS_MAX);
        try {
            controls.threadDelay(millis);
            return SUCCESS;
        } catch (IOException e) {
            throw OracleError.THREAD.because(reason(e));
        }
    }

    /** Returns the reason of a failure; exceptions about files often have no more than the name. */
    private static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException e -> e.getFile() + " is not there";
            case AccessDeniedException e -> e.getFile() + " is not accessible";
            case NotDirectoryException e -> e.getFile() + " is not a directory";
            default -> String.valueOf(failure.getMessage());
        };
    }
}
