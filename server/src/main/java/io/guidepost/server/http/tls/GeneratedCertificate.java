package io.guidepost.server.http.tls;

import io.guidepost.base.DurableFiles;
import io.guidepost.base.Pem;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A key and a certificate that a door makes for itself at its first start, as files that are never written over. */
public final class GeneratedCertificate {
    private static final String CERTIFICATE = "certificate.pem";
    private static final String KEY = "key.pem";

    private GeneratedCertificate() {}

    /**
     * TLS with the certificate that a configuration names, or else with one that is made in a folder at the first start.
     *
     * @param listen addresses of the door; the certificate is for those that are of one host
     * @param clients whether clients are asked for a certificate
     * @throws IOException in one line, if it cannot be made or used
     */
    public static TlsContext unlessNamed(Configuration configuration, Path folder, List<InetAddress> listen, boolean clients)
            throws ConfigurationException, IOException {
        Optional<TlsContext> named = TlsCertificates.of(configuration, clients);
        return named.isPresent()
                ? named.get()
                : of(folder, "Guidepost", listen.stream().filter(each -> !each.isAnyLocalAddress()).toList(), new SecureRandom(), clients);
    }

    /**
     * TLS with the files of a folder, which are made if they are not there.
     *
     * @param name whose it is
     * @param addresses of the server
     * @throws IOException in one line, if they cannot be made or used
     */
    public static TlsContext of(Path folder, String name, List<InetAddress> addresses, SecureRandom random) throws IOException {
        return of(folder, name, addresses, random, false);
    }

    private static TlsContext of(Path folder, String name, List<InetAddress> addresses, SecureRandom random, boolean clients)
            throws IOException {
        Path certificate = folder.resolve(CERTIFICATE);
        Path key = folder.resolve(KEY);
        if (!Files.exists(certificate)) {
            DurableFiles.createFolders(folder);
            make(certificate, key, name, addresses, random);
        }
        return TlsCertificates.ofFiles(certificate, key, Path.of(""), clients, TlsCertificates.PROTOCOLS);
    }

    /** Makes both, or the certificate alone of a key that is there: a power loss may have come between them. */
    private static void make(Path certificate, Path key, String name, List<InetAddress> addresses, SecureRandom random)
            throws IOException {
        try {
            KeyPair keys = Files.exists(key) ? read(key) : EcKeys.generate(random);
            byte[] signed = SelfSignedCertificate.of(keys, name, addresses, Instant.now(), random).getEncoded();
            if (!Files.exists(key)) {
                DurableFiles.write(key, Pem.write("PRIVATE KEY", keys.getPrivate().getEncoded()), DurableFiles.OWNER_ONLY);
            }
            DurableFiles.write(certificate, Pem.write("CERTIFICATE", signed));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException(certificate + " is missing, and cannot be made of " + key + ": " + e.getMessage(), e);
        }
    }

    /** Reads a key; those of versions before are for RSA. */
    private static KeyPair read(Path file) throws IOException, GeneralSecurityException {
        PrivateKey key = PemFiles.key(Files.readAllBytes(file), null);
        return key instanceof ECPrivateKey ? EcKeys.pairOf(key) : RsaKeys.pairOf(key);
    }
}
