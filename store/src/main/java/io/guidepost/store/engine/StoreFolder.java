package io.guidepost.store.engine;

import io.guidepost.base.DurableFiles;
import io.guidepost.store.StoreDamagedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a store.
 *
 * <pre>
 *  FOLDER/guidepost-store   text: "guidepost store", "format 1", and "state new" or "state ready"
 *  FOLDER/engine/           the engine's files
 * </pre>
 *
 * <p>Why a state? A store whose engine lost its first file looks like a new one and would be opened empty. Only a
 * folder that never reached {@code ready} may be initialised again.
 */
public final class StoreFolder {
    static final int FORMAT = 1;
    public static final String MARK = "guidepost-store";
    private static final String TITLE = "guidepost store";

    private final Path folder;

    StoreFolder(Path folder) {
        this.folder = folder;
    }

    /** Returns the layout of a folder, which is created if missing. */
    public static StoreFolder open(Path folder) throws IOException {
        StoreFolder layout = new StoreFolder(folder);
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new StoreDamagedException(folder, "this is a file, not a folder", "Name a folder for the store");
        }
        DurableFiles.createFolders(folder);
        if (!Files.exists(layout.mark())) {
            layout.begin();
        } else if (layout.isNew()) {
            layout.deleteEngine();
        } else if (!Files.exists(layout.engine().resolve("CURRENT"))) {
            throw new StoreDamagedException(
                    layout.engine().resolve("CURRENT"),
                    "the file is missing, without which the engine's files mean nothing",
                    StoreDamagedException.RESTORE);
        }
        return layout;
    }

    Path engine() {
        return folder.resolve("engine");
    }

    private Path mark() {
        return folder.resolve(MARK);
    }

    private void begin() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Path foreign = files.filter(each -> !each.getFileName().toString().startsWith(MARK))
                    .findFirst()
                    .orElse(null);
            if (foreign != null) {
                throw new StoreDamagedException(
                        folder,
                        "this is not a store of Guidepost: it holds " + foreign.getFileName() + " but no file " + MARK,
                        "Name an empty folder, or one that does not exist");
            }
        }
        writeMark(folder, "new");
    }

    boolean isNew() throws IOException {
        return state().equals("new");
    }

    void ready() throws IOException {
        if (isNew()) {
            writeMark(folder, "ready");
        }
    }

    private String state() throws IOException {
        String text = new String(Files.readAllBytes(mark()), StandardCharsets.UTF_8);
        List<String> lines = text.lines().toList();
        if (lines.size() != 3
                || !lines.get(0).equals(TITLE)
                || !lines.get(1).startsWith("format ")
                || !lines.get(2).startsWith("state ")) {
            throw new StoreDamagedException(
                    mark(), "the file should hold three lines: title, format, state", StoreDamagedException.RESTORE);
        }
        if (!lines.get(1).equals("format " + FORMAT)) {
            throw new StoreDamagedException(
                    mark(),
                    "the store has " + lines.get(1) + "; this version of Guidepost reads format " + FORMAT,
                    "Open it with the version that wrote it, or a later one");
        }
        String state = lines.get(2).substring("state ".length());
        if (!state.equals("new") && !state.equals("ready")) {
            throw new StoreDamagedException(mark(), "the state is '" + state + "', not new or ready", StoreDamagedException.RESTORE);
        }
        return state;
    }

    /** Writes the marker of a store. */
    public static void writeMark(Path folder, String state) throws IOException {
        String text = TITLE + "\nformat " + FORMAT + "\nstate " + state + "\n";
        DurableFiles.write(folder.resolve(MARK), text.getBytes(StandardCharsets.UTF_8));
    }

    private void deleteEngine() throws IOException {
        if (!Files.exists(engine())) {
            return;
        }
        try (Stream<Path> files = Files.list(engine())) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
    }
}
