package io.guidepost.server.cli.fleet;

import io.guidepost.names.Name;
import io.guidepost.server.cli.support.ConfigurationOptions;
import io.guidepost.server.cli.support.ConsoleCommand;
import io.guidepost.server.cli.support.ExitCode;
import io.guidepost.server.cli.support.ProgressLine;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.server.fleet.FleetService;
import io.guidepost.store.RecordChanges;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code guidepost fleet export}: the names of a store into a file. */
@Command(
        name = "export",
        description = {
            "Writes all names of GNRS in the store that the configuration names, a cluster or files that no server has open, to a file for"
                    + " guidepost fleet import. Servers of a cluster go on meanwhile.",
            "Names that follow from handles are left out: handles move with guidepost export handle."
        },
        footer = "Example:  guidepost fleet export names.gpn --set store.folder=/var/lib/guidepost")
final class FleetExportCommand extends ConsoleCommand {
    /** Names of one visit, as a store in files may hold back others for as long as it takes. */
    private static final int VISIT_MAX = 10_000;

    @Parameters(index = "0", paramLabel = "FILE", description = "A file that does not exist yet.")
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private Path file;

    @Mixin
    private ConfigurationOptions options = new ConfigurationOptions();

    private long damaged;
    private long derived;

    @Override
    public Integer call() throws Exception {
        Configuration configuration = options.load();
        Path folder = configuration.get(ConfigurationKeys.STORE_FOLDER).toAbsolutePath();
        if (!StoreConfiguration.isShared(configuration) && !Files.isDirectory(folder)) {
            throw wrong("there is no store in " + folder + ": say store.folder, or store.engine and fleet.contact-points");
        }
        long written;
        try (FleetService others = FleetService.ofCommand(configuration);
                RecordStore store = StoreConfiguration.open(
                        configuration, StoreConfiguration.of(configuration), null, others.invalidations());
                NameFileWriter out = NameFileWriter.create(file);
                ProgressLine progress = new ProgressLine(err(), "names")) {
            export(store, out, progress);
            out.end();
            written = out.written();
        }
        print("wrote " + written + " names to " + file + "; " + derived + " follow from handles\n");
        if (damaged > 0) {
            err().println("guidepost: " + damaged + " names are damaged, and were left out");
        }
        return damaged == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void export(RecordStore store, NameFileWriter out, ProgressLine progress) throws IOException {
        byte[][] last = {null};
        int[] visited = {VISIT_MAX};
        boolean[] left = {false};
        long now = System.currentTimeMillis();
        try {
            while (!left[0] && visited[0] == VISIT_MAX) {
                visited[0] = 0;
                store.images(last[0], (key, image) -> {
                    if (key[0] != Name.Namespace.GUID.code()) {
                        left[0] = key[0] > Name.Namespace.GUID.code();
                        return !left[0];
                    }
                    last[0] = key;
                    write(key, image, now, out);
                    return ++visited[0] < VISIT_MAX;
                });
                progress.at(0, out.written());
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void write(byte[] key, byte[] image, long now, NameFileWriter out) {
        @Nullable String why = null;
        try {
            if (image.length > 1 && (image[1] & RecordImage.DERIVED) != 0) {
                derived++;
                return;
            }
            if (RecordChanges.live(image, now).isEmpty()) {
                return;
            }
        } catch (IOException e) {
            why = e.getMessage();
        }
        if (why != null) {
            damaged++;
            err().println("guidepost: left out the name " + HexFormat.of().formatHex(key, 1, key.length) + ": " + why);
            return;
        }
        try {
            out.write(image);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
