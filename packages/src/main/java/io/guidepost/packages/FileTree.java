package io.guidepost.packages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/**
 * Files as a package holds them: sorted by path, all of root and of one time, so that two builds of a commit are equal byte for byte.
 */
final class FileTree {
    private static final int EXECUTABLE = 0755;
    private static final int READABLE = 0644;

    private record Content(byte[] bytes, int mode, String link) {}

    private final Map<String, Content> files = new TreeMap<>();

    /** Adds a file; a path has no slash at its beginning. */
    FileTree add(String path, byte[] bytes, boolean executable) {
        files.put(path, new Content(bytes, executable ? EXECUTABLE : READABLE, ""));
        return this;
    }

    FileTree add(String path, String text) {
        return add(path, text.getBytes(StandardCharsets.UTF_8), false);
    }

    FileTree addLink(String path, String target) {
        files.put(path, new Content(new byte[0], EXECUTABLE, target));
        return this;
    }

    /** Adds all files below a folder. */
    FileTree addAll(String path, Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(folder)) {
            all = found.filter(each -> !Files.isDirectory(each)).toList();
        }
        for (Path each : all) {
            String name = path + folder.relativize(each);
            if (Files.isSymbolicLink(each)) {
                addLink(name, Files.readSymbolicLink(each).toString());
            } else {
                add(name, Files.readAllBytes(each), Files.isExecutable(each));
            }
        }
        return this;
    }

    /** Adds all files of another tree below a path. */
    FileTree addAll(String path, FileTree other) {
        other.files.forEach((name, content) -> files.put(path + name, content));
        return this;
    }

    byte[] bytes(String path) {
        Content content = files.get(path);
        if (content == null) {
            throw new IllegalArgumentException("no file " + path);
        }
        return content.bytes;
    }

    /** Returns the paths in order. */
    List<String> paths() {
        return List.copyOf(files.keySet());
    }

    /** Returns how many kibibytes are installed. */
    long kibibytes() {
        return files.values().stream().mapToLong(each -> (each.bytes.length + 1023) / 1024).sum();
    }

    /** Returns a tar archive, compressed by gzip, of these files and the folders that they are in. */
    byte[] tar(String prefix, Instant time) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zip = zip(bytes); TarArchiveOutputStream tar = new TarArchiveOutputStream(zip, StandardCharsets.UTF_8.name())) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            String last = "";
            for (Map.Entry<String, Content> each : files.entrySet()) {
                String name = prefix + each.getKey();
                for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
                    String folder = name.substring(0, slash + 1);
                    if (!last.startsWith(folder)) {
                        write(tar, new TarArchiveEntry(folder), EXECUTABLE, time, new byte[0]);
                    }
                }
                Content content = each.getValue();
                byte kind = content.link.isEmpty() ? TarConstants.LF_NORMAL : TarConstants.LF_SYMLINK;
                TarArchiveEntry entry = new TarArchiveEntry(name, kind);
                entry.setLinkName(content.link);
                write(tar, entry, content.mode, time, content.bytes);
                last = name;
            }
        }
        return bytes.toByteArray();
    }

    private static void write(TarArchiveOutputStream tar, TarArchiveEntry entry, int mode, Instant time, byte[] bytes) throws IOException {
        entry.setMode(mode);
        entry.setModTime(time.toEpochMilli());
        entry.setIds(0, 0);
        entry.setNames("root", "root");
        entry.setSize(bytes.length);
        tar.putArchiveEntry(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
    }

    /** A stream of gzip that names neither time nor file. */
    static OutputStream zip(OutputStream out) throws IOException {
        GzipParameters parameters = new GzipParameters();
        parameters.setCompressionLevel(Deflater.BEST_COMPRESSION);
        return new GzipCompressorOutputStream(out, parameters);
    }
}
