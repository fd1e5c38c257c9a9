package io.guidepost.gnrs.placement;

import io.guidepost.base.AddressText;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.PrefixTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The bindings of ASes to servers. Immutable.
 *
 * <p>The file has {@code AS address port} on each line and {@code #} before comments. Further columns are ignored; of
 * two lines for one AS the later one counts; gzip is recognised. Addresses are numeric, IPv4 or IPv6: placement is the
 * same at all servers only if every server reads a line alike, and what a host name resolves to changes with place and
 * time.
 */
public final class AsBindings {
    private static final int PORT_MAX = 65_535;

    private final Map<Long, InetSocketAddress> servers;

    private AsBindings(Map<Long, InetSocketAddress> servers) {
        this.servers = servers;
    }

    /** Creates bindings from a map of AS, unsigned 32 bits, to server. */
    public static AsBindings of(Map<Long, InetSocketAddress> servers) {
        return new AsBindings(Map.copyOf(servers));
    }

    /**
     * Binds every AS of a table to one of the given servers, round-robin.
     *
     * @param servers at least one
     */
    public static AsBindings spread(PrefixTable table, List<InetSocketAddress> servers) {
        Map<Long, InetSocketAddress> bindings = new HashMap<>();
        for (int i = 1; i <= table.classes(); i++) {
            bindings.put(table.value(i), servers.get(i % servers.size()));
        }
        return new AsBindings(bindings);
    }

    /**
     * Reads a file.
     *
     * @param notation how the AS numbers are written: as in the prefix table
     * @throws FaultyFile with each bad line as file:line
     * @throws IOException if the file cannot be read
     */
    public static AsBindings read(Path file, AsNotation notation) throws IOException, FaultyFile {
        try (LineReader lines = LineReader.open(file)) {
            return read(lines, notation);
        }
    }

    public static AsBindings read(LineReader lines, AsNotation notation) throws IOException, FaultyFile {
        Map<Long, InetSocketAddress> servers = new HashMap<>();
        // Many ASes share few servers: equal addresses are kept once.
        Map<InetSocketAddress, InetSocketAddress> known = new HashMap<>();
        while (lines.nextLine()) {
            long as = notation.parse(lines.bytes(), lines.from(), lines.to());
            if (as < 0) {
                lines.fault("'" + lines.field() + "' is not the number of an AS: write " + notation.expected());
                continue;
            }
            Optional<InetSocketAddress> server = server(lines);
            if (server.isPresent()) {
                servers.put(as, known.computeIfAbsent(server.get(), same -> same));
            }
        }
        lines.check();
        return new AsBindings(servers);
    }

    private static Optional<InetSocketAddress> server(LineReader lines) {
        if (!lines.nextField()) {
            lines.fault("no address after the AS: write AS address port, such as 65001 10.1.2.3 5001");
            return Optional.empty();
        }
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(lines.field());
        } catch (IllegalArgumentException e) {
            lines.fault("'" + lines.field() + "' is not a numeric IPv4 or IPv6 address; host names are not looked up,"
                    + " as servers could then differ in where they place a GUID");
            return Optional.empty();
        }
        if (!lines.nextField()) {
            lines.fault("no port after the address: write AS address port, such as 65001 10.1.2.3 5001");
            return Optional.empty();
        }
        try {
            int port = Integer.parseInt(lines.field());
            if (port > 0 && port <= PORT_MAX) {
                return Optional.of(new InetSocketAddress(address, port));
            }
        } catch (NumberFormatException e) {
            // The exception below covers this, too.
        }
        lines.fault("'" + lines.field() + "' is not a port from 1 to " + PORT_MAX);
        return Optional.empty();
    }

    /** Returns the server of an AS, unsigned 32 bits. */
    public Optional<InetSocketAddress> server(long as) {
        return Optional.ofNullable(servers.get(as));
    }

    Map<Long, InetSocketAddress> all() {
        return Map.copyOf(servers);
    }

    /** Writes the bindings in the form that {@link #read} reads, sorted by AS. */
    public void write(Appendable out) throws IOException {
        for (Map.Entry<Long, InetSocketAddress> each : new TreeMap<>(servers).entrySet()) {
            out.append(Long.toString(each.getKey())).append(' ');
            out.append(AddressText.of(each.getValue().getAddress())).append(' ');
            out.append(Integer.toString(each.getValue().getPort())).append('\n');
        }
    }

    /** Returns the number of ASes that have a server. */
    public int size() {
        return servers.size();
    }
}
