package io.guidepost.server.handle;

import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.handle.key.PrivateKeyFile;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.MirrorPartition;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.replication.HandleMirror;
import io.guidepost.handle.replication.MirrorSettings;
import io.guidepost.handle.replication.MirrorStatus;
import io.guidepost.handle.replication.TlsUpstream;
import io.guidepost.handle.replication.TransactionLog;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.config.Key;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.HealthCondition;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Follows each server of the site that this server mirrors, or of the sites that take changes besides it, in a thread each;
 * of no site, nothing.
 */
final class HandleMirrors implements AutoCloseable {
    private static final Logger LOG = System.getLogger(HandleMirrors.class.getName());

    /** How long a thread that ends is waited for, milliseconds: the store closes next. */
    private static final long END_MILLIS = 5000;

    /** Bytes of the digest of a server's key in the name under which it is kept how far its mirror is. */
    private static final int NAME_BYTES = 8;

    /** Questions in a row that a source leaves unanswered until that counts as a condition: one or two are lost on a bad day. */
    private static final int FAILURES_MAX = 3;

    private static final class Followed {
        private final InetSocketAddress source;
        private final HandleMirror mirror;
        private volatile String ended = "";

        Followed(InetSocketAddress source, HandleMirror mirror) {
            this.source = source;
            this.mirror = mirror;
        }
    }

    private final List<Followed> followed;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    private HandleMirrors(List<Followed> followed) {
        this.followed = followed;
    }

    /** Whether a site is mirrored, so that this server takes no changes. */
    public static boolean wanted(Configuration configuration) {
        return !configuration.get(ConfigurationKeys.HANDLE_MIRROR_SITE).toString().isEmpty();
    }

    /**
     * Makes the mirrors that a configuration wants.
     *
     * @param settings of this server
     * @param transactions its log, opened
     */
    public static HandleMirrors of(
            Configuration configuration,
            HandleSettings settings,
            HandleRecords records,
            HomedPrefixes homes,
            TransactionLog transactions,
            SecureRandom random)
            throws ConfigurationException {
        Optional<SiteRecord> only = HandleConfiguration.siteFile(configuration, ConfigurationKeys.HANDLE_MIRROR_SITE);
        List<Path> primaries = configuration.get(ConfigurationKeys.HANDLE_PRIMARIES);
        if (only.isEmpty() && primaries.isEmpty()) {
            return new HandleMirrors(List.of());
        }
        Following following = new Following(
                configuration,
                settings,
                configuration.get(ConfigurationKeys.HANDLE_MIRROR_IDENTITY).orElseThrow(),
                secret(configuration, settings),
                records,
                homes,
                transactions,
                random);
        List<Followed> followed = new ArrayList<>();
        if (only.isPresent()) {
            following.site(only.get(), ConfigurationKeys.HANDLE_MIRROR_SITE, false, followed);
        }
        for (Path each : primaries) {
            SiteRecord site = HandleConfiguration.site(configuration, ConfigurationKeys.HANDLE_PRIMARIES, each);
            following.site(site, ConfigurationKeys.HANDLE_PRIMARIES, true, followed);
        }
        return new HandleMirrors(List.copyOf(followed));
    }

    static void check(FileCheck files) {
        Configuration configuration = files.configuration();
        files.read(
                ConfigurationKeys.HANDLE_MIRROR_SITE,
                () -> HandleConfiguration.siteFile(configuration, ConfigurationKeys.HANDLE_MIRROR_SITE));
        for (Path each : configuration.get(ConfigurationKeys.HANDLE_PRIMARIES)) {
            files.read(
                    ConfigurationKeys.HANDLE_PRIMARIES,
                    () -> HandleConfiguration.site(configuration, ConfigurationKeys.HANDLE_PRIMARIES, each));
        }
        if (!configuration.get(ConfigurationKeys.HANDLE_MIRROR_KEY).toString().isEmpty()) {
            files.read(ConfigurationKeys.HANDLE_MIRROR_KEY, () -> secret(configuration));
        }
    }

    /** What all that is followed has in common. */
    private record Following(
            Configuration configuration,
            HandleSettings settings,
            ValueReference who,
            PrivateKey secret,
            HandleRecords records,
            HomedPrefixes homes,
            TransactionLog transactions,
            SecureRandom random) {
        /** Follows each server of a site that a key names. */
        void site(SiteRecord site, Key<?> key, boolean several, List<Followed> into) throws ConfigurationException {
            for (int i = 0; i < site.servers().size(); i++) {
                SiteServer server = site.servers().get(i);
                TlsUpstream origin = origin(configuration, key, server, who, secret, random);
                MirrorSettings mirror = new MirrorSettings(
                        name(server),
                        receiver(settings),
                        new MirrorPartition(site.hash(), site.servers().size(), i),
                        several,
                        Duration.ofSeconds(configuration.get(ConfigurationKeys.HANDLE_MIRROR_SECONDS)),
                        MirrorSettings.PAUSE_MAX);
                into.add(new Followed(
                        origin.source(),
                        new HandleMirror(mirror, origin, records, homes, transactions, InstantSource.system())));
            }
        }
    }

    private static PrivateKey secret(Configuration configuration, HandleSettings settings)
            throws ConfigurationException {
        return configuration.get(ConfigurationKeys.HANDLE_MIRROR_KEY).toString().isEmpty()
                ? settings.keys().getPrivate()
                : secret(configuration);
    }

