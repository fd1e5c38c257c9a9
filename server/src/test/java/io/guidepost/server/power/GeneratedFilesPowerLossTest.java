package io.guidepost.server.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.store.power.Marks;
import io.guidepost.store.power.PowerCuts;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that a server made of itself are the same after a power loss; those that it was making are made anew at the next start. */
class GeneratedFilesPowerLossTest {
    private static final int STEPS = 6;

    @TempDir
    Path temporary;

    @Test
    void whatFollowsFromAPrivateKeyIsMadeAnewOfIt() throws Exception {
        Map<Long, Long> first = made(temporary);
        Path tls = temporary.resolve("tls");
        Files.delete(temporary.resolve("a").resolve("handle").resolve("pubkey.bin"));
        Files.delete(tls.resolve("certificate.pem"));
        assertThat(made(temporary))
                .as("the handle server's keys, and the key of TLS")
                .containsEntry(0L, first.get(0L))
                .containsEntry(3L, first.get(3L));
        try (InputStream in = Files.newInputStream(tls.resolve("certificate.pem"))) {
            Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
            assertThat(((RSAPublicKey) certificate.getPublicKey()).getModulus()).isEqualTo(modulus(tls.resolve("key.pem")));
        }
    }

    private static BigInteger modulus(Path key) throws IOException, GeneralSecurityException {
        String text = Files.readString(key).replaceAll("-----[^-]*-----", "");
        byte[] bytes = Base64.getMimeDecoder().decode(text);
        return ((RSAPrivateKey) KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(bytes))).getModulus();
    }

    /** Makes what is missing; returns the digests of all by their steps. */
    private static Map<Long, Long> made(Path root) throws IOException, GeneralSecurityException {
        Map<Long, Long> digests = new HashMap<>();
        GeneratedFilesChild.make(root, (step, digest) -> digests.put((long) step, digest));
        return digests;
    }

    @Test
    void keysCertificatesAndSitesAreWholeOrMadeAnew() throws Exception {
        cut(16);
    }

    @Test
    @Tag("long")
    void keysCertificatesAndSitesAreWholeOrMadeAnewAtEachCall() throws Exception {
        for (int i = 0; i < 8; i++) {
            cut(Integer.MAX_VALUE);
        }
    }

    private void cut(int number) throws Exception {
        PowerCuts cuts = new PowerCuts(Files.createTempDirectory(temporary, "cuts"));
        int[] most = {0};
        cuts.run(number, GeneratedFilesChild.class, List.of(), (image, marks, where) -> {
            Map<Long, Long> before = new HashMap<>();
            for (Marks.Mark each : marks) {
                before.put(each.first(), each.second());
            }
            assertThat(made(image)).as(where).hasSize(STEPS).containsAllEntriesOf(before);
            most[0] = Math.max(most[0], before.size());
        });
        assertThat(most[0]).as("steps before the last cut").isEqualTo(STEPS);
    }
}
