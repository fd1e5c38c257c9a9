package io.guidepost.bench.handle;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.handle.message.OpFlag;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Kinds of slowloris connections: what they send half of, and the protocol of the honest clients beside them. */
enum SlowlorisMode {
    TCP("TCP, half a message", HandleBenchCommand.Way.TCP, false),
    JSON("HTTP, half a GET", HandleBenchCommand.Way.HTTP_JSON, false),
    NATIVE("HTTP, half a message in a POST", HandleBenchCommand.Way.HTTP_NATIVE, false),
    TLS("TLS, half a greeting", HandleBenchCommand.Way.HTTP_JSON, true),
    TLS_JSON("TLS, half a GET", HandleBenchCommand.Way.HTTP_JSON, true),
    IDLE("TCP, nothing", HandleBenchCommand.Way.TCP, false);

    private final String label;
    private final HandleBenchCommand.Way way;
    private final boolean secure;

    SlowlorisMode(String label, HandleBenchCommand.Way way, boolean secure) {
        this.label = label;
        this.way = way;
        this.secure = secure;
    }

    String label() {
        return label;
    }

    /** Returns whether honest clients use TLS. */
    boolean secure() {
        return secure;
    }

    /** Returns whether slow clients complete the TLS handshake first. */
    boolean greets() {
        return this == TLS_JSON;
    }

    boolean http() {
        return way != HandleBenchCommand.Way.TCP;
    }

    /** Returns a full request for a handle; over native TCP the connection ends after its response. */
    byte[] question(String handle, InetSocketAddress server) {
        HandleRequests questions = new HandleRequests(handle, 1, OpFlag.PUBL);
        return CStreamGenerator.question(way, questions, 0, server);
    }

    /** Returns the part that slow clients send. */
    byte[] half(String handle, InetSocketAddress server) {
        byte[] question = question(handle, server);
        return switch (this) {
            case IDLE -> new byte[0];
            case TLS -> greeting();
            case TCP, JSON, NATIVE, TLS_JSON -> Arrays.copyOf(question, question.length - 20);
        };
    }

    private static byte[] greeting() {
        try {
            SSLEngine engine = anybody().createSSLEngine("localhost", 1);
            engine.setUseClientMode(true);
            ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(ByteBuffer.wrap("".getBytes(StandardCharsets.US_ASCII)), out);
            return Arrays.copyOf(out.array(), out.position() / 2);
        } catch (SSLException e) {
            throw new BenchFailure("there is no TLS here: " + e.getMessage(), e);
        }
    }

    /** Trusts any certificate: the measured server is on this machine. */
    static SSLContext anybody() {
        TrustManager trusting = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trusting}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new BenchFailure("there is no TLS here: " + e.getMessage(), e);
        }
    }
}
