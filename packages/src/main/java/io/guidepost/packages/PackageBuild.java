package io.guidepost.packages;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Makes the packages, out of what the build has left in {@code server/target/guidepost}. The cache of classes that a start needs is
 * not in them: it differs from run to run, so the package makes it where it is installed.
 */
final class PackageBuild {
    /** What our modules and the libraries ask for; without what libraries can do without (java.desktop, jdk.jfr). */
    private static final String MODULES = "java.base,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml,"
            + "jdk.management,jdk.unsupported";

    private static final String HOME = "usr/lib/guidepost/";

    private final Path module;
    private final Path target;
    private final String version;
    private final Instant time;
    private final String architecture = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";

    private PackageBuild(Path module, Path target, String version, Instant time) {
        this.module = module;
        this.target = target;
        this.version = version;
        this.time = time;
    }

    /** Takes the module's folder, that of the packages, the version and the time of all files. */
    public static void main(String[] arguments) throws Exception {
        String epoch = System.getenv().getOrDefault("SOURCE_DATE_EPOCH", "");
        Instant time = epoch.isEmpty() ? Instant.parse(arguments[3]) : Instant.ofEpochSecond(Long.parseLong(epoch));
        new PackageBuild(Path.of(arguments[0]), Path.of(arguments[1]), arguments[2], time).run();
    }

    private void run() throws IOException, InterruptedException {
        Files.createDirectories(target);
        FileTree home = home();
        FileTree manuals = manuals();
        String name = "guidepost-" + version;

        FileTree archive = new FileTree().addAll(name + "/", home).addAll(name + "/share/", manuals)
                .add(name + "/guidepost.toml", Files.readString(module.resolve("src/files/container/guidepost.toml")))
                .addLink(name + "/guidepost", "bin/guidepost");
        write(name + "-linux-" + architecture + ".tar.gz", archive.tar("", time));

        FileTree root = new FileTree().addAll(HOME, home).addAll("usr/share/", manuals)
                .addLink("usr/bin/guidepost", "../lib/guidepost/bin/guidepost");
        FileTree files = new FileTree().addAll("", root).addAll("", module.resolve("src/files/root"));
        write("guidepost_" + version + "_" + architecture + ".deb", DebPackage.of(control(), files, time));

        FileTree context = new FileTree().addAll("root/", root).addAll("", module.resolve("src/files/container"));
        write(name + "-container-" + architecture + ".tar.gz", context.tar(name + "-container/", time));
    }

    private void write(String name, byte[] bytes) throws IOException {
        Files.write(target.resolve(name), bytes);
        System.out.println(target.resolve(name) + "  " + bytes.length / 1_000_000 + " MB");
    }

    /** Launcher, runtime, libraries. */
    private FileTree home() throws IOException, InterruptedException {
        Path built = module.resolveSibling("server").resolve("target");
        Path runtime = runtime();
        FileTree home = new FileTree().addAll("runtime/", runtime).addAll("native/", built.resolve("guidepost/native"));
        delete(runtime);
        home.add("lib/guidepost.jar", repacked(Files.readAllBytes(built.resolve("guidepost/lib/guidepost.jar"))), false);
        List<String> options = Files.readAllLines(built.resolve("guidepost/options")).stream()
                .filter(each -> !each.startsWith("-Djava.library.path") && !each.startsWith("-cp "))
                .toList();
        return home.add("options", String.join("\n", options) + "\n")
                .addAll("", module.resolve("src/files/home"));
    }

    /** The runtime that these modules need, which jlink makes equal each time. */
    private Path runtime() throws IOException, InterruptedException {
        Path folder = target.resolve("runtime");
        delete(folder);
        Process jlink = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jlink").toString(), "--add-modules", MODULES, "--strip-debug",
                        "--no-header-files", "--no-man-pages", "--compress", "zip-9", "--output", folder.toString())
                .inheritIO()
                .start();
        if (jlink.waitFor() != 0) {
            throw new IOException("jlink has failed");
        }
        return folder;
    }

    private static void delete(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            List<Path> all;
            try (Stream<Path> found = Files.walk(folder)) {
                all = found.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path each : all) {
                Files.delete(each);
            }
        }
    }

    /** A jar with its entries in order and of one time: on which Java and file system it was made does not tell. */
    private byte[] repacked(byte[] jar) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>(Comparator.comparing((String each) -> !each.equals(JarFile.MANIFEST_NAME))
                .thenComparing(Comparator.naturalOrder()));
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
                if (!each.isDirectory()) {
                    entries.put(each.getName(), in.readAllBytes());
                }
            }
        }
        entries.computeIfPresent(JarFile.MANIFEST_NAME, (_, bytes) -> new String(bytes, StandardCharsets.UTF_8)
                .replaceAll("Build-Tool-Jdk-Spec: [^\r\n]*\r?\n", "")
                .getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTimeLocal(time.atOffset(ZoneOffset.UTC).toLocalDateTime());
                // Not compressed: the package is.
                CRC32 sum = new CRC32();
                sum.update(each.getValue());
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(each.getValue().length);
                entry.setCrc(sum.getValue());
                out.putNextEntry(entry);
                out.write(each.getValue());
            }
        }
        return bytes.toByteArray();
    }

    /** Completions, manual pages, licences; what lies in /usr/share. */
    private FileTree manuals() throws IOException {
        CommandTree whole = CommandTree.whole();
        FileTree files = new FileTree()
                .add("bash-completion/completions/guidepost", ShellCompletions.bash())
                .add("zsh/vendor-completions/_guidepost", ShellCompletions.zsh(whole))
                .add("fish/vendor_completions.d/guidepost.fish", ShellCompletions.fish(whole))
                .add("doc/guidepost/copyright", Files.readString(module.resolve("src/files/copyright")))
                .add("doc/guidepost/changelog.gz", zipped(Files.readString(module.resolveSibling("CHANGELOG.md"))), false);
        String date = LocalDate.ofInstant(time, ZoneOffset.UTC).toString();
        for (Map.Entry<String, String> each : new ManPages(version, date).all(whole).entrySet()) {
            String section = each.getKey().substring(each.getKey().length() - 1);
            files.add("man/man" + section + "/" + each.getKey() + ".gz", zipped(each.getValue()), false);
        }
        return files;
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = FileTree.zip(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private FileTree control() throws IOException {
        FileTree control = new FileTree();
        List<Path> all = new ArrayList<>();
        try (Stream<Path> found = Files.list(module.resolve("src/files/debian"))) {
            found.forEach(all::add);
        }
        for (Path each : all) {
            String name = each.getFileName().toString();
            String text = Files.readString(each).replace("@VERSION@", version).replace("@ARCHITECTURE@", architecture);
            control.add(name, text.getBytes(StandardCharsets.UTF_8), !name.equals("control") && !name.equals("conffiles"));
        }
        return control;
    }
}
