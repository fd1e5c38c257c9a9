package io.guidepost.server.gnrs;

import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Set;

/** Reads from a configuration what it says of the other servers. */
public final class PeerConfiguration {
    /** Fewer are guessed too soon: as many as the seal has. */
    private static final int KEY_BYTES_MIN = 16;

    /** A secret is short; a longer file is another one, named by mistake. */
    private static final int KEY_BYTES_MAX = 4096;

    /** Between two pings of a server, where the timeout is shorter. */
    private static final int PING_MILLIS_MIN = 10;

    private static final Logger LOG = System.getLogger(PeerConfiguration.class.getName());

    private PeerConfiguration() {}

    static ReplicationSettings of(Configuration configuration) throws ConfigurationException {
        int timeoutMillis = configuration.get(ConfigurationKeys.SITES_TIMEOUT_MILLIS).intValue();
        long cacheTtlMillis = configuration.get(ConfigurationKeys.SITES_CACHE_TTL_MILLIS);
        ReplicationSettings standard = ReplicationSettings.defaults();
        return new ReplicationSettings(
                timeoutMillis,
                standard.attemptsMax(),
                configuration.get(ConfigurationKeys.SITES_CHOICE),
                standard.hedged(),
                configuration.get(ConfigurationKeys.SITES_ANSWERS).intValue(),
                configuration.get(ConfigurationKeys.SITES_QUORUM),
                standard.relaysMax(),
                cacheTtlMillis == 0 ? 0 : standard.cacheBytesMax(),
                cacheTtlMillis,
                Math.min(cacheTtlMillis, standard.negativeTtlMillis()),
                configuration.get(ConfigurationKeys.SITES_TOMBSTONE_MILLIS),
                standard.hintBytesMax(),
                configuration.get(ConfigurationKeys.SITES_CATCH_UP_BYTES).intValue(),
                // An operator sees a silent server within three timeouts.
                Math.max(PING_MILLIS_MIN, timeoutMillis),
                configuration.get(ConfigurationKeys.SITES_COMPARE_MILLIS).intValue(),
                key(configuration));
    }

    /**
     * Returns the key that servers seal their messages with; empty if none is named.
     *
     * @throws ConfigurationException if it cannot be read, or is too short
     */
    public static byte[] key(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(ConfigurationKeys.SITES_KEY_FILE);
        if (file.toString().isEmpty()) {
            return new byte[0];
        }
        byte[] key;
        try (InputStream in = Files.newInputStream(file)) {
            key = stripped(in.readNBytes(KEY_BYTES_MAX + 1));
        } catch (IOException e) {
            throw configuration.fault(ConfigurationKeys.SITES_KEY_FILE, file + " cannot be read (" + e.getMessage() + ")");
        }
        if (key.length < KEY_BYTES_MIN || key.length > KEY_BYTES_MAX) {
            throw configuration.fault(ConfigurationKeys.SITES_KEY_FILE,
                    file + " has " + (key.length > KEY_BYTES_MAX ? "more than 4096" : key.length)
                    + " bytes; a key has 16 to 4096: make one with  head -c 32 /dev/urandom | base64 > " + file);
        }
        if (isReadableByOthers(file)) {
            LOG.log(
                    Logger.Level.WARNING,
                    "the key in {0} can be read by other users of this machine: chmod 600 {0}",
                    file);
        }
        return key;
    }

    /** Without the line end that an editor puts behind it. */
    private static byte[] stripped(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r')) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    private static boolean isReadableByOthers(Path file) {
        try {
            Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
            return allowed.contains(PosixFilePermission.OTHERS_READ) || allowed.contains(PosixFilePermission.GROUP_READ);
        } catch (IOException | RuntimeException e) {
            // A file system that has no such permissions has other ways that we cannot judge.
            return false;
        }
    }
}
