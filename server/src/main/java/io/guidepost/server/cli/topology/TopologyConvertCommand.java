package io.guidepost.server.cli.topology;

import io.guidepost.proximity.input.LoadedNetwork;
import io.guidepost.proximity.oracle.OracleDump;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guidepost topology convert}: writes what files say in another form. */
@Command(
        name = "convert",
        description = "Reads files and writes what they say as configuration files of the Oracle.",
        footer = "Example:  guidepost topology convert routers.graphml prefixes.csv.gz --to oracle conf/")
final class TopologyConvertCommand extends ConsoleCommand {
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

    @Override
    public Integer call() throws Exception {
        if (!to[0].equals("oracle")) {
            throw wrong("--to is '" + to[0] + "': the only form is oracle");
        }
        LoadedNetwork loaded = topology.read();
        Path folder = Path.of(to[1]);
        PrintWriter err = err();
        loaded.warnings().forEach(each -> err.println("warning: " + each));
        OracleDump.write(loaded.network(), loaded.settings().orElse(OracleSettings.DEFAULTS), folder)
                .forEach(each -> err.println("warning: " + each));
        PrintWriter out = out();
        out.print(loaded.summary());
        out.println("written: " + folder.resolve(OracleDump.MAIN_FILE));
        out.flush();
        return ExitCode.DONE;
    }
}
