package io.guidepost.store.engine;

import io.guidepost.base.DurableFiles;
import io.guidepost.base.Sha256;
import io.guidepost.store.StoreDamagedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * An online backup: a consistent copy of a store that kept running.
 *
 * <pre>
 *  BACKUP/engine/            the engine's files at one moment
 *  BACKUP/guidepost-backup   text, written last: "guidepost backup", "format 1", then for each file a line of
 *                            SHA-256 in hexadecimal, size in bytes, and name, with one space between
 * </pre>
 */
public final class StoreBackup {
    static final String MANIFEST = "guidepost-backup";
    private static final String TITLE = "guidepost backup";
    private static final String REMEDY = "Take another backup: this one cannot be restored";

    private record Entry(String sum, long size, String name) {}

    private StoreBackup() {}

    public static void write(StorageEngine engine, Path folder) throws IOException {
        if (Files.exists(folder)) {
            throw new IOException(folder + " exists already: a backup goes to a folder of its own");
        }
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            DurableFiles.createFolders(parent);
        }
        Files.createDirectory(folder);
        Path files = folder.resolve("engine");
        // Synced, with its names.
        engine.checkpoint(files);
        StringBuilder text = new StringBuilder(TITLE + "\nformat " + StoreFolder.FORMAT + "\n");
        for (Path each : list(files)) {
            text.append(sum(each) + ' ' + Files.size(each) + ' ' + each.getFileName() + '\n');
        }
        DurableFiles.write(folder.resolve(MANIFEST), text.toString().getBytes(StandardCharsets.UTF_8));
        DurableFiles.syncParent(folder);
    }

    public static void restore(Path backup, Path folder) throws IOException {
        List<Entry> entries = manifest(backup);
        Path files = backup.resolve("engine");
        for (Entry each : entries) {
            check(files.resolve(each.name), each);
        }
        if (Files.exists(folder) && !list(folder).isEmpty()) {
            throw new StoreDamagedException(
                    folder,
                    "the folder is not empty, and a restore overwrites nothing",
                    "Name a folder that does not exist");
        }
        Path target = folder.resolve("engine");
        DurableFiles.createFolders(folder);
        Files.createDirectory(target);
        for (Entry each : entries) {
            Path copy = target.resolve(each.name);
            Files.copy(files.resolve(each.name), copy);
            check(copy, each);
            DurableFiles.sync(copy);
        }
        DurableFiles.syncFolder(target);
        StoreFolder.writeMark(folder, "ready");
    }

    private static List<Entry> manifest(Path backup) throws IOException {
        Path manifest = backup.resolve(MANIFEST);
        if (!Files.exists(manifest)) {
            throw new StoreDamagedException(
                    manifest, "the file is missing: this is no backup, or one that was never finished", REMEDY);
        }
        List<String> lines = new String(Files.readAllBytes(manifest), StandardCharsets.UTF_8).lines().toList();
        if (lines.size() < 2 || !lines.get(0).equals(TITLE) || !lines.get(1).equals("format " + StoreFolder.FORMAT)) {
            throw new StoreDamagedException(
                    manifest, "the file should begin with '" + TITLE + "' and 'format " + StoreFolder.FORMAT + "'", REMEDY);
        }
        List<Entry> entries = new ArrayList<>();
        for (int i = 2; i < lines.size(); i++) {
            String[] parts = lines.get(i).split(" ", -1);
            if (parts.length != 3
                    || !parts[1].matches("\\d{1,18}")
                    || !parts[2].matches("[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
                throw new StoreDamagedException(manifest, "line " + (i + 1) + " is not a sum, a size and a file name", REMEDY);
            }
            entries.add(new Entry(parts[0], Long.parseLong(parts[1]), parts[2]));
        }
        if (entries.stream().noneMatch(each -> each.name.equals("CURRENT"))) {
            throw new StoreDamagedException(manifest, "the list does not name the file CURRENT", REMEDY);
        }
        return entries;
    }

    private static void check(Path file, Entry entry) throws IOException {
        if (!Files.exists(file)) {
            throw new StoreDamagedException(file, "the backup's list names this file, but it is missing", REMEDY);
        }
        if (Files.size(file) != entry.size) {
            throw new StoreDamagedException(
                    file, "the file has " + Files.size(file) + " bytes, the backup's list says " + entry.size, REMEDY);
        }
        if (!sum(file).equals(entry.sum)) {
            throw new StoreDamagedException(file, "the file is not the one that was backed up: its SHA-256 differs", REMEDY);
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static String sum(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            DigestInputStream digest = new DigestInputStream(in, Sha256.begin());
            digest.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        }
    }
}
