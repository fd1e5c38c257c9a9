package io.guidepost.scaffold.stream;

import io.guidepost.base.Malformed;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.object.AllowedHosts;
import io.guidepost.scaffold.wire.HostLocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A host that serves an object by streams; its places are those of relays in front of it. */
final class StreamInstance implements AutoCloseable {
    private static final SecureRandom RANDOM = new SecureRandom();

    final RouterLink link;
    final ServiceListener listener;
    final List<CuttingRelay> relays = new ArrayList<>();
    private @Nullable LocalService service;

    StreamInstance(HostLocator router, LongSupplier until, String... addresses) throws IOException, Malformed {
        this(router, until, "127.0.0.0/8", List.of(addresses));
    }

    StreamInstance(HostLocator router, LongSupplier until, String allowed, List<String> addresses) throws IOException, Malformed {
        List<InetAddress> places = new ArrayList<>();
        for (String each : addresses) {
            places.add(InetAddress.ofLiteral(each));
        }
        link = RouterLink.open(HostKey.generate(RANDOM), places, 0, router);
        listener = ServiceListener.open(
                link, AllowedHosts.parse(List.of(allowed)), new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
        for (HostLocator each : link.locators()) {
            relays.add(new CuttingRelay(each.toSocketAddress(), listener.at(), until));
        }
    }

    StreamInstance offer(ObjectKey object, String name, byte @Nullable [] key, ServiceListener.Handler handler) throws IOException {
        LocalService offered = new LocalService(
                name,
                object.delegate(link.host(), System.currentTimeMillis() / 1_000 + 1_000),
                ServiceChannel.PROTOCOL,
                80,
                false,
                0,
                1);
        listener.offer(offered, key, handler);
        while (!listener.registration(offered).taken()) {
            Thread.onSpinWait();
        }
        service = offered;
        return this;
    }

    LocalService service() {
        LocalService offered = service;
        if (offered == null) {
            throw new IllegalStateException("nothing is offered");
        }
        return offered;
    }

    /** Has clients see what they see of a killed program. */
    void kill() throws IOException {
        for (CuttingRelay each : relays) {
            each.close();
        }
    }

    @Override
    public void close() throws IOException {
        kill();
        listener.close();
        link.close();
    }
}
