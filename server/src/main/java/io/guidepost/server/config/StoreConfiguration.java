package io.guidepost.server.config;

import io.guidepost.fleet.CacheInvalidations;
import io.guidepost.fleet.FleetSettings;
import io.guidepost.fleet.FleetStore;
import io.guidepost.packet.linux.HugePages;
import io.guidepost.store.IndexMemory;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import io.guidepost.store.embedded.WarmIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Reads the store's options from a configuration. */
public final class StoreConfiguration {
    /** Bytes that the index asks for at once: few calls, and no page is taken before it is touched. */
    private static final long INDEX_PIECE_BYTES = 64 << 20;

    /** Share of the memory that a part of the engine has: reads come from the index, so it needs little. */
    private static final int ENGINE_SHARE = 128;

    private static final long ENGINE_BYTES_MIN = 1 << 20;

    /** With more, an eighth of a memtable no longer fits a processor's cache. */
    private static final long ENGINE_BYTES_MAX = 32 << 20;

    /** The block cache, and memtables: one is written, two wait for the disk. */
    private static final int ENGINE_PARTS = 4;

    private StoreConfiguration() {}

    public static StoreOptions of(Configuration configuration) {
        long memory = configuration.get(ConfigurationKeys.STORE_MEMORY);
        long part = Math.clamp(memory / ENGINE_SHARE, ENGINE_BYTES_MIN, ENGINE_BYTES_MAX);
        return StoreOptions.in(configuration.get(ConfigurationKeys.STORE_FOLDER).toAbsolutePath())
                .withDurability(configuration.get(ConfigurationKeys.STORE_DURABILITY))
                .withIndexBytesMax(memory - ENGINE_PARTS * part)
                .withBlockCacheBytes(part)
                .withMemtableBytes((int) part)
                .withMemory(new IndexMemory(INDEX_PIECE_BYTES, HugePages::allocate));
    }

    /** Returns whether the records are in a cluster, which other servers change too. */
    public static boolean isShared(Configuration configuration) {
        return configuration.get(ConfigurationKeys.STORE_ENGINE) == StoreEngine.CASSANDRA;
    }

    /**
     * Opens the store that a configuration names.
     *
     * @param warm the index of a store in files, if it was read before
     * @param others tells the other servers of a cluster of writes
     */
    @SuppressWarnings("MustBeClosedChecker") // The caller closes it.
    public static RecordStore open(
            Configuration configuration, StoreOptions options, @Nullable WarmIndex warm, CacheInvalidations others)
            throws ConfigurationException, IOException {
        if (!isShared(configuration)) {
            return EmbeddedStore.open(options, warm);
        }
        // For what this server says of itself: who administered it.
        Files.createDirectories(options.folder());
        return FleetStore.open(fleet(configuration), options, others);
    }

    /** Returns how the cluster is reached. */
    public static FleetSettings fleet(Configuration configuration) throws ConfigurationException {
        Path authority = configuration.get(FleetKeys.AUTHORITY);
        String[] login = login(configuration);
        return new FleetSettings(
                configuration.get(FleetKeys.CONTACT_POINTS),
                configuration.get(FleetKeys.KEYSPACE),
                login[0],
                login[1],
                authority.toString().isEmpty() ? Optional.empty() : Optional.of(authority),
                configuration.get(FleetKeys.CONSISTENCY),
                configuration.get(FleetKeys.STALE_MILLIS),
                configuration.get(FleetKeys.SERVE_STALE_MILLIS));
    }

    /** Returns user and password; empty for none. */
    private static String[] login(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(FleetKeys.LOGIN_FILE);
        if (file.toString().isEmpty()) {
            return new String[] {"", ""};
        }
        try {
            String[] login = Files.readString(file).lines().findFirst().orElse("").split(":", 2);
            if (login.length == 2 && !login[0].isEmpty()) {
                return login;
            }
            throw configuration.fault(FleetKeys.LOGIN_FILE, "the first line of " + file + " is not user:password");
        } catch (IOException e) {
            throw configuration.fault(FleetKeys.LOGIN_FILE, "cannot be read: " + e.getMessage());
        }
    }

    /** Returns the threads on which look-ups wait for the store: as many as a disk serves at once, or one for each at a cluster. */
    public static ExecutorService waiting(Configuration configuration, int disk, String name) {
        return isShared(configuration)
                ? Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name, 0).factory())
                : Executors.newFixedThreadPool(disk, Thread.ofPlatform().daemon(true).name(name, 0).factory());
    }
}
