package io.guidepost.server;

import io.guidepost.handle.Handle;
import io.guidepost.handle.SiteInterface;
import io.guidepost.handle.SiteInterface.Transport;
import io.guidepost.handle.SiteRecord;
import io.guidepost.handle.SiteServer;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.client.ClientSettings;
import io.guidepost.handle.client.SiteHandles;
import io.guidepost.handle.door.DoorSettings;
import io.guidepost.handle.http.RedirectorSettings;
import io.guidepost.handle.json.SiteMapJson;
import io.guidepost.handle.location.Geography;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.service.HandleSettings;
import io.guidepost.handle.template.TemplateSettings;
import io.guidepost.handle.transfer.ServerFolder;
import io.guidepost.names.FaultyFile;
import io.guidepost.names.Malformed;
import io.guidepost.proximity.Prefix;
import io.guidepost.server.web.HostSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the Handle door from a configuration. */
final class HandleConfiguration {
    private static final String PASSPHRASE = "GUIDEPOST_PASSPHRASE";

    /** How long another server is waited for: clients of this one wait meanwhile. */
    private static final Duration OTHERS_TIMEOUT = Duration.ofSeconds(10);

    private HandleConfiguration() {}

    /** Something that a text of the configuration stands for. */
    private interface Parser<T> {
        T parse(String text) throws Malformed;
    }

    private static <T> List<T> list(Configuration configuration, Key<List<String>> key, Parser<T> parser)
            throws ConfigurationException {
        List<T> list = new ArrayList<>();
        for (String each : configuration.get(key)) {
            try {
                list.add(parser.parse(each));
            } catch (Malformed e) {
                throw Addressing.fault(configuration, key, "'" + each + "': " + e.getMessage());
            }
        }
        return list;
    }

    private static Handle prefixHandle(String text) throws Malformed {
        return text.indexOf('/') < 0 ? Handle.ofPrefix(text) : Handle.parse(text);
    }

    /** How the door behaves. */
    static HandleSettings settings(Configuration configuration, SiteRecord site, KeyPair keys)
            throws ConfigurationException {
        return HandleSettings.of(site, configuration.get(Keys.HANDLE_SERVER_ID).intValue(), keys)
                .withServerAdmins(list(configuration, Keys.HANDLE_SERVER_ADMINS, ValueReference::parse))
                .withServerAdminFullAccess(configuration.get(Keys.HANDLE_FULL_ACCESS))
                .withAutoHomed(list(configuration, Keys.HANDLE_AUTO_HOMED, HandleConfiguration::prefixHandle))
                .withCaseSensitive(configuration.get(Keys.HANDLE_CASE_SENSITIVE))
                .withPrefixAdmins(configuration.get(Keys.HANDLE_PREFIX_ADMINS))
                .withListing(configuration.get(Keys.HANDLE_LISTING))
                .withRecursion(configuration.get(Keys.HANDLE_RECURSION))
                .withWeakCryptography(configuration.get(Keys.HANDLE_WEAK))
                .withChallengeLife(Duration.ofMillis(configuration.get(Keys.HANDLE_CHALLENGE_MILLIS)))
                .withSessionLifeMax(Duration.ofMillis(configuration.get(Keys.HANDLE_SESSION_MILLIS)))
                .withStatusAdmins(list(configuration, Keys.HANDLE_STATUS_ADMINS, ValueReference::parse))
                .withReplicationAdmins(list(configuration, Keys.HANDLE_REPLICATION_ADMINS, ValueReference::parse))
                .withReadOnly(readOnly(configuration));
    }

    private static boolean readOnly(Configuration configuration) {
        return configuration.get(Keys.HANDLE_READ_ONLY) || HandleMirrors.wanted(configuration);
    }

    /** The site that a file describes; empty if none is named. */
    static Optional<SiteRecord> siteFile(Configuration configuration, Key<Path> key) throws ConfigurationException {
        Path file = configuration.get(key);
        return file.toString().isEmpty() ? Optional.empty() : Optional.of(site(configuration, key, file));
    }

