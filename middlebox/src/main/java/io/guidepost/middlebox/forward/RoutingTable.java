package io.guidepost.middlebox.forward;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The routing table: addresses of a router's ports and the next hop for each prefix. An immutable snapshot.
 *
 * <pre>
 *  port 1 10.0.0.1/24              # address of the first port; its prefix is a route
 *  port 1 2001:db8:1::1/64         # a port may have one of each family
 *  port 2 192.0.2.1/24
 *  0.0.0.0/0 via 192.0.2.7         # a neighbour on the link of one of the ports
 *  10.9.0.0/16 unreachable         # told to the sender
 * </pre>
 */
public final class RoutingTable {
    private static final int UNREACHABLE = -1;

    private final List<List<InterfaceAddress>> addresses;
    private final PrefixTable table;
    private final int[] hopPort;
    private final long[] hopHigh;
    private final long[] hopLow;

    private RoutingTable(List<List<InterfaceAddress>> addresses, PrefixTable table, List<Hop> hops) {
        this.addresses = addresses;
        this.table = table;
        this.hopPort = hops.stream().mapToInt(Hop::port).toArray();
        this.hopHigh = hops.stream().mapToLong(Hop::high).toArray();
        this.hopLow = hops.stream().mapToLong(Hop::low).toArray();
    }

    /** A next hop: a neighbour at a port, or with address 0 the connected link of that port. */
    private record Hop(int port, long high, long low) {}

    /**
     * Parses a file for a router with a number of ports.
     *
     * @throws FaultyFile with all faults, as file:line
     */
    public static RoutingTable read(Path file, int ports) throws IOException, FaultyFile {
        try (LineReader lines = LineReader.open(file)) {
            return new Reader(lines, ports).read();
        }
    }

    /**
     * Parses the text of a file.
     *
     * @throws FaultyFile with all faults, as name:line
     */
    public static RoutingTable parse(String name, String text, int ports) throws FaultyFile {
        try (LineReader lines =
                LineReader.of(name, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))) {
            return new Reader(lines, ports).read();
        } catch (IOException e) {
            throw new AssertionError("bytes in memory can be read", e);
        }
    }

    /** Returns the addresses of the ports in order. */
    public List<List<InterfaceAddress>> addresses() {
        return addresses;
    }

    /** Returns the number of routes. */
    public int size() {
        return table.size();
    }

    /** Returns the route of the longest matching prefix, or -1. */
    int find(long high, long low) {
        int found = table.find(high, low);
        return found == PrefixTable.NONE ? UNREACHABLE : (int) table.value(found) - 1;
    }

    /** Returns a route's port. */
    int port(int route) {
        return hopPort[route];
    }

    private boolean isOnLink(int route) {
        return (hopHigh[route] | hopLow[route]) == 0;
    }

    /** Returns the high half of the next hop: the destination itself for a connected route. */
    long hopHigh(int route, long destinationHigh) {
        return isOnLink(route) ? destinationHigh : hopHigh[route];
    }

    /** Returns the low half of the next hop. */
    long hopLow(int route, long destinationLow) {
        return isOnLink(route) ? destinationLow : hopLow[route];
    }

    /** Parses one file. */
    private static final class Reader {
        private final LineReader lines;
        private final List<List<InterfaceAddress>> own = new ArrayList<>();
        private final Prefixes.Builder prefixes = Prefixes.builder();
        private final List<Hop> hops = new ArrayList<>();

        Reader(LineReader lines, int ports) {
            this.lines = lines;
            for (int i = 0; i < ports; i++) {
                own.add(new ArrayList<>());
                hops.add(new Hop(i, 0, 0));
            }
        }

        RoutingTable read() throws IOException, FaultyFile {
            while (lines.nextLine()) {
                try {
                    if (lines.field().equals("port")) {
                        port();
                    } else {
                        route();
                    }
                    if (lines.nextField()) {
                        lines.fault("\"" + lines.field() + "\" is more than a line has; write one route or port a line");
                    }
                } catch (Malformed e) {
                    lines.fault(e.reason());
                } catch (IllegalArgumentException e) {
                    lines.fault(String.valueOf(e.getMessage()));
                }
            }
            for (int i = 0; i < own.size(); i++) {
                if (own.get(i).isEmpty()) {
                    lines.fault("port " + (i + 1) + " has no address; write a line such as port " + (i + 1)
                            + " 10.0." + i + ".1/24");
                }
            }
            lines.check();
            for (int i = 0; i < own.size(); i++) {
                for (InterfaceAddress each : own.get(i)) {
                    prefixes.add(new Prefix(each.high(), each.low(), each.mappedPrefixBits()), i + 1L);
                }
            }
            return new RoutingTable(own.stream().map(List::copyOf).toList(), PrefixTable.of(prefixes.build()), hops);
        }

        private String field(String expected) throws Malformed {
            if (!lines.nextField()) {
                throw new Malformed("the line ends too early; write " + expected, 0);
            }
            return lines.field();
        }

        private void port() throws Malformed {
            String number = field("port NUMBER ADDRESS/LENGTH, such as port 1 10.0.0.1/24");
            int at = number.matches("[0-9]{1,3}") ? Integer.parseInt(number) : 0;
            InterfaceAddress address = InterfaceAddress.parse(field("an address behind the port, such as 10.0.0.1/24"));
            if (at < 1 || at > own.size()) {
                throw new Malformed("\"" + number + "\" is no port; write a number from 1 to " + own.size(), 0);
            }
            for (InterfaceAddress before : own.get(at - 1)) {
                if (before.isIpv4() == address.isIpv4()) {
                    throw new Malformed("port " + at + " has an address already: " + before, 0);
                }
            }
            own.get(at - 1).add(address);
        }

        private void route() throws Malformed {
            Prefix prefix = Prefix.parse(lines.field());
            String word = field("via and a neighbour's address behind the prefix, or unreachable");
            switch (word) {
                case "via" -> {
                    InterfaceAddress hop = InterfaceAddress.parseHost(field("a neighbour's address"));
                    if (hop.isIpv4() != prefix.isIpv4()) {
                        throw new Malformed(prefix + " and its neighbour are not of one family; write one that is", 0);
                    }
                    prefixes.add(prefix, via(hop));
                }
                case "unreachable" -> prefixes.add(prefix, 0);
                default -> throw new Malformed(
                        "\"" + word + "\" is not expected here; write via and a neighbour's address, or unreachable", 0);
            }
            if (prefixes.size() > ForwardLimits.ROUTES_MAX) {
                throw new Malformed("more than " + ForwardLimits.ROUTES_MAX + " routes", 0);
            }
        }

        /** Returns the number of a next hop, from 1; equal next hops share one. */
        private int via(InterfaceAddress hop) throws Malformed {
            for (int i = own.size(); i < hops.size(); i++) {
                if (hop.high() == hops.get(i).high() && hop.low() == hops.get(i).low()) {
                    return i + 1;
                }
            }
            int port = (int) own.stream()
                    .takeWhile(all -> all.stream().noneMatch(each -> each.isOnLink(hop.high(), hop.low())))
                    .count();
            if (port == own.size()) {
                throw new Malformed(InterfaceAddress.text(hop.high(), hop.low()) + " is on no port's link; write the ports"
                        + " first, and the address of a neighbour", 0);
            }
            hops.add(new Hop(port, hop.high(), hop.low()));
            return hops.size();
        }
    }
}
