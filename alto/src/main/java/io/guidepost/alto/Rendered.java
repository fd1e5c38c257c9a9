package io.guidepost.alto;

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
final class Rendered {
    /** Below, the host compresses as well as we do. */
    private static final int ZIPPED_BYTES_MIN = 1 << 14;

    private final Information information;
    private final Content content;
    private final ReentrantLock lock = new ReentrantLock();
    private byte @Nullable [] zipped;

    Rendered(Information information, Content content) {
        this.information = information;
        this.content = content;
    }

    @SuppressWarnings("ReferenceEquality") // A version is one object; comparing what is in two would take longer than rendering.
    boolean isOf(Information now) {
        return information == now;
    }

    Content content() {
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
