package io.guidepost.alto.service;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.ResourceContent;
import io.guidepost.web.HttpRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A cached rendering of one version, plain and compressed. A map of a million prefixes is compressed once, not for each
 * client. Thread-safe.
 */
final class RenderingCache {
    /** Shorter bodies are compressed by the HTTP server. */
    private static final int ZIPPED_BYTES_MIN = 1 << 14;

    private final AltoSnapshot information;
    private final ResourceContent content;
    private final ReentrantLock lock = new ReentrantLock();
    private byte @Nullable [] zipped;

    RenderingCache(AltoSnapshot information, ResourceContent content) {
        this.information = information;
        this.content = content;
    }

    @SuppressWarnings("ReferenceEquality") // Versions are compared by identity; comparing their content would take longer than rendering.
    boolean isOf(AltoSnapshot now) {
        return information == now;
    }

    ResourceContent content() {
        return content;
    }

    /** Returns whether the rendering is cached in compressed form. */
    boolean isLong() {
        return content.body().length >= ZIPPED_BYTES_MIN;
    }

    /** Returns the compressed body; the first client's request compresses it. */
    byte[] zipped() {
        lock.lock();
        try {
            byte[] made = zipped;
            if (made == null) {
                made = compressed(content.body());
                zipped = made;
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    private static byte[] compressed(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
        try (OutputStream zip = new GZIPOutputStream(out, ZIPPED_BYTES_MIN)) {
            zip.write(bytes);
        } catch (IOException e) {
            throw new AssertionError("memory takes what is written", e);
        }
        return out.toByteArray();
    }

    /** Returns whether the client accepts gzip (RFC 9110 section 12.5.3). */
    static boolean takesZipped(HttpRequest request) {
        for (String each : request.header("accept-encoding").orElse("").toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = each.split(";", 2);
            if (parts[0].strip().equals("gzip")) {
                return parts.length == 1 || !parts[1].strip().matches("q=0(\\.0*)?");
            }
        }
        return false;
    }
}
