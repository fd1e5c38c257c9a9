package io.guidepost.server.handle;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.RecursiveResolver;
import io.guidepost.handle.door.HandleDoorSettings;
import io.guidepost.handle.json.SiteMapJson;
import io.guidepost.handle.location.Geolocation;
import io.guidepost.handle.message.ProtocolVersion;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.ServerAdministrators;
import io.guidepost.handle.redirector.RedirectorSettings;
import io.guidepost.handle.template.TemplateSettings;
import io.guidepost.handle.transfer.ServerFolder;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteInterface.Transport;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.config.HandlePermit;
import io.guidepost.server.config.Key;
import io.guidepost.server.http.tls.TlsCertificates;
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

    /** How the door behaves. */
    public static HandleSettings settings(Configuration configuration, SiteRecord site, KeyPair keys) {
        return new HandleSettings(
                site,
                configuration.get(ConfigurationKeys.HANDLE_SERVER_ID).intValue(),
                keys,
                administrators(configuration),
                permits(configuration, HandlePermit.SERVER_ADMIN_FULL_ACCESS),
                configuration.get(ConfigurationKeys.HANDLE_AUTO_HOMED),
                configuration.get(ConfigurationKeys.HANDLE_CASE_SENSITIVE),
                permits(configuration, HandlePermit.PREFIX_ADMINS),
                permits(configuration, HandlePermit.LISTING),
                permits(configuration, HandlePermit.RECURSION),
                permits(configuration, HandlePermit.WEAK_CRYPTOGRAPHY),
                readOnly(configuration));
    }

    static ServerAdministrators administrators(Configuration configuration) {
        return new ServerAdministrators(
                configuration.get(ConfigurationKeys.HANDLE_SERVER_ADMINS),
                configuration.get(ConfigurationKeys.HANDLE_STATUS_ADMINS),
                configuration.get(ConfigurationKeys.HANDLE_REPLICATION_ADMINS));
    }

    static boolean permits(Configuration configuration, HandlePermit what) {
        return configuration.get(ConfigurationKeys.HANDLE_PERMIT).contains(what);
    }

    private static boolean readOnly(Configuration configuration) {
        return configuration.get(ConfigurationKeys.HANDLE_READ_ONLY) || HandleMirrors.wanted(configuration);
    }

    /** The site that a file describes; empty if none is named. */
    static Optional<SiteRecord> siteFile(Configuration configuration, Key<Path> key) throws ConfigurationException {
        Path file = configuration.get(key);
        return file.toString().isEmpty() ? Optional.empty() : Optional.of(site(configuration, key, file));
    }

    static SiteRecord site(Configuration configuration, Key<?> key, Path file) throws ConfigurationException {
        try {
            return ServerFolder.readSiteFile(file);
        } catch (NoSuchFileException e) {
            throw configuration.fault(key, "there is no file " + file);
        } catch (IOException | FaultyFile e) {
            throw configuration.fault(key, "cannot be read (" + e.getMessage() + ")");
        }
    }

    /** Returns the other servers; the caller closes them. Their answers count only with their signature. */
    public static Optional<RecursiveResolver> others(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(ConfigurationKeys.HANDLE_OTHER_SITES);
        Optional<SiteRecord> root = siteFile(configuration, ConfigurationKeys.HANDLE_ROOT_SITE);
        if (file.toString().isEmpty() && root.isEmpty()) {
            return Optional.empty();
        }
        try {
            Map<String, List<SiteRecord>> sites =
                    file.toString().isEmpty() ? Map.of() : SiteMapJson.read(Files.readAllBytes(file));
            return Optional.of(new RecursiveResolver(
                    sites, root, HandleClientSettings.DEFAULT.withTimeout(OTHERS_TIMEOUT).withCertified(true)));
        } catch (NoSuchFileException e) {
            throw configuration.fault(ConfigurationKeys.HANDLE_OTHER_SITES, "there is no file " + file);
        } catch (IOException | Malformed e) {
            throw configuration.fault(ConfigurationKeys.HANDLE_OTHER_SITES, file + ": " + e.getMessage());
        }
    }

    /** How templates make records. */
    public static TemplateSettings templates(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(ConfigurationKeys.HANDLE_NAMESPACE_FILE);
        try {
            String xml = file.toString().isEmpty() ? "" : Files.readString(file);
            return TemplateSettings.of(
                    configuration.get(ConfigurationKeys.HANDLE_TEMPLATE_DELIMITER),
                    xml,
                    configuration.get(ConfigurationKeys.HANDLE_NAMESPACE_OVERRIDE));
        } catch (IOException | Malformed e) {
            throw configuration.fault(ConfigurationKeys.HANDLE_NAMESPACE_FILE, "cannot be read (" + e.getMessage() + ")");
        }
    }

    /** The pages for browsers. */
    public static RedirectorSettings pages(Configuration configuration) throws ConfigurationException {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String each : configuration.get(ConfigurationKeys.HANDLE_PAGE_HEADERS)) {
            int colon = each.indexOf(':');
            headers.put(each.substring(0, Math.max(0, colon)).strip(), each.substring(colon + 1).strip());
        }
        Path folder = configuration.get(ConfigurationKeys.HANDLE_PAGES);
        try {
            return RedirectorSettings.of(
                    folder.toString().isEmpty() ? Optional.empty() : Optional.of(folder), headers);
        } catch (IOException e) {
            throw configuration.fault(ConfigurationKeys.HANDLE_PAGES, "cannot be read (" + e.getMessage() + ")");
        }
    }

    /** Where browsers are, as far as a file says it. */
    public static Geolocation countries(Configuration configuration) throws ConfigurationException, IOException {
        Path file = configuration.get(ConfigurationKeys.HANDLE_COUNTRIES);
        try {
            return file.toString().isEmpty() ? Geolocation.NONE : CountryPrefixFile.read(file);
        } catch (FaultyFile e) {
            throw new ConfigurationException(e.faults());
        }
    }

    static void check(FileCheck files) {
        Configuration configuration = files.configuration();
        files.read(ConfigurationKeys.HANDLE_PAGES, () -> pages(configuration));
        files.read(ConfigurationKeys.HANDLE_COUNTRIES, () -> countries(configuration));
        files.read(ConfigurationKeys.HANDLE_NAMESPACE_FILE, () -> templates(configuration));
        files.read(ConfigurationKeys.HANDLE_PASSPHRASE_FILE, () -> passphrase(configuration));
        files.read(ConfigurationKeys.HANDLE_OTHER_SITES, () -> others(configuration).ifPresent(RecursiveResolver::close));
        files.read(ConfigurationKeys.HTTP_TLS_CERTIFICATE, () -> TlsCertificates.of(configuration, false));
    }

    /** How datagrams are treated. */
    public static HandleDoorSettings door(Configuration configuration) {
        return HandleDoorSettings.usual().withAdministration(permits(configuration, HandlePermit.UDP_CHANGES));
    }

    /** The passphrase of the server's private key; null = it is in clear. */
    public static char @Nullable [] passphrase(Configuration configuration) throws ConfigurationException {
        Path file = configuration.get(ConfigurationKeys.HANDLE_PASSPHRASE_FILE);
        if (file.toString().isEmpty()) {
            String text = System.getenv(PASSPHRASE);
            return text == null ? null : text.toCharArray();
        }
        try {
            return Files.readString(file).lines().findFirst().orElse("").toCharArray();
        } catch (IOException e) {
            throw configuration.fault(ConfigurationKeys.HANDLE_PASSPHRASE_FILE, "cannot be read (" + e.getMessage() + ")");
        }
    }

    /** The address that the site's description has for this server. */
    public static InetAddress advertised(Configuration configuration, List<InetAddress> listen) {
        return configuration.get(ConfigurationKeys.HANDLE_ADVERTISE)
                .or(() -> listen.stream().filter(each -> !each.isAnyLocalAddress()).findFirst())
                .orElseGet(() -> InetAddress.ofLiteral("127.0.0.1"));
    }

    /**
     * The description of a site of this server alone.
     *
     * @param key the record of its public key
     */
    public static SiteRecord site(
            Configuration configuration,
            byte[] key,
            InetAddress address,
            List<InetSocketAddress> udp,
            List<InetSocketAddress> tcp,
            List<InetSocketAddress> http) {
        boolean changes = !readOnly(configuration);
        List<SiteInterface> interfaces = new ArrayList<>();
        udp.stream().limit(1).forEach(each -> interfaces.add(new SiteInterface(
                permits(configuration, HandlePermit.UDP_CHANGES), true, Transport.UDP, each.getPort())));
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
                changes && !configuration.get(ConfigurationKeys.HANDLE_PRIMARIES).isEmpty(),
                SiteRecord.Hash.HANDLE,
                new byte[0],
                List.of(new SiteRecord.Attribute("desc", HandleService.DESCRIPTION)),
                List.of(new SiteServer(
                        configuration.get(ConfigurationKeys.HANDLE_SERVER_ID).intValue(),
                        SiteServer.address(address),
                        key,
                        interfaces)));
    }
}
