package io.guidepost.server.handle;

import io.guidepost.base.DurableFiles;
import io.guidepost.base.Malformed;
import io.guidepost.base.Pem;
import io.guidepost.handle.json.SiteJson;
import io.guidepost.handle.key.PrivateKeyFile;
import io.guidepost.handle.key.PrivateKeyRecord;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.server.http.tls.RsaKeys;
import io.guidepost.server.http.tls.SelfSignedCertificate;
import io.guidepost.server.http.tls.TlsCertificates;
import io.guidepost.server.http.tls.TlsContext;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who a server is: files in its folder, by the names that existing servers have for them. What is missing is made, and what
 * is there is never written over.
 *
 * <pre>
 *  privkey.bin, pubkey.bin     the server's keys
 *  siteinfo.bin, siteinfo.json the site that it belongs to; of the two the first is read
 *  serverCertificate.pem       its certificate, which is signed with its own key
 *  admpriv.bin, admpub.bin     an administrator's keys, which only a demonstration makes
 * </pre>
 */
public final class ServerIdentity {
    private final Path folder;
    private final SecureRandom random;
    private final char @Nullable [] passphrase;

    /**
     * That of a folder, which is made if it is not there.
     *
     * @param passphrase of the private key; null = it is in clear
     * @throws IOException if the folder cannot be made
     */
    public ServerIdentity(Path folder, char @Nullable [] passphrase, SecureRandom random) throws IOException {
        this.folder = folder;
        this.passphrase = passphrase == null ? null : passphrase.clone();
        this.random = random;
        DurableFiles.createFolders(folder);
    }

    /**
     * The server's keys, made at the first start.
     *
     * @throws IOException in one line, if they cannot be read or written
     */
    public KeyPair keys() throws IOException {
        return keys("privkey.bin", "pubkey.bin", passphrase);
    }

    /**
     * An administrator's keys, made if there are none; for demonstrations.
     *
     * @throws IOException in one line, if they cannot be read or written
     */
    public KeyPair administrator() throws IOException {
        return keys("admpriv.bin", "admpub.bin", null);
    }

    private KeyPair keys(String privateName, String publicName, char @Nullable [] secret) throws IOException {
        Path privateFile = folder.resolve(privateName);
        Path publicFile = folder.resolve(publicName);
        if (!Files.exists(privateFile) && !Files.exists(publicFile)) {
            KeyPair made = RsaKeys.generate(random);
            PrivateKeyRecord record = PrivateKeyRecord.of(made.getPrivate());
            writeSecret(privateFile, secret == null ? PrivateKeyFile.write(record) : PrivateKeyFile.write(record, secret, random));
            DurableFiles.write(publicFile, PublicKeyRecord.of(made.getPublic()).write());
            return made;
        }
        PrivateKey own = readPrivate(privateFile, secret);
        if (!Files.exists(publicFile)) {
            // A power loss may have come between the two.
            DurableFiles.write(publicFile, PublicKeyRecord.of(publicOf(own, publicFile)).write());
        }
        return new KeyPair(read(publicFile, bytes -> PublicKeyRecord.read(bytes).key()), own);
    }

    private static PrivateKey readPrivate(Path file, char @Nullable [] secret) throws IOException {
        return read(file, bytes -> {
            try {
                return PrivateKeyFile.read(bytes, secret, true).key();
            } catch (PrivateKeyFile.WrongPassphrase e) {
                throw new Malformed(
                        secret == null
                                ? "it is encrypted: name a file with its passphrase in handle.passphrase-file"
                                : "the passphrase is wrong, or the file is damaged",
                        0);
            }
        });
    }

    private static PublicKey publicOf(PrivateKey own, Path file) throws IOException {
        try {
            return RsaKeys.pairOf(own).getPublic();
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " is missing, and cannot be made anew: " + e.getMessage(), e);
        }
    }

    /**
     * The site, made at the first start.
     *
     * @param standard makes it of the server's public key, as its site tells it
     * @throws IOException in one line, if it cannot be read or written
     */
    public SiteRecord site(KeyPair keys, Function<byte[], SiteRecord> standard) throws IOException {
        Path binary = folder.resolve("siteinfo.bin");
        Path json = folder.resolve("siteinfo.json");
        if (Files.exists(binary)) {
            return read(binary, SiteRecord::read);
        }
        if (Files.exists(json)) {
            return read(json, SiteJson::read);
        }
        SiteRecord made = standard.apply(PublicKeyRecord.of(keys.getPublic()).write());
        DurableFiles.write(json, SiteJson.write(made));
        DurableFiles.write(binary, made.write());
        return made;
    }

    /**
     * The certificate of the server's key, made at the first start.
     *
     * @throws IOException in one line, if it cannot be read or written
     * @throws GeneralSecurityException if the keys are not for RSA
     */
    public X509Certificate certificate(KeyPair keys, String name, List<InetAddress> addresses)
            throws IOException, GeneralSecurityException {
        Path file = folder.resolve("serverCertificate.pem");
        if (!Files.exists(file)) {
            X509Certificate made = SelfSignedCertificate.of(keys, name, addresses, Instant.now(), random);
            DurableFiles.write(file, Pem.write("CERTIFICATE", made.getEncoded()));
            return made;
        }
        try (var in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " is no certificate (" + e.getMessage() + "): delete it, and it is made anew", e);
        }
    }

    /**
     * TLS with the server's own key, which is for RSA.
     *
     * @param name of the server
     * @param addresses of the server
     * @param clients whether clients are asked for a certificate
     * @throws IOException in one line, if that cannot be done
     */
    public TlsContext tls(KeyPair keys, String name, List<InetAddress> addresses, boolean clients) throws IOException {
        try {
            return TlsCertificates.ofOwn(certificate(keys, name, addresses), keys.getPrivate(), clients);
        } catch (GeneralSecurityException e) {
            throw new IOException("no certificate can be made of the server's key: " + e.getMessage(), e);
        }
    }

    /** Reads a file's bytes, or says why they are not what they should be. */
    private interface Reading<T> {
        T read(byte[] bytes) throws Malformed;
    }

    private static <T> T read(Path file, Reading<T> reading) throws IOException {
        try {
            return reading.read(Files.readAllBytes(file));
        } catch (Malformed e) {
            throw new IOException(file + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static void writeSecret(Path file, byte[] bytes) throws IOException {
        try {
            DurableFiles.write(file, bytes, DurableFiles.OWNER_ONLY);
        } catch (UnsupportedOperationException e) {
            throw new FileAlreadyExistsException(file + ": this file system keeps no permissions, so no secrets");
        }
    }
}
