package io.guidepost.bench.scene;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Renders docs/benchmarks.md. */
@Command(
        name = "report",
        description = {
            "Renders the tables of docs/benchmarks.md from the results that --save wrote. The text around the tables stays.",
            "",
            "Example: ./guidepost bench c --save && ./guidepost bench report"
        },
        mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {
    @Option(names = "--page", paramLabel = "FILE", description = "The page (default: docs/benchmarks.md of the checkout).")
    private Path page = Path.of(System.getProperty("guidepost.bench.page", "docs/benchmarks.md"));

    @Mixin
    private ResultsFolder results = new ResultsFolder();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        String before = Files.readString(page);
        String after = ResultsPage.render(before, results::read);
        Files.writeString(page, after);
        command.commandLine().getOut().println(page + (after.equals(before) ? " is up to date" : " has new tables"));
        return 0;
    }
}
