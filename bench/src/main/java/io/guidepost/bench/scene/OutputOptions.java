package io.guidepost.bench.scene;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Where the report of a benchmark goes, and in which form. */
public final class OutputOptions {
    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Append the result to a file as Markdown.")
    private @Nullable Path markdown;

    @Option(names = "--save", description = "Write the result to bench/results, for ./guidepost bench report.")
    private boolean save;

    @Option(
            names = "--save-as",
            paramLabel = "NAME",
            description = "The same under a name of its own, for a run with other options (default: the name of the command).")
    private @Nullable String saveAs;

    @Mixin
    private ResultsFolder results = new ResultsFolder();

    /** Prints a report, and appends it to a file or saves it where that is wanted. */
    public void publish(BenchReport report, CommandSpec command) throws IOException {
        String arguments = arguments(command);
        String line = "./guidepost " + command.qualifiedName() + arguments;
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
        if (save || saveAs != null) {
            OptionSpec rounds = command.findOption("--rounds");
            results.save(
                    saveAs == null ? command.name() : saveAs,
                    BenchResult.of(
                            report, command.name(), arguments.strip(), rounds == null ? 0 : rounds.<Integer>getValue()));
        }
    }

    /** Returns the arguments of the command without those that only direct the output. */
    private static String arguments(CommandSpec command) {
        StringBuilder text = new StringBuilder();
        command.commandLine().getParseResult().originalArgs().stream()
                .skip(1)
                .forEach(word -> text.append(' ').append(word));
        return text.toString().replaceAll(" --(json|save|(markdown|save-as|results)(=| )\\S+)(?= |$)", "");
    }
}
