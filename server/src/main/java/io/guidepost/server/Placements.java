package io.guidepost.server;

import io.guidepost.gnrs.Placement;
import io.guidepost.gnrs.PlacementSettings;
import io.guidepost.gnrs.PlacementSummary;
import io.guidepost.names.FaultyFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes placements of the files that a configuration names. */
final class Placements {
    private Placements() {}

    /**
     * A placement and what it was made of.
     *
     * @param placement ready to be put in force
     * @param millis how long reading and building took
     * @param summary numbers and names for people
     */
    record Read(Placement placement, long millis, Map<String, Object> summary) {}

    /**
     * Reads the files.
     *
     * @param listening the addresses that this server answers at
     * @throws ConfigurationException with the faults of the files, each as file:line
     */
    static Read read(Configuration configuration, List<InetSocketAddress> listening)
            throws ConfigurationException, IOException {
        Path prefixes = configuration.get(Keys.PLACEMENT_PREFIXES);
        Path bindings = configuration.get(Keys.PLACEMENT_BINDINGS);
        if (isNone(prefixes) != isNone(bindings)) {
            Key<?> given = isNone(prefixes) ? Keys.PLACEMENT_BINDINGS : Keys.PLACEMENT_PREFIXES;
            throw new ConfigurationException(configuration.origin(given)
                    + ": placement.prefix-file and placement.binding-file belong together: give both or none");
        }
        if (isNone(prefixes)) {
            return new Read(Placement.everything(), 0, Json.object("allHere", true, "files", "none"));
        }
        long begun = System.nanoTime();
        Placement placement;
        try {
            placement = Placement.load(prefixes, bindings, settings(configuration, listening));
        } catch (FaultyFile e) {
            List<String> faults = new ArrayList<>(e.faults());
            if (e.total() > faults.size()) {
                faults.add("and " + (e.total() - faults.size()) + " more");
            }
            throw new ConfigurationException(faults);
        }
        PlacementSummary summary = placement.summary();
        return new Read(
                placement,
                (System.nanoTime() - begun) / 1_000_000,
                Json.object(
                        "allHere", summary.allHere(),
                        "files", prefixes + ", " + bindings,
                        "prefixes", summary.prefixes(),
                        "ases", summary.ases(),
                        "unboundAses", summary.unboundAses(),
                        "servers", summary.servers(),
                        "announcedShare", summary.announcedShare()));
    }

    private static boolean isNone(Path path) {
        return path.toString().isEmpty();
    }

    static PlacementSettings settings(Configuration configuration, List<InetSocketAddress> listening)
            throws ConfigurationException, IOException {
        return new PlacementSettings(
                configuration.get(Keys.PLACEMENT_MODE),
                configuration.get(Keys.PLACEMENT_HASH),
                configuration.get(Keys.PLACEMENT_REPLICAS).intValue(),
                configuration.get(Keys.PLACEMENT_REHASH).intValue(),
                own(configuration, listening));
    }

    /** The addresses under which the AS bindings can mean this server. */
    private static Set<InetSocketAddress> own(Configuration configuration, List<InetSocketAddress> listening)
            throws ConfigurationException, IOException {
        Set<InetSocketAddress> own = new HashSet<>();
        String advertised = configuration.get(Keys.GNRS_ADVERTISE);
        if (!advertised.isEmpty()) {
            own.add(Addressing.withPort(configuration, Keys.GNRS_ADVERTISE, advertised));
        }
        for (InetSocketAddress each : listening) {
            if (each.getAddress().isAnyLocalAddress()) {
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .map(Placements::withoutScope)
                        .forEach(address -> own.add(new InetSocketAddress(address, each.getPort())));
            } else {
                own.add(each);
            }
        }
        return own;
    }

    /** A file of bindings cannot name the link that an address is on. */
    private static InetAddress withoutScope(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress());
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError("the bytes of an address are an address", e);
        }
    }
}