    private static PrivateKey secret(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(ConfigurationKeys.HANDLE_MIRROR_KEY);
        try {
            return PrivateKeyFile.read(Files.readAllBytes(file), HandleConfiguration.passphrase(configuration), true)
                    .key();
        } catch (IOException | Malformed | PrivateKeyFile.WrongPassphrase e) {
            throw configuration.fault(ConfigurationKeys.HANDLE_MIRROR_KEY, file + " cannot be read (" + e.getMessage() + ")");
        }
    }

    private static TlsUpstream origin(
            Configuration configuration,
            Key<?> key,
            SiteServer server,
            ValueReference who,
            PrivateKey secret,
            SecureRandom random)
            throws ConfigurationException {
        String which = "server " + server.id() + " of the site ";
        int port = server.interfaces().stream()
                .filter(each -> each.transport() == SiteInterface.Transport.TCP && each.admin())
                .findFirst()
                .map(SiteInterface::port)
                .orElseThrow(() -> configuration.fault(key, which + "takes no administration over TCP"));
        try {
            return new TlsUpstream(
                    new InetSocketAddress(server.inetAddress(), port),
                    PublicKeyRecord.read(server.publicKey()).key(),
                    who,
                    secret,
                    TlsUpstream.TIMEOUT_MILLIS_USUAL,
                    InstantSource.system(),
                    random);
        } catch (Malformed e) {
            throw configuration.fault(key, which + "has no public key: " + e.getMessage());
        }
    }

    /** The same as long as the source has its number and key, whatever its address is: another source is copied from its beginning. */
    private static String name(SiteServer server) {
        return server.id() + "-" + HexFormat.of().formatHex(Sha256.of(server.publicKey()), 0, NAME_BYTES);
    }

    private static MirrorPartition receiver(HandleSettings settings) {
        List<SiteServer> servers = settings.site().servers();
        for (int i = 0; i < servers.size(); i++) {
            if (servers.get(i).id() == settings.serverId()) {
                return new MirrorPartition(settings.site().hash(), servers.size(), i);
            }
        }
        return MirrorSettings.ALL;
    }

    /** Begins to follow. */
    public void start() {
        for (Followed each : followed) {
            LOG.log(Logger.Level.INFO, "the handles of {0} are mirrored", AddressText.of(each.source));
            threads.add(Thread.ofVirtual().name("handle-mirror").start(() -> follow(each)));
        }
    }

    private void follow(Followed each) {
        try {
            each.mirror.follow();
        } catch (RuntimeException e) {
            if (!closed) {
                each.ended = e.toString();
                LOG.log(
                        Logger.Level.ERROR,
                        "{0} is not mirrored until the next start: {1}",
                        AddressText.of(each.source),
                        e.toString());
            }
        }
    }

    /** Has everything fetched again; how many sources that is. */
    public int redump() {
        followed.forEach(each -> each.mirror.redump());
        return followed.size();
    }

    /** Returns what keeps this server from holding what its sources hold. */
    List<HealthCondition> conditions() {
        List<HealthCondition> all = new ArrayList<>();
        for (Followed each : followed) {
            String source = AddressText.of(each.source);
            MirrorStatus status = each.mirror.status();
            if (!each.ended.isEmpty()) {
                all.add(new HealthCondition("mirror-ended", source + " is not mirrored until the next start: " + each.ended, false));
            } else if (status.failures() >= FAILURES_MAX) {
                all.add(new HealthCondition(
                        "mirror-failing", source + " was asked " + status.failures() + " times in vain: " + status.trouble(), false));
            }
            if (status.refused() > 0) {
                all.add(new HealthCondition(
                        "mirror-skips", status.refused() + " records of " + source + " are not here, last " + status.lastRefused(), true));
            }
        }
        return all;
    }

    /** Writes how each is doing, by the address of its source; of none, no samples. */
    void write(Exposition out) {
        out.gauge("guidepost_handle_mirror_dumping", "Whether all handles of a source are being fetched, 0 or 1; by source.");
        whole(out, status -> status.dumping() ? 1 : 0);
        out.gauge("guidepost_handle_mirror_position", "Number of the source's last change that is here.");
        whole(out, status -> status.position().transactionId());
        out.gauge(
                "guidepost_handle_mirror_asked_seconds",
                "When the source last sent all it had, in seconds since 1970; 0 = never. The time since then is the lag.");
        followed.forEach(each -> out.sample(each.mirror.status().askedMillis() * 1e-3, "source", AddressText.of(each.source)));
        out.gauge("guidepost_handle_mirror_failures", "Questions in a row that the source did not answer.");
        whole(out, MirrorStatus::failures);
        out.counter("guidepost_handle_mirror_changes", "Changes of the source that were applied.");
        whole(out, MirrorStatus::transactions);
        out.counter("guidepost_handle_mirror_records", "Records that came when all were fetched.");
        whole(out, MirrorStatus::records);
        out.counter("guidepost_handle_mirror_dumps", "How often all were fetched, or the rest of all.");
        whole(out, MirrorStatus::dumps);
        out.counter("guidepost_handle_mirror_refused", "Records that do not fit the store, and were left out.");
        whole(out, MirrorStatus::refused);
    }

    private void whole(Exposition out, ToLongFunction<MirrorStatus> number) {
        followed.forEach(each -> out.sample(number.applyAsLong(each.mirror.status()), "source", AddressText.of(each.source)));
    }

    /** Ends the threads. */
    @Override
    public void close() {
        closed = true;
        followed.forEach(each -> each.mirror.close());
        threads.forEach(Thread::interrupt);
        try {
            for (Thread each : threads) {
                each.join(END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
