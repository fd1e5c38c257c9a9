package io.guidepost.handle.authentication;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Pins one key, that of a server in its site's description, in any certificate: Handle servers sign their own
 * certificates, and the site vouches for the key. TLS proves that the server has the private key.
 */
public final class PinnedKeyTrustManager extends X509ExtendedTrustManager {
    private final byte[] key;

    /** Creates a trust manager of clients, for a server's key. */
    public PinnedKeyTrustManager(PublicKey key) {
        this.key = key.getEncoded();
    }

    /** Returns the context of TLS clients that trust a server with a key, and no other. */
    public static SSLContext context(PublicKey key) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new PinnedKeyTrustManager(key)}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain.length == 0 || !MessageDigest.isEqual(chain[0].getPublicKey().getEncoded(), key)) {
            throw new CertificateException("the server's certificate has another key than its site says");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("this is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
