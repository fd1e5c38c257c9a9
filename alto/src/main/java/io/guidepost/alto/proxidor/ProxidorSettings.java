package io.guidepost.alto.proxidor;

import io.guidepost.base.Prefix;
import java.util.List;

/**
 * How a Proxidor door behaves.
 *
 * @param ttlSeconds how long an answer may be used, 0 to 65,535
 * @param unknownLast whether candidates that nobody knows stand behind the others; else answers leave them out
 * @param trusted who may ask for somebody else, as proxies do; the sources that others name are not looked at
 * @param fair whether those who ask more than their share give way while questions are lost for want of time
 */
public record ProxidorSettings(int ttlSeconds, boolean unknownLast, List<Prefix> trusted, boolean fair) {
    /** What the prototype said. */
    public static final int TTL_SECONDS = 60;

    private static final int TTL_MAX = 0xffff;

    /** Checks the range and copies the list. */
    public ProxidorSettings {
        if (ttlSeconds < 0 || ttlSeconds > TTL_MAX) {
            throw new IllegalArgumentException("an answer may be used for 0 to 65535 seconds, not " + ttlSeconds);
        }
        trusted = List.copyOf(trusted);
    }

    /** Like the prototype: 60 seconds, unknown candidates left out, no proxies; and fair. */
    public static ProxidorSettings defaults() {
        return new ProxidorSettings(TTL_SECONDS, false, List.of(), true);
    }
}
