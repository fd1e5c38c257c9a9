package io.guidepost.alto.proxidor;

import io.guidepost.base.Prefix;
import java.util.List;

/**
 * Settings of a Proxidor door.
 *
 * @param ttlSeconds lifetime of a response, 0 to 65,535
 * @param unknownLast whether unknown candidates follow the others; otherwise responses omit them
 * @param trusted networks of proxies, which may rank for another source; sources that others name are ignored
 */
public record ProxidorSettings(int ttlSeconds, boolean unknownLast, List<Prefix> trusted) {
    /** The TTL of the prototype. */
    public static final int TTL_SECONDS = 60;

    private static final int TTL_MAX = 0xffff;

    /** Checks the range and copies the list. */
    public ProxidorSettings {
        if (ttlSeconds < 0 || ttlSeconds > TTL_MAX) {
            throw new IllegalArgumentException("the TTL of a response is 0 to 65535 seconds, not " + ttlSeconds);
        }
        trusted = List.copyOf(trusted);
    }
}
