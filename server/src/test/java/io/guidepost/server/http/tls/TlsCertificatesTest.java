package io.guidepost.server.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.guidepost.server.http.TlsKeyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files for TLS: which forms are taken, and what is said of those that cannot be used. */
class TlsCertificatesTest {
    private static final Path NONE = Path.of("");

    @TempDir
    private Path folder;

    private TlsKeyFiles files;
    private Path password;
    private Path other;

    @BeforeEach
    void make() throws Exception {
        files = TlsKeyFiles.make(folder.resolve("made"), "a password");
        password = Files.writeString(folder.resolve("password"), "a password\nthis line is not read\n");
        other = Files.writeString(folder.resolve("other"), "another\n");
    }

    private static void isTaken(Path chain, Path key, Path passwordFile) throws IOException {
        assertThat(TlsCertificates.ofFiles(chain, key, passwordFile, false, TlsCertificates.PROTOCOLS).expiry()).isInTheFuture();
    }

    private static AbstractStringAssert<?> refusal(Path chain, Path key, Path passwordFile) {
        Throwable thrown = catchThrowable(
                () -> TlsCertificates.ofFiles(chain, key, passwordFile, false, TlsCertificates.PROTOCOLS));
        assertThat(thrown).isInstanceOf(IOException.class);
        return assertThat(thrown.getMessage());
    }

    @Test
    void takesPemInClearAndUnderAPassword() throws Exception {
        isTaken(files.certificate(), files.plainKey(), NONE);
        isTaken(files.certificate(), files.encryptedKey(), password);
    }

    @Test
    void takesKeyAndCertificateInOneFile() throws Exception {
        Path both = Files.writeString(
                folder.resolve("both.pem"), Files.readString(files.plainKey()) + Files.readString(files.certificate()));
        isTaken(both, both, NONE);
    }

    @Test
    void takesPkcs12WithAndWithoutAPassword() throws Exception {
        isTaken(files.both(), NONE, password);
        isTaken(Files.copy(files.both(), folder.resolve("UPPER.PFX")), NONE, password);
        isTaken(TlsKeyFiles.make(folder.resolve("open"), "").both(), NONE, NONE);
    }

    @Test
    void saysWhatIsWrongWithPem() throws IOException {
        refusal(files.certificate(), NONE, NONE).contains("certificate.pem is PEM", "its private key is to be named too");
        refusal(files.certificate(), files.encryptedKey(), NONE).contains("encrypted.pem cannot be used for TLS");
        refusal(files.certificate(), files.encryptedKey(), other).contains("encrypted.pem cannot be used for TLS");
        refusal(files.certificate(), folder.resolve("none.pem"), NONE).contains("there is no file", "none.pem");
        Path traditional = Files.writeString(
                folder.resolve("rsa.pem"), "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n");
        refusal(files.certificate(), traditional, NONE).contains("not in PKCS #8", "openssl pkcs8 -topk8");
        refusal(files.plainKey(), files.plainKey(), NONE).contains("no lines -----BEGIN CERTIFICATE-----");
    }

    @Test
    void saysWhatIsWrongWithPkcs12() throws Exception {
        refusal(files.both(), NONE, NONE).contains("both.p12 has a password: name the file whose first line it is");
        refusal(files.both(), NONE, other).contains("both.p12 has another password");
        refusal(files.both(), files.plainKey(), password).contains("both.p12 has its private key inside", "key.pem");
        refusal(files.two(), NONE, password).contains("two.p12 has 2 private keys", "it is to have one");
        refusal(folder.resolve("none.p12"), NONE, NONE).contains("there is no file", "none.p12");
        refusal(files.both(), NONE, folder.resolve("gone")).contains("there is no file", "gone");
        Path pem = Files.copy(files.certificate(), folder.resolve("pem.p12"));
        refusal(pem, NONE, password).contains("pem.p12 is no file of PKCS #12, or a damaged one");
        byte[] whole = Files.readAllBytes(files.both());
        Path cut = Files.write(folder.resolve("cut.p12"), Arrays.copyOf(whole, whole.length / 2));
        refusal(cut, NONE, password).contains("cut.p12 is no file of PKCS #12, or a damaged one");
    }

    @Test
    void noByteOfPkcs12DoesMoreHarmThanARefusal() throws Exception {
        byte[] whole = Files.readAllBytes(files.both());
        for (int at = 0; at < whole.length; at += 7) {
            byte[] spoilt = whole.clone();
            spoilt[at] ^= 0x41;
            Path file = Files.write(folder.resolve("spoilt.p12"), spoilt);
            try {
                TlsCertificates.ofFiles(file, NONE, password, false, TlsCertificates.PROTOCOLS);
            } catch (IOException e) {
                assertThat(e).as("byte %d", at).hasMessageContaining("spoilt.p12");
            }
        }
    }
}
