package io.guidepost.examples;

import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.guidepost.client.GuidepostException;
import io.guidepost.client.NameChange;
import io.guidepost.client.NameClient;
import io.guidepost.client.NamePlace;
import io.guidepost.client.NameRecord;
import io.guidepost.client.NameWatcher;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;

/**
 * Resolves names for gRPC: a channel to {@code guidepost:///NAME} follows the places of the name. It is given to
 * {@code NameResolverRegistry}.
 */
final class NameResolvers extends NameResolverProvider {
    private final NameClient client;

    NameResolvers(NameClient client) {
        this.client = client;
    }

    @Override
    protected boolean isAvailable() {
        return true;
    }

    @Override
    protected int priority() {
        return 5;
    }

    @Override
    public String getDefaultScheme() {
        return "guidepost";
    }

    @Override
    public NameResolver newNameResolver(URI target, NameResolver.Args arguments) {
        return new Following(client.watch(name(target)), name(target));
    }

    private static String name(URI target) {
        return target.getPath().substring(1);
    }

    /** Tells a channel the places of a name as they change. The last ones stay in use while the servers of names are away. */
    private static final class Following extends NameResolver {
        private final NameWatcher watcher;
        private final String name;
        private volatile boolean ended;

        Following(NameWatcher watcher, String name) {
            this.watcher = watcher;
            this.name = name;
        }

        @Override
        public String getServiceAuthority() {
            return name;
        }

        @Override
        public void start(Listener2 listener) {
            Thread.ofVirtual().name("guidepost-resolver").start(() -> {
                try {
                    follow(listener);
                } catch (GuidepostException failed) {
                    if (!ended) {
                        listener.onError(Status.UNAVAILABLE.withDescription(failed.getMessage()));
                    }
                }
            });
        }

        private void follow(Listener2 listener) {
            List<NamePlace> places = List.of();
            boolean ready = false;
            while (true) {
                NameChange change = watcher.next();
                switch (change.kind()) {
                    case RESET -> ready = false;
                    case READY -> ready = true;
                    // Other names may begin with this one.
                    case PUT, DELETE -> places = change.name().equals(name)
                            ? change.record().map(NameRecord::places).orElse(List.of())
                            : places;
                }
                if (change.kind() == NameChange.Kind.RESET) {
                    places = List.of();
                } else if (ready) {
                    listener.onResult(ResolutionResult.newBuilder().setAddressesOrError(addresses(places)).build());
                }
            }
        }

        private StatusOr<List<EquivalentAddressGroup>> addresses(List<NamePlace> places) {
            return places.isEmpty()
                    ? StatusOr.fromStatus(Status.UNAVAILABLE.withDescription(name + " has no places"))
                    : StatusOr.fromValue(places.stream()
                            .map(each -> URI.create("grpc://" + each.address()))
                            .map(each -> new EquivalentAddressGroup(new InetSocketAddress(each.getHost(), each.getPort())))
                            .toList());
        }

        @Override
        public void shutdown() {
            ended = true;
            watcher.close();
        }
    }
}
