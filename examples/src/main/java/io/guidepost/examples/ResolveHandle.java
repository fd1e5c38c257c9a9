package io.guidepost.examples;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A Handle client: creates a handle as an administrator who has a secret, and resolves it. */
final class ResolveHandle {
    private ResolveHandle() {}

    /** Returns the first value of the handle. */
    static String run(InetSocketAddress server, ValueReference administrator, String secret) throws IOException {
        // snippet: handle
        HandleEndpoint endpoint = HandleEndpoint.of(SiteInterface.Transport.TCP, server);
        HandleClientSettings settings = HandleClientSettings.DEFAULT.withIdentity(
                new ClientIdentity.SecretHolder(administrator, secret.getBytes(StandardCharsets.UTF_8)));
        try (HandleClient client = HandleClient.at(List.of(endpoint), settings)) {
            Handle catalogue = Handle.of("1234/catalogue");
            client.create(catalogue, List.of(HandleValue.of(1, "URL", "https://library.example/")), false, false);
            HandleResult found = client.resolve(catalogue);
            return new String(found.values().getFirst().data(), StandardCharsets.UTF_8);
        }
        // end
    }
}
