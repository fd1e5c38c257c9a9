package io.guidepost.examples;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** A GNRS client: binds a name to a place, finds the place, and moves the name. */
final class BindName {
    private BindName() {}

    /** Returns where the name is after its move. */
    static String run(InetSocketAddress server) throws IOException {
        // snippet: gnrs
        try (GnrsClient client = GnrsClient.open(server)) {
            Guid visitor = Guid.ofAscii("visitor");
            client.insert(visitor, List.of(Binding.of(Locator.of(new InetSocketAddress("192.0.2.99", 7000)))));
            client.update(visitor, List.of(Binding.of(Locator.of(new InetSocketAddress("192.0.2.100", 7000)))));
            GnrsResponse found = client.lookup(visitor);
            return found.bindings().getFirst().locator().toString();
        }
        // end
    }
}
