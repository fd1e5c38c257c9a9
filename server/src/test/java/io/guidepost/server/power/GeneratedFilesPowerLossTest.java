package io.guidepost.server.power;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Pem;
import io.guidepost.store.power.Marks;
import io.guidepost.store.power.PowerCuts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
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
        assertThat(isOf(tls.resolve("key.pem"), "EC", "SHA256withECDSA", tls)).isTrue();
    }

    /** Servers before this made keys for RSA: clients may know the server by one. */
    @Test
    void aKeyForRsaStaysWhatItIs() throws Exception {
        Path tls = Files.createDirectory(temporary.resolve("tls"));
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
        Files.write(tls.resolve("key.pem"), Pem.write("PRIVATE KEY", key));
        made(temporary);
        assertThat(isOf(tls.resolve("key.pem"), "RSA", "SHA256withRSA", tls)).isTrue();
    }

    /** Returns whether the certificate in a folder is of a private key. */
    private static boolean isOf(Path key, String algorithm, String signature, Path folder) throws IOException, GeneralSecurityException {
        String text = Files.readString(key).replaceAll("-----[^-]*-----", "");
        byte[] bytes = Base64.getMimeDecoder().decode(text);
        Signature signing = Signature.getInstance(signature);
        signing.initSign(KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes)));
        signing.update(bytes);
        try (InputStream in = Files.newInputStream(folder.resolve("certificate.pem"))) {
            X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            certificate.verify(certificate.getPublicKey());
            Signature verifying = Signature.getInstance(signature);
            verifying.initVerify(certificate);
            verifying.update(bytes);
            return verifying.verify(signing.sign());
        }
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
