package io.guidepost.server.gnrs;

import io.guidepost.base.FaultyFile;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.gnrs.placement.PlacementSummary;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.web.JsonWriter;
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
public final class PlacementFiles {
    private PlacementFiles() {}

    /**
     * A placement and what it was made of.
     *
     * @param placement ready to be put in force
     * @param sites what the membership file says of servers
     * @param kind what servers understand of which that file says nothing
     * @param own the addresses under which the bindings can mean this server
     * @param millis how long reading and building took
     * @param summary numbers and names for people
     */
    record Read(
            Placement placement,
            List<PeerDescriptor> sites,
            PeerDescriptor.Kind kind,
            Set<InetSocketAddress> own,
            long millis,
            Map<String, Object> summary) {
        /** Those of the own addresses that the bindings do mean. */
        Set<InetSocketAddress> bound() {
            Set<InetSocketAddress> bound = new HashSet<>(own);
            bound.retainAll(placement.servers());
            return bound;
        }

        boolean others() {
            return !own.containsAll(placement.servers())
                    || !sites.stream().allMatch(each -> own.contains(each.address()));
        }
    }

    /**
     * Reads the files.
     *
     * @param listening the addresses that this server answers at
     * @throws ConfigurationException with the faults of the files, each as file:line
     */
    static Read read(Configuration configuration, List<InetSocketAddress> listening)
            throws ConfigurationException, IOException {
        Path prefixes = configuration.get(ConfigurationKeys.PLACEMENT_PREFIXES);
        Path bindings = configuration.get(ConfigurationKeys.PLACEMENT_BINDINGS);
        long begun = System.nanoTime();
        List<String> faults = new ArrayList<>();
        List<PeerDescriptor> sites = read(faults, List.of(), () -> sites(configuration.get(ConfigurationKeys.SITES_FILE)));
        PlacementSettings settings = settings(configuration, listening);
        Placement placement = isNone(prefixes)
                ? Placement.everything()
                : read(faults, Placement.everything(), () -> Placement.load(prefixes, bindings, settings));
        if (!faults.isEmpty()) {
            throw new ConfigurationException(faults);
        }
        return new Read(
                placement,
                sites,
                settings.mode() == PlacementSettings.Mode.COMPATIBLE ? PeerDescriptor.Kind.V1 : PeerDescriptor.Kind.GUIDEPOST,
                settings.own(),
                isNone(prefixes) ? 0 : (System.nanoTime() - begun) / 1_000_000,
                isNone(prefixes)
                        ? JsonWriter.object("allHere", true, "files", "none")
                        : summary(placement.summary(), prefixes + ", " + bindings));
    }

    private static Map<String, Object> summary(PlacementSummary summary, String files) {
        return JsonWriter.object(
                "allHere", summary.allHere(),
                "files", files,
                "prefixes", summary.prefixes(),
                "ases", summary.ases(),
                "unboundAses", summary.unboundAses(),
                "servers", summary.servers(),
                "announcedShare", summary.announcedShare());
    }

    private static List<PeerDescriptor> sites(Path file) throws IOException, FaultyFile {
        return isNone(file) ? List.of() : MembershipFile.read(file);
    }

    private interface Reading<T> {
        T read() throws IOException, FaultyFile;
    }

    /** Reads a file, or notes what is wrong with it, so that all files' faults are told at once. */
    private static <T> T read(List<String> faults, T otherwise, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (FaultyFile e) {
            faults.addAll(e.faults());
            if (e.total() > e.faults().size()) {
                faults.add("and " + (e.total() - e.faults().size()) + " more");
            }
            return otherwise;
        }
    }

    private static boolean isNone(Path path) {
        return path.toString().isEmpty();
    }

    public static PlacementSettings settings(Configuration configuration, List<InetSocketAddress> listening)
            throws IOException {
        return new PlacementSettings(
                configuration.get(ConfigurationKeys.PLACEMENT_MODE),
                configuration.get(ConfigurationKeys.PLACEMENT_HASH),
                configuration.get(ConfigurationKeys.PLACEMENT_REPLICAS).intValue(),
                PlacementSettings.HASHES_MAX,
                own(configuration, listening));
    }

    /** The addresses under which the AS bindings can mean this server. */
    private static Set<InetSocketAddress> own(Configuration configuration, List<InetSocketAddress> listening)
            throws IOException {
        Set<InetSocketAddress> own = new HashSet<>();
        configuration.get(ConfigurationKeys.GNRS_ADVERTISE).ifPresent(own::add);
        for (InetSocketAddress each : listening) {
            if (each.getAddress().isAnyLocalAddress()) {
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .map(PlacementFiles::withoutScope)
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
