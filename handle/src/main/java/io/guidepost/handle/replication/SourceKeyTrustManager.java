package io.guidepost.handle.replication;

import java.net.Socket;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Pins the key in a source's site description, in any certificate: Handle servers sign their own certificates. */
final class SourceKeyTrustManager extends X509ExtendedTrustManager {
    private final byte[] key;

    SourceKeyTrustManager(PublicKey key) {
        this.key = key.getEncoded();
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (chain.length == 0 || !MessageDigest.isEqual(chain[0].getPublicKey().getEncoded(), key)) {
            throw new CertificateException("the source has another key than its site says");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw new CertificateException("a mirror is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("a mirror is a client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("a mirror is a client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
