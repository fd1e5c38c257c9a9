package io.guidepost.server.cli.handle;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.Malformed;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.key.PrivateKeyFile;
import io.guidepost.handle.transfer.ServerFolder;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.DurationText;
import io.guidepost.server.cli.support.TerminalCheck;
import java.io.Console;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a Handle server and the identity of the client. */
final class HandleOptions {
    private static final String STANDARD = "127.0.0.1:2641";

    @Option(
            names = {"-S", "--server"},
            paramLabel = "HOST[:PORT]",
            description = "Server to ask, over UDP and TCP (default: 127.0.0.1:2641); tcp://, udp://, http:// or https:// "
                    + "before it asks in that way alone.")
    private @Nullable String server;

    @Option(
            names = "--site",
            paramLabel = "FILE",
            description = "Asks the site that this file describes: siteinfo.json or siteinfo.bin. With --server, asks that"
                    + " server, and takes its key from the file.")
    private @Nullable Path site;

    @Option(
            names = "--as",
            paramLabel = "INDEX:HANDLE",
            description = "Who you are, such as 300:1234/ADMIN; with --key or --secret-file.")
    private @Nullable String as;

    @Option(names = "--key", paramLabel = "FILE", description = "Your private key, such as admpriv.bin.")
    private @Nullable Path key;

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = "File whose first line is the key's passphrase; without it you are asked.")
    private @Nullable Path passphraseFile;

    @Option(names = "--secret-file", paramLabel = "FILE", description = "File whose first line is your secret.")
    private @Nullable Path secretFile;

    @Option(
            names = "--certified",
            description = "Takes no answer that the server has not signed with the key that its site says.")
    private boolean certified;

    @Option(names = "--encrypted", description = "Asks in a session that is encrypted.")
    private boolean encrypted;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = DurationText.class,
            description = "How long to wait for an answer (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(20);

    HandleClientSettings settings() throws IOException {
        HandleClientSettings settings = HandleClientSettings.DEFAULT
                .withTimeout(timeout)
                .withCertified(certified)
                .withEncrypted(encrypted);
        Optional<ClientIdentity> identity = identity();
        return identity.isPresent() ? settings.withIdentity(identity.get()) : settings;
    }

    HandleClient open() throws IOException, FaultyFile {
        return open(settings());
    }

    HandleClient open(HandleClientSettings settings) throws IOException, FaultyFile {
        if (site == null) {
            return HandleClient.at(endpoints(server == null ? STANDARD : server), settings);
        }
        SiteRecord described = ServerFolder.readSiteFile(site);
        if (server == null || described.servers().isEmpty()) {
            return HandleClient.of(described, settings);
        }
        List<HandleEndpoint> keyed = new ArrayList<>();
        for (HandleEndpoint each : endpoints(server)) {
            keyed.add(each.withKeyOf(described.servers().getFirst()));
        }
        return HandleClient.at(keyed, settings);
    }

    private static List<HandleEndpoint> endpoints(String server) throws IOException {
        int colon = server.indexOf("://");
        String rest = colon < 0 ? server : server.substring(colon + 3);
        String plain = rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest;
        List<SiteInterface.Transport> transports = new ArrayList<>();
        int port = HandleEndpoint.PORT;
        switch (colon < 0 ? "" : server.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "" -> transports.addAll(List.of(SiteInterface.Transport.UDP, SiteInterface.Transport.TCP));
            case "udp" -> transports.add(SiteInterface.Transport.UDP);
            case "tcp" -> transports.add(SiteInterface.Transport.TCP);
            case "http" -> {
                transports.add(SiteInterface.Transport.HTTP);
                port = HandleEndpoint.HTTP_PORT;
            }
            case "https" -> {
                transports.add(SiteInterface.Transport.HTTPS);
                port = HandleEndpoint.HTTP_PORT;
            }
            default -> throw new IOException("'" + server + "' is no server: write host:port, with tcp://, udp://, http://"
                    + " or https:// before it if need be");
        }
        InetSocketAddress address = ClientOptions.address(plain, port);
        return transports.stream().map(each -> HandleEndpoint.of(each, address)).toList();
    }

    /** Returns the identity of the client; empty if no option names one. */
    Optional<ClientIdentity> identity() throws IOException {
        if (as == null) {
            if (key != null || secretFile != null) {
                throw new IOException("whose key or secret is that? Say --as INDEX:HANDLE, such as --as 300:1234/ADMIN");
            }
            return Optional.empty();
        }
        ValueReference who;
        try {
            who = ValueReference.parse(as);
        } catch (Malformed e) {
            throw new IOException("--as " + as + ": " + e.reason(), e);
        }
        if ((key == null) == (secretFile == null)) {
            throw new IOException("--as needs --key FILE or --secret-file FILE, one of the two");
        }
        return Optional.of(
                key != null
                        ? new ClientIdentity.KeyHolder(who, readKey(key, passphrase(passphraseFile)))
                        : new ClientIdentity.SecretHolder(who, firstLine(secretFile).getBytes(StandardCharsets.UTF_8)));
    }

    private static char @Nullable [] passphrase(@Nullable Path file) throws IOException {
        return file == null ? null : firstLine(file).toCharArray();
    }

    /** The first line of a file that holds a secret. */
    static String firstLine(@Nullable Path file) throws IOException {
        if (file == null) {
            return "";
        }
        String first = Files.readString(file).lines().findFirst().orElse("");
        if (first.isEmpty()) {
            throw new IOException(file + " is empty: its first line is the secret");
        }
        return first;
    }

    /** Reads a private key; asks for its passphrase if it has one, none is given, and someone is there. */
    @SuppressWarnings("SystemConsoleNull") // It is null again without a terminal since JDK 25.
    static PrivateKey readKey(Path file, char @Nullable [] passphrase) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        char[] secret = passphrase;
        try {
            Console console = System.console();
            if (secret == null
                    && PrivateKeyFile.encryption(bytes) != PrivateKeyFile.Encryption.NONE
                    && console != null
                    && TerminalCheck.isThere()) {
                secret = console.readPassword("passphrase of %s: ", file);
            }
            return PrivateKeyFile.read(bytes, secret, true).key();
        } catch (Malformed e) {
            throw new IOException(file + " is no private key: " + e.reason(), e);
        } catch (PrivateKeyFile.WrongPassphrase e) {
            throw new IOException(
                    file + (secret == null ? " is encrypted: say --passphrase-file FILE" : ": " + e.getMessage()), e);
        } finally {
            if (secret != null) {
                Arrays.fill(secret, ' ');
            }
        }
    }
}
