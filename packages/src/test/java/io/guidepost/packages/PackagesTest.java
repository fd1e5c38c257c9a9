package io.guidepost.packages;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick part; guidepost package try installs what was made. */
class PackagesTest {
    private static final Instant TIME = Instant.parse("2026-11-20T00:00:00Z");
    private static final Path FILES = Path.of("src/files");

    @TempDir
    private Path folder;

    private static List<String> entries(byte[] tar) throws IOException {
        List<String> found = new ArrayList<>();
        try (TarArchiveInputStream in = new TarArchiveInputStream(new GzipCompressorInputStream(new ByteArrayInputStream(tar)))) {
            for (TarArchiveEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
                assertThat(each.getModTime().toInstant()).isEqualTo(TIME);
                assertThat(each.getUserName() + each.getLongUserId() + each.getGroupName()).isEqualTo("root0root");
                found.add(Integer.toOctalString(each.getMode() & 0777) + " " + each.getName()
                        + (each.isSymbolicLink() ? " > " + each.getLinkName() : ""));
            }
        }
        return found;
    }

    @Test
    void aTarIsSortedWithItsFoldersAndEqualEachTime() throws Exception {
        Files.createDirectories(folder.resolve("z"));
        Files.writeString(folder.resolve("z/run"), "#!/bin/sh\n").toFile().setExecutable(true);
        FileTree one = new FileTree().add("b/c", "text").addLink("a", "b/c").addAll("", folder);
        FileTree other = new FileTree().addAll("", folder).addLink("a", "b/c").add("b/c", "text");
        assertThat(entries(one.tar("./", TIME)))
                .containsExactly("755 ./", "755 ./a > b/c", "755 ./b/", "644 ./b/c", "755 ./z/", "755 ./z/run");
        assertThat(one.tar("", TIME)).isEqualTo(other.tar("", TIME));
    }

    @Test
    void aDebHasWhatDpkgLooksFor() throws Exception {
        FileTree files = new FileTree().add("etc/one", "1\n");
        FileTree control = new FileTree().add("control", "Installed-Size: @KIBIBYTES@\n");
        byte[] deb = DebPackage.of(control, files, TIME);
        List<String> parts = new ArrayList<>();
        try (ArArchiveInputStream in = new ArArchiveInputStream(new ByteArrayInputStream(deb))) {
            for (ArArchiveEntry each = in.getNextEntry(); each != null; each = in.getNextEntry()) {
                parts.add(each.getName());
                byte[] bytes = in.readAllBytes();
                if (each.getName().equals("debian-binary")) {
                    assertThat(bytes).asString(StandardCharsets.US_ASCII).isEqualTo("2.0\n");
                } else if (each.getName().startsWith("control")) {
                    assertThat(entries(bytes)).containsExactly("755 ./", "644 ./control", "644 ./md5sums");
                }
            }
        }
        assertThat(parts).containsExactly("debian-binary", "control.tar.gz", "data.tar.gz");
        assertThat(deb).isEqualTo(DebPackage.of(control, files, TIME));
    }

    /** A package is closed: it answers its own machine, and takes writes and orders from there alone. */
    @Test
    void theDeliveredConfigurationsAreRightAndClosed() throws Exception {
        // The token is made where the package is installed.
        Path token = Files.writeString(folder.resolve("admin.token"), "secret\n");
        Path delivered = Files.writeString(
                folder.resolve("guidepost.toml"),
                Files.readString(FILES.resolve("root/etc/guidepost/guidepost.toml"))
                        .replace("/etc/guidepost/admin.token", token.toString()));
        Configuration deb = Configuration.load(delivered, Map.of(), List.of());
        assertThat(deb.get(ConfigurationKeys.GNRS_LISTEN)).allMatch(each -> each.isLoopbackAddress());
        assertThat(deb.get(ConfigurationKeys.STORE_FOLDER)).isEqualTo(Path.of("/var/lib/guidepost/store"));
        assertThat(deb.get(ConfigurationKeys.ADMIN_TOKEN)).isEqualTo(token);
        Configuration container = Configuration.load(FILES.resolve("container/guidepost.toml"), Map.of(), List.of());
        for (Configuration each : List.of(deb, container)) {
            assertThat(each.print(ConfigurationKeys.GNRS_WRITERS)).isEqualTo("[\"127.0.0.0/8\", \"::1/128\"]");
            assertThat(each.get(ConfigurationKeys.ADMIN_ADDRESS).isLoopbackAddress()).isTrue();
            assertThat(each.get(ConfigurationKeys.HANDLE_ENABLED)).isFalse();
        }
    }

    @Test
    void shellsCompleteEveryCommand() {
        CommandTree whole = CommandTree.whole();
        String bash = ShellCompletions.bash();
        String zsh = ShellCompletions.zsh(whole);
        String fish = ShellCompletions.fish(whole);
        assertThat(whole.all()).extracting(CommandTree::words).contains("serve", "handle get").doesNotContain("train");
        for (CommandTree each : whole.all()) {
            assertThat(bash).contains(each.name());
            assertThat(zsh).contains("'" + each.words() + "')");
            assertThat(fish).contains(each.words().isEmpty() ? "complete" : " -a " + each.name() + " -d '");
        }
        assertThat(fish).contains("complete -c guidepost -n '__fish_seen_subcommand_from serve' -l demo -d 'On loopback, ");
        assertThat(zsh).contains("'--config:Configuration");
    }

    @Test
    void manualPagesTellWhatTheHelpTells() {
        Map<String, String> pages = new ManPages("1.2", "2026-11-20").all(CommandTree.whole());
        assertThat(pages).containsKeys("guidepost.1", "guidepost-handle-get.1", "guidepost.toml.5");
        assertThat(pages.get("guidepost-serve.1"))
                .startsWith(".TH \"GUIDEPOST-SERVE\" \"1\" \"2026-11-20\" \"Guidepost 1.2\" \"Guidepost\"\n")
                .contains(".SH NAME\nguidepost\\-serve \\- Runs a server")
                .contains("\n.B \\-c, \\-\\-config FILE\n", "\n.SH EXAMPLES\n", "\n.BR guidepost.toml (5)\n");
        assertThat(pages.get("guidepost.toml.5")).contains("\n.B log.format = \"text\"\n");
        assertThat(pages.values()).allSatisfy(page -> assertThat(page.lines())
                .allMatch(each -> !each.startsWith(".") || each.matches("\\.(TH|SH|TP|B|BR|nf|fi)( .*)?")));
    }
}