    /** The site that a file describes, which a key names. */
    static SiteRecord site(Configuration configuration, Key<?> key, Path file) throws ConfigurationException {
        try {
            return ServerFolder.readSiteFile(file);
        } catch (NoSuchFileException e) {
            throw Addressing.fault(configuration, key, "there is no file " + file);
        } catch (IOException | FaultyFile e) {
            throw Addressing.fault(configuration, key, "cannot be read (" + e.getMessage() + ")");
        }
    }

    /** The other servers; whoever takes them closes them. Their answers count only with their signature. */
    static Optional<SiteHandles> others(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(Keys.HANDLE_OTHER_SITES);
        Optional<SiteRecord> root = siteFile(configuration, Keys.HANDLE_ROOT_SITE);
        if (file.toString().isEmpty() && root.isEmpty()) {
            return Optional.empty();
        }
        try {
            Map<String, List<SiteRecord>> sites =
                    file.toString().isEmpty() ? Map.of() : SiteMapJson.read(Files.readAllBytes(file));
            return Optional.of(new SiteHandles(
                    sites, root, ClientSettings.DEFAULT.withTimeout(OTHERS_TIMEOUT).withCertified(true)));
        } catch (NoSuchFileException e) {
            throw Addressing.fault(configuration, Keys.HANDLE_OTHER_SITES, "there is no file " + file);
        } catch (IOException | Malformed e) {
            throw Addressing.fault(configuration, Keys.HANDLE_OTHER_SITES, file + ": " + e.getMessage());
        }
    }

    /** How templates make records. */
    static TemplateSettings templates(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(Keys.HANDLE_NAMESPACE_FILE);
        try {
            String xml = file.toString().isEmpty() ? "" : Files.readString(file);
            return TemplateSettings.of(
                    configuration.get(Keys.HANDLE_TEMPLATE_DELIMITER),
                    xml,
                    configuration.get(Keys.HANDLE_NAMESPACE_OVERRIDE));
        } catch (IOException | Malformed e) {
            throw Addressing.fault(configuration, Keys.HANDLE_NAMESPACE_FILE, "cannot be read (" + e.getMessage() + ")");
        }
    }

