package io.guidepost.server.http.tls;

import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What TLS needs: a certificate, its key, and which protocols are spoken inside. */
public final class TlsCertificates {
    static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private TlsCertificates() {}

    /**
     * Returns TLS with the certificate that the configuration names for all HTTP services; empty if it names none.
     *
     * @param clients whether clients are asked for a certificate
     * @throws ConfigurationException if the files cannot be used
     */
    public static Optional<TlsContext> of(Configuration configuration, boolean clients) throws ConfigurationException {
        return of(configuration, clients, PROTOCOLS);
    }

    /** The same for clients of today alone: TLS 1.3, and no certificates of clients. */
    public static Optional<TlsContext> modern(Configuration configuration) throws ConfigurationException {
        return of(configuration, false, List.of(PROTOCOLS.getFirst()));
    }

    private static Optional<TlsContext> of(Configuration configuration, boolean clients, List<String> protocols)
            throws ConfigurationException {
        Path chain = configuration.get(ConfigurationKeys.HTTP_TLS_CERTIFICATE);
        try {
            return isNamed(chain)
                    ? Optional.of(ofFiles(
                            chain,
                            configuration.get(ConfigurationKeys.HTTP_TLS_KEY),
                            configuration.get(ConfigurationKeys.HTTP_TLS_PASSWORD_FILE),
                            clients,
                            protocols))
                    : Optional.empty();
        } catch (IOException e) {
            throw configuration.fault(ConfigurationKeys.HTTP_TLS_CERTIFICATE, String.valueOf(e.getMessage()));
        }
    }

    /**
     * With a certificate from files.
     *
     * @param chain certificates in PEM, the server's first; or a file of PKCS #12 (*.p12, *.pfx), which has the key too
     * @param key its private key in PEM, PKCS #8; empty with PKCS #12
     * @param passwordFile file whose first line is the password of the key; empty = it has none
     * @param clients whether clients are asked for a certificate
     * @param protocols versions of TLS
     * @throws IOException in one line, if the files cannot be used
     */
    static TlsContext ofFiles(Path chain, Path key, Path passwordFile, boolean clients, List<String> protocols) throws IOException {
        try {
            String password = isNamed(passwordFile)
                    ? Files.readString(passwordFile).lines().findFirst().orElse("")
                    : null;
            if (Pkcs12File.isNamedSo(chain)) {
                if (isNamed(key)) {
                    throw new IOException(chain + " has its private key inside: no other file, such as " + key + ", is to be named");
                }
                KeyStore.PrivateKeyEntry entry = Pkcs12File.read(chain, password == null ? "" : password);
                List<X509Certificate> certificates = Stream.of(entry.getCertificateChain()).map(X509Certificate.class::cast).toList();
                return TlsContext.of(entry.getPrivateKey(), certificates, clients, protocols);
            }
            if (!isNamed(key)) {
                throw new IOException(chain + " is PEM, as it is not named .p12 or .pfx: the file of its private key is to be "
                        + "named too");
            }
            List<X509Certificate> certificates = PemFiles.certificates(Files.readAllBytes(chain));
            return TlsContext.of(PemFiles.key(Files.readAllBytes(key), password), certificates, clients, protocols);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + e.getFile() + ", which TLS needs", e);
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            String files = isNamed(key) ? chain + " and " + key : chain.toString();
            throw new IOException(files + " cannot be used for TLS: " + e.getMessage(), e);
        }
    }

    private static boolean isNamed(Path file) {
        return !file.toString().isEmpty();
    }

    /**
     * With a certificate that is signed with its own key.
     *
     * @param clients whether clients are asked for a certificate
     * @throws IOException in one line, if that cannot be done
     */
    public static TlsContext ofOwn(X509Certificate certificate, PrivateKey key, boolean clients) throws IOException {
        try {
            return TlsContext.of(key, List.of(certificate), clients, PROTOCOLS);
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw new IOException("no certificate can be made of the server's key: " + e.getMessage(), e);
        }
    }
}
