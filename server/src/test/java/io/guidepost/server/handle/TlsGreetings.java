package io.guidepost.server.handle;

import io.guidepost.server.http.tls.TlsContext;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** TLS of a test's own, and what clients say first. */
public final class TlsGreetings {
    private static final int BYTES_MAX = 1 << 15;

    private TlsGreetings() {}

    /** A server's side, with keys that nobody has seen. */
    public static TlsContext tls(Path folder) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        return new ServerIdentity(folder, null, new SecureRandom()).tls(keys, "a test", List.of(), false);
    }

    /** The first bytes of a client, whole. */
    public static byte[] greeting() throws Exception {
        SSLEngine client = SSLContext.getDefault().createSSLEngine("localhost", 1);
        client.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(BYTES_MAX);
        client.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }
}
