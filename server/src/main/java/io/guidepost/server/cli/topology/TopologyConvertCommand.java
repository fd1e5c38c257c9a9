package io.guidepost.server.cli.topology;

import io.guidepost.proximity.input.LoadedNetwork;
import io.guidepost.proximity.oracle.OracleDump;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.server.cli.support.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code guidepost topology convert}: writes what files say in another form. */
@Command(
        name = "convert",
        description = "Reads files and writes what they say as configuration files of the Oracle.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:  guidepost topology convert routers.graphml prefixes.csv.gz --to oracle conf/"})
final class TopologyConvertCommand implements Callable<Integer> {
    @Mixin
    private TopologyOptions topology = new TopologyOptions();

    @Option(
            names = "--to",
            required = true,
            arity = "2",
            paramLabel = "FORM FOLDER",
            hideParamSyntax = true,
            description = "The form, oracle, and the folder where the files go; its main file is oracle.conf.")
    private String[] to = {};

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (!to[0].equals("oracle")) {
            throw new ParameterException(spec.commandLine(), "--to is '" + to[0] + "': the only form is oracle");
        }
        LoadedNetwork loaded = topology.read();
        Path folder = Path.of(to[1]);
        PrintWriter err = spec.commandLine().getErr();
        loaded.warnings().forEach(each -> err.println("warning: " + each));
        OracleDump.write(loaded.network(), loaded.settings().orElse(OracleSettings.DEFAULTS), folder)
                .forEach(each -> err.println("warning: " + each));
        PrintWriter out = spec.commandLine().getOut();
        out.print(loaded.summary());
        out.println("written: " + folder.resolve(OracleDump.MAIN_FILE));
        out.flush();
        return ExitCode.DONE;
    }
}
