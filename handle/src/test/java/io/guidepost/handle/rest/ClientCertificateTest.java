package io.guidepost.handle.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.HandleValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who asks over TLS with a certificate. */
class ClientCertificateTest {
    private static final String VALUE = "{\"index\":1,\"type\":\"URL\",\"data\":\"http://e.x/\"}";

    /** A certificate of a new key that signs itself, made by the JDK's tool. */
    private static X509Certificate certificate(Path folder, String subject)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        assumeTrue(Files.isExecutable(tool), () -> "needs " + tool);
        Path file = folder.resolve(Integer.toHexString(subject.hashCode()) + ".p12");
        Process made = new ProcessBuilder(
                        tool.toString(), "-J-XX:TieredStopAtLevel=1", "-genkeypair", "-keyalg", "RSA", "-keysize", "2048",
                        "-alias", "one", "-dname", subject, "-storetype", "PKCS12", "-storepass", "secret", "-keystore", file.toString())
                .start();
        assertThat(made.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, "secret".toCharArray());
        }
        return (X509Certificate) store.getCertificate("one");
    }

    @Test
    void theSubjectSaysWhoAndTheKeyShowsIt(@TempDir Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        try (RestStand door = RestStand.inMemory()) {
            X509Certificate admin = certificate(folder, "UID=300:1234/ADMIN, CN=Somebody");
            X509Certificate stranger = certificate(folder, "CN=300:1234/ADMIN");
            X509Certificate nobody = certificate(folder, "CN=Nobody");
            door.put("1234/ADMIN", HandleValue.of(300, "HS_PUBKEY", PublicKeyRecord.of(admin.getPublicKey()).write()));
            assertThat(put(door, admin)).isEqualTo(201);
            assertThat(put(door, stranger)).isEqualTo(401);
            assertThat(put(door, nobody)).isEqualTo(401);
            door.put("1234/ADMIN", HandleValue.of(300, "HS_PUBKEY", PublicKeyRecord.of(stranger.getPublicKey()).write()));
            assertThat(put(door, stranger)).isEqualTo(200);
            assertThat(put(door, admin)).isEqualTo(401);
        }
    }

    private static int put(RestStand door, X509Certificate certificate) throws IOException {
        return door.ask("PUT", "/api/handles/1234/x")
                .json(VALUE)
                .with("Authorization", "Handle clientCert=\"true\"")
                .certified(certificate)
                .answer()
                .status();
    }

    @Test
    void aCertificateThatTheRequestDoesNotSpeakOfIsNotLookedAt(@TempDir Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        try (RestStand door = RestStand.inMemory()) {
            X509Certificate admin = certificate(folder, "UID=300:1234/ADMIN");
            door.put("1234/ADMIN", HandleValue.of(300, "HS_PUBKEY", PublicKeyRecord.of(admin.getPublicKey()).write()));
            assertThat(door.ask("PUT", "/api/handles/1234/x").json(VALUE).certified(admin).answer().status())
                    .isEqualTo(401);
            assertThat(door.ask("PUT", "/api/handles/1234/x")
                            .json(VALUE)
                            .with("Authorization", "Handle clientCert=\"true\"")
                            .answer()
                            .status())
                    .isEqualTo(401);
        }
    }
}
