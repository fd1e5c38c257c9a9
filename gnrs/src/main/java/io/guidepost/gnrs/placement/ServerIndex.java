package io.guidepost.gnrs.placement;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The different servers that ASes are bound to, numbered from 0 so that the packet path compares numbers. */
final class ServerIndex {
    private final AsBindings bindings;
    private final Set<InetSocketAddress> own;
    private final List<InetSocketAddress> servers;
    private final Map<InetSocketAddress, Integer> numbers;

    ServerIndex(AsBindings bindings, Set<InetSocketAddress> own) {
        this(bindings, own, new ArrayList<>(), new HashMap<>());
    }

    private ServerIndex(
            AsBindings bindings,
            Set<InetSocketAddress> own,
            List<InetSocketAddress> servers,
            Map<InetSocketAddress, Integer> numbers) {
        this.bindings = bindings;
        this.own = own;
        this.servers = servers;
        this.numbers = numbers;
    }

    /** Returns the same servers under the same numbers for another own server; no server may be numbered later. */
    ServerIndex at(Set<InetSocketAddress> other) {
        return new ServerIndex(bindings, Set.copyOf(other), servers, numbers);
    }

    /** Returns the number of the server of an AS, assigned on the first call, or {@link AsResolver#UNBOUND}. */
    int number(long as) {
        Optional<InetSocketAddress> server = bindings.server(as);
        if (server.isEmpty()) {
            return AsResolver.UNBOUND;
        }
        return numbers.computeIfAbsent(server.get(), added -> {
            servers.add(added);
            return servers.size() - 1;
        });
    }

    Set<InetSocketAddress> all() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(servers));
    }

    int size() {
        return servers.size();
    }

    Optional<InetSocketAddress> server(int number) {
        return number == AsResolver.UNBOUND ? Optional.empty() : Optional.of(servers.get(number));
    }

    /** Returns the server of a number that {@link #number} gave. */
    InetSocketAddress at(int number) {
        return servers.get(number);
    }

    boolean isHere(int number) {
        return number != AsResolver.UNBOUND && own.contains(servers.get(number));
    }

    /** Returns for each number whether it is this server. */
    boolean[] here() {
        boolean[] here = new boolean[servers.size()];
        for (int i = 0; i < here.length; i++) {
            here[i] = isHere(i);
        }
        return here;
    }
}
