package io.guidepost.server.cli.support;

import io.guidepost.alto.proxidor.ProxidorClient;
import io.guidepost.base.Prefix;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a server of Proxidor, and for whom it is asked. */
public final class ProxidorOptions {
    @Option(
            names = {"-S", "--server"},
            paramLabel = "HOST[:PORT]",
            defaultValue = "127.0.0.1:8899",
            description = "Server to ask (default: ${DEFAULT-VALUE}).")
    private String server = "127.0.0.1:" + ProxidorClient.PORT;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "500ms",
            description = "How long to wait for an answer (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofMillis(500);

    @Option(
            names = "--for",
            paramLabel = "ADDRESS",
            description = "Asks for somebody else: heeded by servers that trust you, see proxidor.trusted;"
                    + " others rank for you, and say so.")
    private @Nullable Prefix source;

    /** Opens a client that asks so often at most. */
    public ProxidorClient open(int attempts) throws IOException {
        return ProxidorClient.open(address(), timeout, attempts, new SecureRandom());
    }

    /** The server. */
    public InetSocketAddress address() throws IOException {
        return ClientOptions.address(server, ProxidorClient.PORT);
    }

    /** The source to rank for; empty = the client itself. */
    public Optional<Prefix> source() {
        return Optional.ofNullable(source);
    }

    /** How long an answer is waited for. */
    public Duration timeout() {
        return timeout;
    }
}
