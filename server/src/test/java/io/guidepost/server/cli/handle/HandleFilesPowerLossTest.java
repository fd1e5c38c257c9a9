package io.guidepost.server.cli.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.transfer.ServerFolder;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.store.power.Marks;
import io.guidepost.store.power.PowerCuts;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a migration or a maker of keys said it wrote is there after a power loss; what one was writing is ended by the same again. */
class HandleFilesPowerLossTest {
    @TempDir
    Path temporary;

    private Path old = Path.of("");

    @BeforeEach
    void anExistingServersFolder() throws IOException {
        old = Files.createDirectory(temporary.toRealPath().resolve("svr"));
        Files.writeString(old.resolve("config.dct"), "{\n\"server_config\" = {\n\"server_admins\" = ( \"300:1234/ADMIN\" )\n}\n}\n");
        for (String each : List.of("privkey.bin", "pubkey.bin")) {
            Files.writeString(old.resolve(each), (each + "\n").repeat(500));
        }
    }

    private static void migrate(Path old, Path root) throws IOException, FaultyFile {
        new HandleFolderMigration(ServerFolder.read(old)).write(root.resolve("new").resolve("guidepost.toml"));
    }

    private static Map<String, String> migrated(Path root) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root.resolve("new"))) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(each).toString(), Files.readString(each));
            }
        }
        return files;
    }

    private static CommandRun keygen(Path root, String... options) {
        return CommandRun.of(Stream.concat(Stream.of("handle", "keygen", root.resolve("adm").toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    /** Makes a pair of the kind that takes the least time. */
    private static void keygen(Path root, String where) {
        CommandRun run = keygen(root, "--algorithm", "DSA");
        assertThat(run.code()).as("%s: %s", where, run.err()).isZero();
    }

    private static boolean isPair(Path root) throws IOException, GeneralSecurityException, Malformed {
        PrivateKey own = HandleOptions.readKey(root.resolve("admpriv.bin"), null);
        Signature signature = Signature.getInstance("SHA256withDSA");
        signature.initSign(own);
        byte[] signed = signature.sign();
        signature.initVerify(PublicKeyRecord.read(Files.readAllBytes(root.resolve("admpub.bin"))).key());
        return signature.verify(signed);
    }

    @Test
    void bothAreThereOrGoOn() throws Exception {
        cut(24);
    }

    @Test
    @Tag("long")
    void bothAreThereOrGoOnAtEachCall() throws Exception {
        for (int i = 0; i < 8; i++) {
            cut(Integer.MAX_VALUE);
        }
    }

    private void cut(int number) throws Exception {
        Path there = Files.createTempDirectory(temporary, "whole");
        migrate(old, there);
        Map<String, String> whole = migrated(there);
        assertThat(whole).hasSize(3);
        PowerCuts cuts = new PowerCuts(Files.createTempDirectory(temporary, "cuts"));
        cuts.run(number, WritingChild.class, List.of(old.toString()), (image, marks, where) -> {
            if (marks.isEmpty()) {
                migrate(old, image);
            } else {
                if (marks.size() < 2 && !(Files.exists(image.resolve("admpriv.bin")) && Files.exists(image.resolve("admpub.bin")))) {
                    keygen(image, where);
                }
                assertThat(isPair(image)).as(where).isTrue();
            }
            assertThat(migrated(image)).as(where).isEqualTo(whole);
        });
    }

    @Test
    void whatIsOfAnotherOriginIsNotWrittenOver() throws Exception {
        migrate(old, temporary);
        Path config = temporary.resolve("new/guidepost.toml");
        String written = Files.readString(config);
        Files.writeString(config, written + "# mine\n");
        assertThatThrownBy(() -> migrate(old, temporary)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(config).hasContent(written + "# mine\n");
        Files.writeString(config, written);
        migrate(old, temporary);

        Path copies = config.resolveSibling("guidepost-handle");
        for (String each : List.of("pubkey.bin", "serverCertificate.pem")) {
            Files.writeString(copies.resolve(each), "mine\n");
            assertThatThrownBy(() -> migrate(old, temporary)).as(each).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(copies.resolve(each)).hasContent("mine\n");
            Files.delete(copies.resolve(each));
        }
    }

    @Test
    void aMissingPublicKeyIsMadeOfAPrivateKeyUnderAPassphrase() throws Exception {
        String passphrase = Files.writeString(temporary.resolve("passphrase"), "open\n").toString();
        String[] options = {"--algorithm", "DSA", "--passphrase-file", passphrase};
        assertThat(keygen(temporary, options).code()).isZero();
        Path publicKey = temporary.resolve("admpub.bin");
        byte[] made = Files.readAllBytes(publicKey);
        assertThat(keygen(temporary, options).err()).contains("admpub.bin exists already");
        Files.delete(publicKey);
        assertThat(keygen(temporary, options).out()).contains("admpub.bin, of ");
        assertThat(publicKey).hasBinaryContent(made);
    }

    /** The process whose power is lost. */
    static final class WritingChild {
        private WritingChild() {}

        /** Arguments: folder, that of the existing server. */
        public static void main(String[] args) throws IOException, FaultyFile {
            Path root = Path.of(args[0]);
            Marks marks = new Marks(root);
            migrate(Path.of(args[1]), root);
            marks.say('M', 0, 0, 0);
            keygen(root, "in the child");
            marks.say('K', 0, 0, 0);
        }
    }
}
