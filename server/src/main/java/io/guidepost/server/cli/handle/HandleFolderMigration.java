package io.guidepost.server.cli.handle;

import io.guidepost.base.DurableFiles;
import io.guidepost.handle.transfer.ServerFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an existing server's folder becomes: a configuration, and beside it a folder with its keys and its site. */
record HandleFolderMigration(ServerFolder server) {
    private static final String FOLDER = "guidepost-handle";

    String toml() {
        StringBuilder text = new StringBuilder();
        String section = "";
        for (ServerFolder.Setting each : server.settings()) {
            int dot = each.key().indexOf('.');
            if (!each.key().substring(0, dot).equals(section)) {
                section = each.key().substring(0, dot);
                text.append(text.isEmpty() ? "[" : "\n[").append(section).append("]\n");
            }
            text.append(each.key().substring(dot + 1)).append(" = ").append(print(each.value())).append('\n');
        }
        return text.toString();
    }

    private static String print(Object value) {
        return switch (value) {
            case Collection<?> list -> list.stream().map(HandleFolderMigration::print).collect(Collectors.joining(", ", "[", "]"));
            case String text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            default -> value.toString();
        };
    }

    /**
     * Writes the configuration, and copies keys and site to a folder beside it; nothing that is there is written over, but what
     * the same migration left when it did not come to its end.
     *
     * @throws FileAlreadyExistsException if the file or the folder is there and of another origin
     */
    void write(Path file) throws IOException {
        Path folder = file.toAbsolutePath().resolveSibling(FOLDER);
        // What moved here is a server of handles: it opens no other door by itself.
        byte[] text = (toml() + "folder = \"" + FOLDER + "\"\n\n[gnrs]\nenabled = false\n").getBytes(StandardCharsets.UTF_8);
        if (Files.exists(file) && !Arrays.equals(Files.readAllBytes(file), text)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        if (Files.exists(folder) && !isLeftByThis(folder)) {
            throw new FileAlreadyExistsException(folder.toString());
        }
        DurableFiles.createFolders(folder);
        for (Path each : server.identityFiles()) {
            DurableFiles.copy(each, folder.resolve(each.getFileName()));
        }
        DurableFiles.write(file, text);
    }

    /** Whether there is nothing in a folder but copies of this server's files, whole or in the making. */
    private boolean isLeftByThis(Path folder) throws IOException {
        Set<Path> own = new HashSet<>();
        for (Path each : server.identityFiles()) {
            Path copy = folder.resolve(each.getFileName());
            own.add(DurableFiles.part(copy));
            if (Files.exists(copy) && Files.mismatch(each, copy) < 0) {
                own.add(copy);
            }
        }
        try (Stream<Path> there = Files.list(folder)) {
            return there.allMatch(own::contains);
        }
    }

    /** The settings that matter to an import, for the configuration that it opens its store by. */
    List<String> settings(Path file) {
        List<String> settings = new ArrayList<>();
        for (ServerFolder.Setting each : server.settings()) {
            if (each.key().equals("handle.case-sensitive")) {
                settings.add(each.key() + "=" + each.value());
            }
        }
        settings.add("handle.folder=" + file.toAbsolutePath().resolveSibling(FOLDER));
        return settings;
    }
}
