package io.guidepost.server.cli.handle;

import io.guidepost.base.FaultyFile;
import io.guidepost.handle.transfer.HandleImport;
import io.guidepost.handle.transfer.ImportReport;
import io.guidepost.handle.transfer.ImportSource;
import io.guidepost.handle.transfer.ServerFolder;
import io.guidepost.handle.transfer.SqlTableReader;
import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.server.cli.support.TextTable;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.handle.HandleStore;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code guidepost import handle}: moves an existing server of handles in. */
@Command(
        name = "handle",
        description = {
            "Moves an existing server of handles in: its settings and keys from its folder, its records from a dump in JSON,"
                    + " a batch file, or a database.",
            "No server may have the store open meanwhile. An import that was broken off goes on where it was when the same"
                    + " command is given again. Nothing is written to the existing server's folder."
        },
        footer = {
            "Example:  guidepost import handle /opt/hs/svr_1 dump.json --write-config guidepost.toml",
            "          guidepost import handle records.batch --report skipped.txt",
            "          guidepost import handle jdbc:postgresql://db/handle --driver postgresql.jar --user hs --password-file pw"
        })
final class ImportHandleCommand extends ConsoleCommand {
    /** Lines that are told of what was left out; a report in a file has all. */
    private static final int TOLD_MAX = 20;

    @Parameters(
            index = "0..*",
            arity = "1..*",
            paramLabel = "SOURCE",
            description = "The folder of an existing server, dumps in JSON, batch files, or jdbc:... of a database.")
    private List<String> sources = List.of();

    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    @Option(
            names = "--write-config",
            paramLabel = "FILE",
            description = "Writes the existing server's settings to a file that does not exist, and uses them; else they are"
                    + " only shown.")
    private @Nullable Path writeConfig;

    @Option(names = "--keep", description = "Leaves records as they are that are there already; else they are replaced.")
    private boolean keep;

    @Option(names = "--report", paramLabel = "FILE", description = "Writes all that is left out, and why, to this file.")
    private @Nullable Path report;

    @Option(names = "--driver", paramLabel = "JAR", description = "The database's JDBC driver; may be repeated.")
    private List<Path> drivers = List.of();

