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
 * What was rendered, of which version, and the same compressed: a map of a million prefixes is compressed once, and not for
 * each who asks. Thread-safe.
 */
final class RenderingCache {
    /** Below, the host compresses as well as we do. */
    private static final int ZIPPED_BYTES_MIN = 1 << 14;

    private final AltoSnapshot information;
    private final ResourceContent content;
    private final ReentrantLock lock = new ReentrantLock();
    private byte @Nullable [] zipped;

    RenderingCache(AltoSnapshot information, ResourceContent content) {
        this.information = information;
        this.content = content;
    }

    @SuppressWarnings("ReferenceEquality") // A version is one object; comparing what is in two would take longer than rendering.
    boolean isOf(AltoSnapshot now) {
        return information == now;
    }

    ResourceContent content() {
        return content;
    }

    /** Whether it is kept compressed. */
    boolean isLong() {
        return content.body().length >= ZIPPED_BYTES_MIN;
    }

    /** The body, compressed by the first who asks. */
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

    /** Whether who asks takes what is compressed (RFC 9110 section 12.5.3). */
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
