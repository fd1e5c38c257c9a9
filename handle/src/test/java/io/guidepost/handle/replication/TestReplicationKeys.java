package io.guidepost.handle.replication;

import io.guidepost.handle.key.PrivateKeyFile;
import io.guidepost.handle.key.PrivateKeyRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A server's key pair with a certificate of its own, made by the JDK's tool. */
record TestReplicationKeys(KeyPair pair, SSLContext tls) {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static @Nullable TestReplicationKeys shared;

    /** The same for all servers of one run. */
    static synchronized TestReplicationKeys shared() throws IOException {
        if (shared == null) {
            Path folder = Files.createTempDirectory("keys");
            shared = in(folder);
        }
        return shared;
    }

    /** Those of a folder, which are made if there are none. */
    static TestReplicationKeys in(Path folder) throws IOException {
        Path file = folder.resolve("keys.p12");
        try {
            if (!Files.exists(file)) {
                Process made = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                                "-J-XX:TieredStopAtLevel=1", "-genkeypair", "-alias", "site", "-keyalg", "RSA", "-keysize", "2048",
                                "-dname", "CN=anonymous", "-validity", "36500", "-storetype", "PKCS12",
                                "-storepass", new String(PASSWORD), "-keystore", file.toString())
                        .redirectErrorStream(true)
                        .start();
                byte[] said = made.getInputStream().readAllBytes();
                if (made.waitFor() != 0) {
                    throw new IOException(new String(said, java.nio.charset.StandardCharsets.UTF_8));
                }
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                keys.load(in, PASSWORD);
            }
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, PASSWORD);
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(managers.getKeyManagers(), null, null);
            PrivateKey secret = (PrivateKey) keys.getKey("site", PASSWORD);
            return new TestReplicationKeys(new KeyPair(keys.getCertificate("site").getPublicKey(), secret), tls);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** The private key as existing servers keep it in a file. */
    byte[] secretFile() {
        return PrivateKeyFile.write(PrivateKeyRecord.of(pair.getPrivate()));
    }
}
