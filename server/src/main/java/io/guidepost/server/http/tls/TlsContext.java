package io.guidepost.server.http.tls;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a server, by the JDK. Netty's context of it refers to libraries that are not here, so that the start-up cache of the JVM leaves
 * those classes out, and each start would look for them in all jars. Immutable; any thread may ask for handlers.
 */
public final class TlsContext {
    private static final char[] NO_PASSWORD = {};

    private final SSLContext context;
    private final SSLParameters parameters;
    private final Instant expiry;

    private TlsContext(SSLContext context, SSLParameters parameters, Instant expiry) {
        this.context = context;
        this.parameters = parameters;
        this.expiry = expiry;
    }

    /**
     * Makes it.
     *
     * @param key of the first certificate
     * @param chain the server's certificate first
     * @param clients whether clients are asked for a certificate
     * @param protocols versions of TLS
     * @throws GeneralSecurityException if key and certificates are of no use to the JDK
     */
    static TlsContext of(PrivateKey key, List<X509Certificate> chain, boolean clients, List<String> protocols)
            throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, NO_PASSWORD);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        store.setKeyEntry("server", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), new TrustManager[] {new AnyClient()}, null);
        SSLParameters parameters = context.getSupportedSSLParameters();
        Set<String> supported = Set.of(parameters.getCipherSuites());
        parameters.setCipherSuites(
                Http2SecurityUtil.CIPHERS.stream().filter(supported::contains).toArray(String[]::new));
        parameters.setProtocols(protocols.toArray(String[]::new));
        parameters.setWantClientAuth(clients);
        return new TlsContext(context, parameters, chain.getFirst().getNotAfter().toInstant());
    }

    /** Returns when the server's certificate expires. */
    public Instant expiry() {
        return expiry;
    }

    /**
     * Returns the server's side of a new connection.
     *
     * @param tasks where signatures are made, which take longer than a loop may wait
     */
    public SslHandler handler(Executor tasks) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setSSLParameters(parameters);
        // A client whose protocols are all unknown is told none, and goes on; the JDK of its own accord would refuse it.
        engine.setHandshakeApplicationProtocolSelector((_, offered) -> offered.contains(ApplicationProtocolNames.HTTP_2)
                ? ApplicationProtocolNames.HTTP_2
                : offered.contains(ApplicationProtocolNames.HTTP_1_1) ? ApplicationProtocolNames.HTTP_1_1 : "");
        return new SslHandler(engine, tasks) {
            @Override
            public @Nullable String applicationProtocol() {
                String chosen = engine().getApplicationProtocol();
                return chosen == null || chosen.isEmpty() ? null : chosen;
            }
        };
    }

    /**
     * A client that shows a certificate has its private key. Whose key that is, is said by the record of the handle that the certificate
     * names, not by who signed it.
     */
    private static final class AnyClient extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            throw new CertificateException("a server meets clients alone");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) throws CertificateException {
            checkServerTrusted(chain, kind);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) throws CertificateException {
            checkServerTrusted(chain, kind);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
