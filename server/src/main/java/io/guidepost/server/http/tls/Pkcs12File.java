package io.guidepost.server.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Files of PKCS #12 (RFC 7292): a private key and the certificates of it in one, most often under a password. */
public final class Pkcs12File {
    private Pkcs12File() {}

    /** Returns whether a file's name says that it is one. */
    public static boolean isNamedSo(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".p12") || name.endsWith(".pfx");
    }

    /**
     * The one key in a file, with its certificates.
     *
     * @param password of the file and of the key; empty if they have none
     * @throws IOException in one line, if the file cannot be read, or has not one key
     */
    static KeyStore.PrivateKeyEntry read(Path file, String password) throws IOException {
        try {
            KeyStore store = load(file, password);
            List<KeyStore.PrivateKeyEntry> keys = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                KeyStore.ProtectionParameter opened = new KeyStore.PasswordProtection(password.toCharArray());
                if (store.isKeyEntry(alias) && store.getEntry(alias, opened) instanceof KeyStore.PrivateKeyEntry key) {
                    keys.add(key);
                }
            }
            if (keys.size() != 1) {
                throw new IOException(file + " has " + keys.size() + " private keys with a certificate: it is to have one");
            }
            return keys.getFirst();
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " cannot be used for TLS: " + e.getMessage(), e);
        }
    }

    private static KeyStore load(Path file, String password) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        InputStream bytes = new ByteArrayInputStream(Files.readAllBytes(file));
        try {
            store.load(bytes, password.toCharArray());
        } catch (IOException e) {
            String why = " is no file of PKCS #12, or a damaged one: " + e.getMessage();
            if (e.getCause() instanceof UnrecoverableKeyException) {
                why = password.isEmpty() ? " has a password: name the file whose first line it is" : " has another password";
            }
            throw new IOException(file + why, e);
        }
        return store;
    }
}
