package io.guidepost.server.cli.topology;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** The prompt of the console on a terminal, with history and completion. */
record OraclePrompt(Executor executor, Completion completion) {
    private static final String PROMPT = "Oracle :> ";

    interface Executor {
        boolean execute(String line, PrintWriter out) throws IOException;
    }

    /** Tells what the last word of a line may become. */
    interface Completion {
        List<String> complete(String line) throws IOException;
    }

    /** Reads and carries out lines until {@code exit} or the end of the input. */
    void run() throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .completer((_, line, candidates) -> candidates.addAll(candidates(line)))
                    .variable(LineReader.HISTORY_FILE, history())
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .build();
            while (true) {
                try {
                    String line = reader.readLine(PROMPT).strip();
                    if (line.equals("exit") || line.equals("quit")) {
                        return;
                    }
                    boolean _ = executor.execute(line, terminal.writer());
                } catch (UserInterruptException e) {
                    terminal.writer().println("exit, or Ctrl-D, ends this");
                } catch (EndOfFileException e) {
                    return;
                }
            }
        }
    }

    private List<Candidate> candidates(ParsedLine line) {
        try {
            return completion.complete(line.line().substring(0, line.cursor())).stream()
                    .map(Candidate::new)
                    .toList();
        } catch (IOException e) {
            // The next line that is carried out says what is wrong.
            return List.of();
        }
    }

    /** Where programs keep what they may lose (XDG base directories). */
    private static Path history() throws IOException {
        String state = Objects.requireNonNullElse(System.getenv("XDG_STATE_HOME"), "");
        Path home = state.isEmpty() ? Path.of(System.getProperty("user.home"), ".local", "state") : Path.of(state);
        Path folder = home.resolve("guidepost");
        Files.createDirectories(folder);
        return folder.resolve("oracle-history");
    }
}
