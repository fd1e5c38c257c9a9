package io.guidepost.gnrs.placement;

import io.guidepost.base.FaultyFile;
import io.guidepost.names.Guid;
import io.guidepost.proximity.PrefixTableFile;
import io.guidepost.proximity.Prefixes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * DMap placement: which servers keep a GUID, a pure function of the GUID, the prefix table and the bindings of ASes to
 * servers. So every server computes the same result on its own. An immutable snapshot; any thread may call.
 */
public sealed interface Placement permits LocalPlacement, HashedPlacement {
    /** Returns the placement of a server without tables: it keeps every GUID and knows no other server. */
    static Placement everything() {
        return LocalPlacement.HERE;
    }

    /**
     * Reads both tables and makes a placement of them.
     *
     * @throws FaultyFile with each bad line as file:line, or if the two tables do not belong together
     * @throws IOException if a file cannot be read
     */
    static Placement load(Path prefixFile, Path bindingFile, PlacementSettings settings)
            throws IOException, FaultyFile {
        Prefixes prefixes = PrefixTableFile.read(prefixFile, settings.mode().notation());
        AsBindings bindings = AsBindings.read(bindingFile, settings.mode().notation());
        try {
            return of(prefixes, bindings, settings);
        } catch (IllegalArgumentException e) {
            throw new FaultyFile(List.of(prefixFile + " and " + bindingFile + ": " + e.getMessage()), 1);
        }
    }

    /**
     * Makes a placement of tables.
     *
     * @throws IllegalArgumentException if no AS that announces an IPv4 prefix has a server: there is nowhere to place
     *     anything
     */
    static Placement of(Prefixes prefixes, AsBindings bindings, PlacementSettings settings) {
        return HashedPlacement.of(prefixes, bindings, settings);
    }

    /** Returns the K replicas of a GUID in the order of their hashes; empty when there are no tables to place by. */
    List<Replica> replicas(Guid guid);

    /**
     * Returns the different servers of a GUID's replicas, in the order of the hashes: fewer than K where hashes meet. Empty when
     * there are no tables to place by.
     */
    default Set<InetSocketAddress> servers(Guid guid) {
        return replicas(guid).stream()
                .flatMap(replica -> replica.server().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns every server that ASes of the table are bound to; empty when there are no tables to place by. */
    default Set<InetSocketAddress> servers() {
        return Set.of();
    }

    /**
     * Returns a fingerprint: equal for servers with the same tables and settings, different for others with near
     * certainty. Servers with different fingerprints do not compare records. 0 without tables.
     */
    default long fingerprint() {
        return 0;
    }

    /**
     * Returns the same placement as seen by another of its servers; the tables are shared.
     *
     * @param own the addresses under which that server stands in the bindings
     */
    Placement at(Set<InetSocketAddress> own);

    /** Returns a view for one worker, see {@link Placer}. */
    Placer placer();

    /** Returns a summary of the inputs of the placement. */
    PlacementSummary summary();
}
