package io.guidepost.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.server.cli.CommandRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The transcripts of README and of the tutorials are what the commands print: on one demonstration, page after page, the commands
 * are run in their order. Only the last page leaves it other than it was. With the environment variable {@code TEST_REWRITE} set,
 * this test writes anew what differs.
 */
class TranscriptsTest {
    private static final Path ROOT = Path.of("..");

    private static DemoServer server;

    @BeforeAll
    static void start() throws IOException {
        server = DemoServer.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static String shell(String command) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "needs curl");
        Process process = new ProcessBuilder("sh", "-c", command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).replace("\r", "");
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Pattern.compile("'([^']*)'|(\\S+)").matcher(text).results()
                .forEach(each -> words.add(each.group(1) == null ? each.group(2) : each.group(1)));
        return words;
    }

    private static String run(String command) throws IOException {
        if (command.equals("./guidepost serve --demo")) {
            return server.printed();
        }
        if (!command.startsWith("./guidepost ")) {
            String out = server.standard(shell(server.own(command)));
            return out.isEmpty() || out.endsWith("\n") ? out : out + "\n";
        }
        List<String> arguments = words(command.substring("./guidepost ".length()));
        arguments.addAll(server.options(arguments));
        CommandRun ran = CommandRun.of(arguments.toArray(String[]::new));
        return server.standard(ran.out() + ran.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/tutorial.md", "docs/proxidor.md", "docs/proximity.md"})
    void aPageShowsWhatItsCommandsPrint(String name) throws Exception {
        Path file = ROOT.resolve(name);
        String page = Files.readString(file);
        Transcript transcript = Transcript.of(page);
        assertThat(transcript.steps()).as("transcripts of " + name).isNotEmpty();
        List<String> outputs = new ArrayList<>();
        for (Transcript.Step each : transcript.steps()) {
            String output = run(each.command());
            boolean same = Transcript.masked(output).equals(Transcript.masked(each.output()));
            outputs.add(same ? each.output() : output);
            if (System.getenv("TEST_REWRITE") == null) {
                assertThat(Transcript.masked(output))
                        .as(name + ": $ " + each.command() + "; TEST_REWRITE=1 writes it anew")
                        .isEqualTo(Transcript.masked(each.output()));
            }
        }
        if (System.getenv("TEST_REWRITE") != null) {
            Files.writeString(file, transcript.with(page, outputs), StandardCharsets.UTF_8);
        }
    }
}
