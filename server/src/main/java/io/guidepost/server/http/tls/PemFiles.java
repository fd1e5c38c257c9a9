package io.guidepost.server.http.tls;

import io.guidepost.base.Malformed;
import io.guidepost.base.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/** What is in files of PEM that TLS needs: certificates (RFC 7468, 5) and a private key of PKCS #8 (RFC 7468, 10 and 11). */
final class PemFiles {
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String KEY = "PRIVATE KEY";
    private static final String ENCRYPTED_KEY = "ENCRYPTED PRIVATE KEY";
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA", "DSA");

    private PemFiles() {}

    /**
     * Returns the certificates of a file, in its order; what else is in it is left alone.
     *
     * @throws CertificateException if it has none, or one is damaged
     */
    static List<X509Certificate> certificates(byte[] file) throws CertificateException {
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            List<X509Certificate> all = new ArrayList<>();
            for (byte[] each : Pem.readAll(CERTIFICATE, file)) {
                all.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(each)));
            }
            return all;
        } catch (Malformed e) {
            throw new CertificateException(e.getMessage(), e);
        }
    }

    /**
     * Returns the first private key of a file.
     *
     * @param password of the key; null = none is known
     * @throws GeneralSecurityException if it has none, or it is of another form, damaged, or under another password
     */
    static PrivateKey key(byte[] file, @Nullable String password) throws GeneralSecurityException {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        try {
            if (!text.contains("-----BEGIN " + ENCRYPTED_KEY)) {
                if (!text.contains("-----BEGIN " + KEY) && text.contains(KEY + "-----")) {
                    throw new KeyException("the key is not in PKCS #8: openssl pkcs8 -topk8 writes it so");
                }
                return key(new PKCS8EncodedKeySpec(Pem.read(KEY, file)));
            }
            if (password == null) {
                throw new KeyException("the key has a password: name the file whose first line it is");
            }
            EncryptedPrivateKeyInfo encrypted = new EncryptedPrivateKeyInfo(Pem.read(ENCRYPTED_KEY, file));
            // Of PBES2 (RFC 8018) the parameters name the cipher, the algorithm does not.
            String parameters = String.valueOf(encrypted.getAlgParameters());
            String algorithm = parameters.startsWith("PBEWith") ? parameters : encrypted.getAlgName();
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(password.toCharArray())),
                    encrypted.getAlgParameters());
            return key(encrypted.getKeySpec(cipher));
        } catch (Malformed | IOException e) {
            throw new KeyException(e.getMessage(), e);
        }
    }

    private static PrivateKey key(PKCS8EncodedKeySpec encoded) throws GeneralSecurityException {
        for (String each : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(each).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // The form tells which it is to the factory of that kind alone.
            }
        }
        throw new InvalidKeySpecException("the key is of none of " + String.join(", ", KEY_ALGORITHMS));
    }
}