    @Option(names = "--user", paramLabel = "NAME", description = "User of the database.")
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "File whose first line is that user's password.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--prefixes-sql",
            paramLabel = "SQL",
            description = "Another statement for the prefix handles: their name is its first column.")
    private String prefixesSql = SqlTableReader.Statements.CUSTOMARY.prefixes();

    @Option(
            names = "--values-sql",
            paramLabel = "SQL",
            description = "Another statement for the values; the columns have their customary names, those of a handle follow"
                    + " each other.")
    private String valuesSql = SqlTableReader.Statements.CUSTOMARY.values();

    @Option(names = "--json", description = "Says the counts as JSON.")
    private boolean json;

    private final List<String> settings = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        List<Opener> openers = new ArrayList<>();
        for (String each : sources) {
            openers.addAll(openers(each));
        }
        List<String> withFile = writeConfig == null ? List.of() : settings;
        Configuration configuration = options.load(withFile);
        PrintWriter err = err();
        Told told = new Told(err, report == null ? null : new PrintWriter(Files.newBufferedWriter(report)));
        ImportReport counts = new ImportReport(told::line);
        try (told;
                HandleStore store = HandleStore.open(configuration)) {
            HandleImport moving = new HandleImport(store.records(), store.homes(), keep, counts);
            for (Opener each : openers) {
                try (ImportSource source = each.open();
                        ProgressLine progress = new ProgressLine(err, "handles")) {
                    long done = moving.done(source);
                    if (done > 0) {
                        err.println("guidepost: going on behind the " + done + " that were done before");
                    }
                    moving.run(source, (from, count) -> progress.at(from.fraction(), count));
                }
            }
        }
        tell(counts, configuration.get(ConfigurationKeys.STORE_FOLDER).toAbsolutePath());
        if (told.count() > TOLD_MAX && report == null) {
            err.println("guidepost: and " + (told.count() - TOLD_MAX) + " more; --report FILE tells them all");
        }
        return counts.get(ImportReport.Count.SKIPPED) == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    /** Opens a source when its turn comes. */
    private interface Opener {
        ImportSource open() throws IOException;
    }

    private List<Opener> openers(String source) throws IOException, FaultyFile {
        if (source.startsWith("jdbc:")) {
            return List.of(() -> database(source, user == null ? "" : user, HandleOptions.firstLine(passwordFile)));
        }
        Path path = Path.of(source);
        if (Files.isDirectory(path)) {
            return folder(path);
        }
        // Looked at before the store is opened, so that a wrong name costs nothing.
        ImportSource.open(path).close();
        return List.of(() -> ImportSource.open(path));
    }

    private ImportSource database(String url, String name, String password) throws IOException {
        Properties login = new Properties();
        if (!name.isEmpty()) {
            login.setProperty("user", name);
            login.setProperty("password", password);
        }
        return SqlTableReader.open(url, login, new SqlTableReader.Statements(prefixesSql, valuesSql), loader());
    }

    private ClassLoader loader() throws MalformedURLException {
        URL[] jars = new URL[drivers.size()];
        for (int i = 0; i < jars.length; i++) {
            jars[i] = drivers.get(i).toUri().toURL();
        }
        // Lives as long as the process: the driver's classes are needed to the end.
        return new URLClassLoader(jars, ImportHandleCommand.class.getClassLoader());
    }

    private List<Opener> folder(Path path) throws IOException, FaultyFile {
        ServerFolder server = ServerFolder.read(path);
        HandleFolderMigration moved = new HandleFolderMigration(server);
        PrintWriter err = err();
        server.notes().forEach(each -> err.println("guidepost: " + each));
        if (writeConfig == null) {
            out().print(json ? "" : moved.toml() + "\n");
        } else {
            moved.write(writeConfig);
            settings.addAll(moved.settings(writeConfig));
        }
        if (server.database().isPresent()) {
            ServerFolder.Database database = server.database().get();
            return List.of(() -> database(database.url(), database.user(), database.password()));
        }
        if (sources.size() == 1) {
            err.println("guidepost: the records of " + path + " are in files that only its own tools read: dump them with"
                    + " its tool for that (net.handle.apps.tools.StorageToJson or hdl-dbtool), and name the dump behind"
                    + " the folder");
        }
        return List.of();
    }

    private void tell(ImportReport counts, Path folder) {
        print(json
                ? JsonWriter.text(JsonWriter.object(
                        "created", counts.get(ImportReport.Count.CREATED),
                        "replaced", counts.get(ImportReport.Count.REPLACED),
                        "unchanged", counts.get(ImportReport.Count.UNCHANGED),
                        "kept", counts.get(ImportReport.Count.KEPT),
                        "deleted", counts.get(ImportReport.Count.DELETED),
                        "homed", counts.get(ImportReport.Count.HOMED),
                        "unhomed", counts.get(ImportReport.Count.UNHOMED),
                        "skipped", counts.get(ImportReport.Count.SKIPPED),
                        "doneBefore", counts.resumedCount(),
                        "folder", folder))
                : new TextTable("created", "replaced", "unchanged", "kept", "deleted", "prefixes", "skipped")
                                .row(
                                        counts.get(ImportReport.Count.CREATED),
                                        counts.get(ImportReport.Count.REPLACED),
                                        counts.get(ImportReport.Count.UNCHANGED),
                                        counts.get(ImportReport.Count.KEPT),
                                        counts.get(ImportReport.Count.DELETED),
                                        counts.get(ImportReport.Count.HOMED),
                                        counts.get(ImportReport.Count.SKIPPED))
                        + "in " + folder + "\n");
    }

    /** Tells what was left out: the first of it to people, all of it to a file if there is one. */
    private static final class Told implements AutoCloseable {
        private final PrintWriter err;
        private final @Nullable PrintWriter all;
        private long count;

        Told(PrintWriter err, @Nullable PrintWriter all) {
            this.err = err;
            this.all = all;
        }

        void line(String text) {
            if (count++ < TOLD_MAX) {
                err.println("guidepost: left out " + text);
            }
            if (all != null) {
                all.println(text);
            }
        }

        long count() {
            return count;
        }

        @Override
        public void close() {
            if (all != null) {
                all.close();
            }
        }
    }
}
