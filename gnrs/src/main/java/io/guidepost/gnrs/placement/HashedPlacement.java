package io.guidepost.gnrs.placement;

import io.guidepost.names.Guid;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Placement by tables: a GUID hashes to K addresses, each address maps to an AS, and each AS to a server. */
final class HashedPlacement implements Placement {
    private final PlacementSettings settings;
    private final PlacementSummary summary;
    private final AsResolver choice;
    private final ServerIndex servers;
    private final boolean[] here;
    private final long fingerprint;

    private HashedPlacement(
            PlacementSettings settings, PlacementSummary summary, AsResolver choice, ServerIndex servers, long fingerprint) {
        this.settings = settings;
        this.fingerprint = fingerprint;
        this.summary = summary;
        this.choice = choice;
        this.servers = servers;
        this.here = servers.here();
    }

    static HashedPlacement of(Prefixes prefixes, AsBindings bindings, PlacementSettings settings) {
        PrefixTable all = PrefixTable.of(prefixes);
        int unbound = 0;
        for (int i = 1; i <= all.classes(); i++) {
            unbound += bindings.server(all.value(i)).isEmpty() ? 1 : 0;
        }
        PrefixTable bound = unbound == 0 ? all : all.only(as -> bindings.server(as).isPresent());
        if (bound.ipv4Size() == 0) {
            throw new IllegalArgumentException("no IPv4 prefix belongs to an AS that has a server:"
                    + " every GUID would be placed nowhere; check that the two tables belong together");
        }
        ServerIndex servers = new ServerIndex(bindings, settings.own());
        long fingerprint = PlacementFingerprint.of(prefixes, bindings, settings);
        return switch (settings.mode()) {
            case DMAP -> {
                AsResolver choice = LongestPrefixResolver.of(bound, settings.hashesMax(), servers);
                yield new HashedPlacement(
                        settings,
                        summary(bound.size(), all, unbound, bound, servers, true),
                        choice,
                        servers,
                        fingerprint);
            }
            case COMPATIBLE -> {
                PatriciaResolver choice = PatriciaResolver.of(prefixes, servers);
                yield new HashedPlacement(
                        settings,
                        summary(choice.size(), all, unbound, bound, servers, unbound == 0),
                        choice,
                        servers,
                        fingerprint);
            }
        };
    }

    private static PlacementSummary summary(
            int prefixes, PrefixTable all, int unbound, PrefixTable bound, ServerIndex servers, boolean complete) {
        boolean allHere = complete;
        for (boolean each : servers.here()) {
            allHere &= each;
        }
        return new PlacementSummary(
                prefixes, all.classes(), unbound, servers.size(), bound.ipv4Share(), allHere);
    }

    @Override
    public List<Replica> replicas(Guid guid) {
        GuidHashes hashes = new GuidHashes(settings.hash(), settings.replicas());
        hashes.start(MemorySegment.ofArray(guid.toBytes()), 0);
        return IntStream.range(0, settings.replicas())
                .mapToObj(number -> choice.explain(number, hashes.address(number), hashes, servers))
                .toList();
    }

    @Override
    public Placement at(Set<InetSocketAddress> own) {
        PlacementSettings other = new PlacementSettings(
                settings.mode(), settings.hash(), settings.replicas(), settings.hashesMax(), own);
        ServerIndex seen = servers.at(own);
        boolean allHere = summary.unboundAses() == 0 || settings.mode() == PlacementSettings.Mode.DMAP;
        for (boolean each : seen.here()) {
            allHere &= each;
        }
        PlacementSummary there = new PlacementSummary(
                summary.prefixes(),
                summary.ases(),
                summary.unboundAses(),
                summary.servers(),
                summary.announcedShare(),
                allHere);
        return new HashedPlacement(other, there, choice, seen, fingerprint);
    }

    @Override
    public Set<InetSocketAddress> servers() {
        return servers.all();
    }

    @Override
    public long fingerprint() {
        return fingerprint;
    }

    @Override
    public Placer placer() {
        return summary.allHere() ? Placer.EVERYTHING_HERE : new Hashing();
    }

    @Override
    public PlacementSummary summary() {
        return summary;
    }

    private final class Hashing implements Placer {
        private final GuidHashes hashes = new GuidHashes(settings.hash(), settings.replicas());
        private final int[] numbers = new int[settings.replicas()];

        @Override
        public boolean isHere(MemorySegment segment, long offset) {
            hashes.start(segment, offset);
            for (int replica = 0; replica < settings.replicas(); replica++) {
                int server = choice.server(hashes.address(replica), hashes);
                if (server != AsResolver.UNBOUND && here[server]) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public int servers(MemorySegment segment, long offset, InetSocketAddress[] found) {
            hashes.start(segment, offset);
            int count = 0;
            for (int replica = 0; replica < settings.replicas(); replica++) {
                int server = choice.server(hashes.address(replica), hashes);
                if (server != AsResolver.UNBOUND && !contains(count, server)) {
                    numbers[count] = server;
                    found[count++] = servers.at(server);
                }
            }
            return count;
        }

        private boolean contains(int count, int server) {
            for (int i = 0; i < count; i++) {
                if (numbers[i] == server) {
                    return true;
                }
            }
            return false;
        }
    }
}
