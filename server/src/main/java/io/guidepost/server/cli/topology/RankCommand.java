package io.guidepost.server.cli.topology;

import io.guidepost.alto.client.AltoClient;
import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.protocol.RankClient;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Prefix;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProxidorOptions;
import io.guidepost.server.cli.support.TerminalCheck;
import io.guidepost.web.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost rank}: which of these is nearest? */
@Command(
        name = "rank",
        description = {
            "Asks a server which of some addresses or prefixes are nearest, and prints them in that order.",
            "Without any it reads them from a pipe. One question has room for 363 IPv4 or 90 IPv6 addresses; longer lists",
            "take several questions, whose answers are merged."
        },
        footer = {
            "Example:  guidepost rank 192.0.2.1 198.51.100.7 2001:db8::1",
            "          dig +short cdn.example.net | guidepost rank --json",
            "Exit code: 3 if the server knows none of them"
        })
public final class RankCommand extends ConsoleCommand {
    /** How often a question is asked; a datagram may get lost. */
    private static final int ATTEMPTS = 3;

    @Parameters(
            paramLabel = "CANDIDATE",
            arity = "0..*",
            description = "Addresses or prefixes, of IPv4 and IPv6.")
    private List<Candidate> given = List.of();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Reads them from a file, with white space between them; '#' begins a comment, '-' is standard input.")
    private @Nullable Path file;

    @Mixin
    private ProxidorOptions server = new ProxidorOptions();

    @Option(
            names = "--alto",
            paramLabel = "URI",
            description = "Asks a server of ALTO instead, such as http://127.0.0.1:5082; its directory says what it tells.")
    private @Nullable URI alto;

    @Option(
            names = "--explain",
            description = "Asks the admin port why: path, metrics and cost of each.")
    private boolean explain;

    @Mixin
    private AdminOptions admin = new AdminOptions();

    @Option(names = "--json", description = "As JSON.")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        List<Candidate> candidates = candidates();
        if (candidates.isEmpty()) {
            throw wrong("say which addresses: as arguments, with --file, or by a pipe");
        }
        return explain ? explained(candidates) : ranked(candidates);
    }

    private List<Candidate> candidates() throws IOException, FaultyFile {
        List<Candidate> all = new ArrayList<>(given);
        if (file != null && !file.toString().equals("-")) {
            try (BufferedReader in = Files.newBufferedReader(file)) {
                all.addAll(CandidateLines.read(in, file.toString()));
            }
        } else if (file != null || given.isEmpty() && !TerminalCheck.isThere()) {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            all.addAll(CandidateLines.read(in, "standard input"));
        }
        return all;
    }

    /** Over HTTP it asks once, and waits as long as for all attempts over UDP. */
    private RankClient client() throws IOException {
        return alto == null
                ? server.open(ATTEMPTS)
                : new AltoClient(alto, HttpClient.newHttpClient(), server.timeout().multipliedBy(ATTEMPTS));
    }

    private int ranked(List<Candidate> candidates) throws IOException {
        RankClient.Ranked ranked;
        try (RankClient client = client()) {
            ranked = client.rank(candidates, server.source());
        }
        List<Candidate> unknown = new ArrayList<>(candidates);
        ranked.order().forEach(unknown::remove);
        PrintWriter out = out();
        if (json) {
            out.print(JsonWriter.text(JsonWriter.object(
                    "ranked", ranked.order().stream().map(Candidate::toString).toList(),
                    "unknown", unknown.stream().map(Candidate::toString).toList(),
                    "ttlSeconds", ranked.ttlSeconds(),
                    "questions", ranked.questions(),
                    "sourceIgnored", ranked.sourceIgnored())));
        } else {
            ranked.order().forEach(out::println);
            if (!unknown.isEmpty()) {
                err().println("guidepost: the server does not know " + unknown.size() + " of "
                        + candidates.size() + ": " + some(unknown));
            }
        }
        out.flush();
        if (ranked.sourceIgnored()) {
            err().println("guidepost: ranked for this machine, not for " + server.source().map(Prefix::toString).orElse("")
                    + ": the server accepts another source only from the networks of proxidor.trusted");
        }
        return ranked.order().isEmpty() ? ExitCode.NOT_FOUND : ExitCode.DONE;
    }

    private static String some(List<Candidate> candidates) {
        int shown = 5;
        String text = String.join(
                ", ", candidates.stream().limit(shown).map(Candidate::toString).toList());
        return candidates.size() > shown ? text + ", ..." : text;
    }

    private int explained(List<Candidate> candidates) throws IOException {
        RankExplanationText explanation = RankExplanationText.ask(admin, server, candidates);
        print(json ? explanation.json() : explanation.table());
        return explanation.isEmpty() ? ExitCode.NOT_FOUND : ExitCode.DONE;
    }
}
