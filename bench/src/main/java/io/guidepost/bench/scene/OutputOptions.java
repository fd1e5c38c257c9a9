package io.guidepost.bench.scene;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Where the report of a benchmark goes, and in which form. */
public final class OutputOptions {
    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Append the result to a file as Markdown.")
    private @Nullable Path markdown;

    /** Prints a report, and appends it to a file if one is named. */
    public void publish(BenchReport report, CommandSpec command) throws IOException {
        String line = "./guidepost " + command.qualifiedName() + arguments(command);
        String machine = BenchMachine.describe();
        PrintWriter out = command.commandLine().getOut();
        out.print(json ? report.json(line, machine) : report.text() + machine + "\n");
        out.flush();
        if (markdown != null) {
            Files.writeString(
                    markdown,
                    report.markdown(line, machine),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }

    /** Returns the arguments of the command without those that only direct the output. */
    private static String arguments(CommandSpec command) {
        StringBuilder text = new StringBuilder();
        command.commandLine().getParseResult().originalArgs().stream()
                .skip(1)
                .forEach(word -> text.append(' ').append(word));
        return text.toString().replaceAll(" --(json|markdown(=| )\\S+)", "");
    }
}
