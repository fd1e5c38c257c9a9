package io.guidepost.server.http;

import io.guidepost.server.http.tls.GeneratedCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A certificate and its key in all forms that operators have them in. */
public final class TlsKeyFiles {
    private static final String CIPHER = "PBEWithHmacSHA256AndAES_256";

    private final Path folder;

    private TlsKeyFiles(Path folder) {
        this.folder = folder;
    }

    /** Makes them in a folder, the last two under a password. */
    public static TlsKeyFiles make(Path folder, String password) throws IOException, GeneralSecurityException {
        GeneratedCertificate.of(
                folder, folder.getFileName().toString(), List.of(InetAddress.ofLiteral("127.0.0.1")), new SecureRandom());
        TlsKeyFiles files = new TlsKeyFiles(folder);
        PrivateKey key = files.key();
        try (InputStream in = Files.newInputStream(files.certificate())) {
            Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
            write(files.both(), password, List.of("server"), key, certificate);
            write(files.two(), password, List.of("one", "two"), key, certificate);
        }
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(CIPHER).generateSecret(new PBEKeySpec(password.toCharArray())));
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
        parameters.init(cipher.getParameters().getEncoded());
        byte[] encrypted = new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(key.getEncoded())).getEncoded();
        Files.writeString(
                files.encryptedKey(),
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(encrypted)
                        + "\n-----END ENCRYPTED PRIVATE KEY-----\n");
        return files;
    }

    private static void write(Path file, String password, List<String> names, PrivateKey key, Certificate certificate)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (String each : names) {
            store.setKeyEntry(each, key, password.toCharArray(), new Certificate[] {certificate});
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
    }

    private PrivateKey key() throws IOException, GeneralSecurityException {
        String text = Files.readString(plainKey()).replaceAll("-----.*-----", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(text)));
    }

    /** The certificate in PEM. */
    public Path certificate() {
        return folder.resolve("certificate.pem");
    }

    /** The key in PEM, in clear. */
    public Path plainKey() {
        return folder.resolve("key.pem");
    }

    /** The key in PEM, under the password. */
    public Path encryptedKey() {
        return folder.resolve("encrypted.pem");
    }

    /** Both in PKCS #12, under the password. */
    public Path both() {
        return folder.resolve("both.p12");
    }

    /** PKCS #12 with two keys. */
    public Path two() {
        return folder.resolve("two.p12");
    }
}
