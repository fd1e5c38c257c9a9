package io.guidepost.server.http.tls;

import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** A key and a certificate that a door makes for itself at its first start, as files that are never written over. */
public final class GeneratedCertificate {
    private static final String CERTIFICATE = "certificate.pem";
    private static final String KEY = "key.pem";
    private static final int KEY_BITS = 2048;
    private static final int LINE_CHARACTERS = 64;

    private GeneratedCertificate() {}

    /**
     * TLS with the files of a folder, which are made if they are not there.
     *
     * @param name whose it is
     * @param addresses of the server
     * @throws IOException in one line, if they cannot be made or used
     */
    public static SslContext of(Path folder, String name, List<InetAddress> addresses, SecureRandom random)
            throws IOException {
        Path certificate = folder.resolve(CERTIFICATE);
        Path key = folder.resolve(KEY);
        if (!Files.exists(certificate) && !Files.exists(key)) {
            Files.createDirectories(folder);
            make(certificate, key, name, addresses, random);
        }
        return TlsCertificates.ofFiles(certificate, key, Path.of(""), false, TlsCertificates.PROTOCOLS);
    }

    private static void make(Path certificate, Path key, String name, List<InetAddress> addresses, SecureRandom random)
            throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS, random);
            KeyPair keys = generator.generateKeyPair();
            byte[] signed = SelfSignedCertificate.of(keys, name, addresses, Instant.now(), random).getEncoded();
            Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(key, pem("PRIVATE KEY", keys.getPrivate().getEncoded()), StandardOpenOption.SYNC);
            Files.write(certificate, pem("CERTIFICATE", signed), StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
        } catch (GeneralSecurityException e) {
            throw new IOException("no certificate can be made: " + e.getMessage(), e);
        }
    }

    private static byte[] pem(String what, byte[] bytes) {
        String text = Base64.getMimeEncoder(LINE_CHARACTERS, new byte[] {'\n'}).encodeToString(bytes);
        return ("-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n").getBytes(StandardCharsets.US_ASCII);
    }
}
