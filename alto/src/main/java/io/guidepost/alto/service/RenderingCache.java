package io.guidepost.alto.service;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.ResourceContent;
import io.guidepost.web.HttpResponse;
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
    synchronized byte[] zipped() {
        byte[] made = zipped;
        if (made == null) {
            made = HttpResponse.gzip(content.body());
            zipped = made;
        }
        return made;
    }
}