    /** The pages for browsers. */
    static RedirectorSettings pages(Configuration configuration) throws ConfigurationException {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String each : configuration.get(Keys.HANDLE_PAGE_HEADERS)) {
            int colon = each.indexOf(':');
            headers.put(each.substring(0, Math.max(0, colon)).strip(), each.substring(colon + 1).strip());
        }
        Path folder = configuration.get(Keys.HANDLE_PAGES);
        try {
            return RedirectorSettings.of(
                    folder.toString().isEmpty() ? Optional.empty() : Optional.of(folder), headers);
        } catch (IOException e) {
            throw Addressing.fault(configuration, Keys.HANDLE_PAGES, "cannot be read (" + e.getMessage() + ")");
        } catch (IllegalArgumentException e) {
            throw Addressing.fault(configuration, Keys.HANDLE_PAGE_HEADERS, String.valueOf(e.getMessage()));
        }
    }

    /** Where browsers are, as far as a file says it. */
    static Geography countries(Configuration configuration) throws ConfigurationException, IOException {
        Path file = configuration.get(Keys.HANDLE_COUNTRIES);
        try {
            return file.toString().isEmpty() ? Geography.NONE : CountriesFile.read(file);
        } catch (FaultyFile e) {
            throw new ConfigurationException(e.faults());
        }
    }

    /** How connections are treated. */
    static HostSettings host(Configuration configuration) throws ConfigurationException {
        long loops = configuration.get(Keys.HANDLE_LOOPS);
        return new HostSettings(
                configuration.get(Keys.SERVER_TRANSPORT),
                loops > 0 ? (int) loops : Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                configuration.get(Keys.HANDLE_CONNECTIONS_MAX).intValue(),
                configuration.get(Keys.HANDLE_IN_FLIGHT_MAX).intValue(),
                HostSettings.STANDARD.lastingMax(),
                configuration.get(Keys.HANDLE_IDLE_MILLIS),
                configuration.get(Keys.HANDLE_PART_MILLIS),
                configuration.get(Keys.HANDLE_RECEIVER_MILLIS),
                configuration.get(Keys.HANDLE_BODY_BYTES_MAX).intValue(),
                list(configuration, Keys.HANDLE_TRUSTED_PROXIES, Prefix::parseOrAddress),
                configuration.get(Keys.HANDLE_CLIENT_CERTIFICATES));
    }

    /** How datagrams are treated. */
    static DoorSettings door(Configuration configuration) {
        return new DoorSettings(
                configuration.get(Keys.HANDLE_UDP_CHANGES),
                configuration.get(Keys.HANDLE_UDP_CALLS_MAX).intValue(),
                configuration.get(Keys.HANDLE_UDP_BIG_BYTES));
    }

    /** The passphrase of the server's private key; null = it is in clear. */
    static char @Nullable [] passphrase(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(Keys.HANDLE_PASSPHRASE_FILE);
        if (file.toString().isEmpty()) {
            String text = System.getenv(PASSPHRASE);
            return text == null ? null : text.toCharArray();
        }
        try {
            return Files.readString(file).lines().findFirst().orElse("").toCharArray();
        } catch (IOException e) {
            throw Addressing.fault(configuration, Keys.HANDLE_PASSPHRASE_FILE, "cannot be read (" + e.getMessage() + ")");
        }
    }

    /** The address that the site's description has for this server. */
    static InetAddress advertised(Configuration configuration, List<InetAddress> listen) throws ConfigurationException {
        String text = configuration.get(Keys.HANDLE_ADVERTISE);
        if (!text.isEmpty()) {
            return Addressing.address(configuration, Keys.HANDLE_ADVERTISE, text);
        }
        return listen.stream()
                .filter(each -> !each.isAnyLocalAddress())
                .findFirst()
                .orElseGet(() -> InetAddress.ofLiteral("127.0.0.1"));
    }

    /**
     * The description of a site of this server alone.
     *
     * @param key the record of its public key
     */
    static SiteRecord site(
            Configuration configuration,
            byte[] key,
            InetAddress address,
            List<InetSocketAddress> udp,
            List<InetSocketAddress> tcp,
            List<InetSocketAddress> http) {
        boolean changes = !readOnly(configuration);
        List<SiteInterface> interfaces = new ArrayList<>();
        udp.stream().limit(1).forEach(each -> interfaces.add(new SiteInterface(
                configuration.get(Keys.HANDLE_UDP_CHANGES), true, Transport.UDP, each.getPort())));
        tcp.stream().limit(1).forEach(each -> interfaces.add(
                new SiteInterface(changes, true, Transport.TCP, each.getPort())));
        http.stream().limit(1).forEach(each -> {
            interfaces.add(new SiteInterface(changes, true, Transport.HTTP, each.getPort()));
            interfaces.add(new SiteInterface(changes, true, Transport.HTTPS, each.getPort()));
        });
        return new SiteRecord(
                ProtocolVersion.CURRENT.major(),
                ProtocolVersion.CURRENT.minor(),
                1,
                changes,
                changes && !configuration.get(Keys.HANDLE_PRIMARIES).isEmpty(),
                SiteRecord.Hash.HANDLE,
                new byte[0],
                List.of(new SiteRecord.Attribute("desc", configuration.get(Keys.HANDLE_DESCRIPTION))),
                List.of(new SiteServer(
                        configuration.get(Keys.HANDLE_SERVER_ID).intValue(),
                        SiteServer.address(address),
                        key,
                        interfaces)));
    }
}
