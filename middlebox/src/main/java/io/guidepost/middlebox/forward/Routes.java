package io.guidepost.middlebox.forward;

import io.guidepost.middlebox.ipv4.InterfaceAddress;
import io.guidepost.names.FaultyFile;
import io.guidepost.names.LineReader;
import io.guidepost.names.Malformed;
import io.guidepost.proximity.Prefix;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of a router's ports and the next hop for each prefix: an immutable snapshot.
 *
 * <pre>
 *  port 1 10.0.0.1/24              # address of the first port; its prefix is a route
 *  port 2 192.0.2.1/24
 *  0.0.0.0/0 via 192.0.2.7         # a neighbour on the link of one of the ports
 *  10.9.0.0/16 unreachable         # told to the sender
 * </pre>
 */
public final class Routes {
    /** Next hop of a prefix on a link: the destination itself. */
    static final int ON_LINK = 0;

    private static final int UNREACHABLE = -1;

    private final List<InterfaceAddress> addresses;
    private final PrefixTable table;
    private final int[] hopPort;
    private final int[] hopAddress;

    private Routes(List<InterfaceAddress> addresses, PrefixTable table, int[] hopPort, int[] hopAddress) {
        this.addresses = addresses;
        this.table = table;
        this.hopPort = hopPort;
        this.hopAddress = hopAddress;
    }

    /**
     * Reads a file, for a router of so many ports.
     *
     * @throws FaultyFile with all that is wrong, as file:line
     */
    public static Routes read(Path file, int ports) throws IOException, FaultyFile {
        try (LineReader lines = LineReader.open(file)) {
            return new Reader(lines, ports).read();
        }
    }

    /**
     * Reads the text of a file.
     *
     * @throws FaultyFile with all that is wrong, as name:line
     */
    public static Routes parse(String name, String text, int ports) throws FaultyFile {
        try (LineReader lines =
                LineReader.of(name, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))) {
            return new Reader(lines, ports).read();
        } catch (IOException e) {
            throw new AssertionError("bytes in memory can be read", e);
        }
    }

    /** Addresses of the ports, in their order. */
    public List<InterfaceAddress> addresses() {
        return addresses;
    }

    /** Prefixes that have a route. */
    public int size() {
        return table.size();
    }

    /** The route of the longest prefix that an address is in, or -1. */
    int find(int destination) {
        int found = table.findIpv4(destination);
        return found == PrefixTable.NONE ? UNREACHABLE : (int) table.value(found) - 1;
    }

    /** The port that a route leads to. */
    int port(int route) {
        return hopPort[route];
    }

    /** The neighbour that a route leads to, or {@link #ON_LINK}. */
    int hop(int route) {
        return hopAddress[route];
    }

    /** Reads one file. */
    private static final class Reader {
        private final LineReader lines;
        private final @Nullable InterfaceAddress[] own;
        private final Prefixes.Builder prefixes = Prefixes.builder();
        private final List<int[]> hops = new ArrayList<>();

        Reader(LineReader lines, int ports) {
            this.lines = lines;
            this.own = new InterfaceAddress[ports];
            for (int i = 0; i < ports; i++) {
                hops.add(new int[] {i, ON_LINK});
            }
        }

        Routes read() throws IOException, FaultyFile {
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
                }
            }
            for (int i = 0; i < own.length; i++) {
                if (own[i] == null) {
                    lines.fault("port " + (i + 1) + " has no address; write a line such as port " + (i + 1)
                            + " 10.0." + i + ".1/24");
                }
            }
            lines.check();
            List<InterfaceAddress> addresses = new ArrayList<>();
            for (int i = 0; i < own.length; i++) {
                InterfaceAddress each = own[i];
                if (each != null) {
                    addresses.add(each);
                    prefixes.add(Prefix.ofIpv4(each.address(), each.prefixBits()), i + 1L);
                }
            }
            return new Routes(
                    List.copyOf(addresses),
                    PrefixTable.of(prefixes.build()),
                    hops.stream().mapToInt(each -> each[0]).toArray(),
                    hops.stream().mapToInt(each -> each[1]).toArray());
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
            if (at < 1 || at > own.length) {
                throw new Malformed("\"" + number + "\" is no port; write a number from 1 to " + own.length, 0);
            }
            if (own[at - 1] != null) {
                throw new Malformed("port " + at + " has an address already: " + own[at - 1], 0);
            }
            own[at - 1] = address;
        }

        private void route() throws Malformed {
            Prefix prefix = Prefix.parse(lines.field());
            if (!prefix.isIpv4()) {
                throw new Malformed(prefix + " is IPv6, which is not routed here; write a prefix such as 10.0.0.0/8", 0);
            }
            String word = field("via and a neighbour's address behind the prefix, or unreachable");
            switch (word) {
                case "via" -> prefixes.add(prefix, via(InterfaceAddress.parseAddress(field("a neighbour's address"))));
                case "unreachable" -> prefixes.add(prefix, 0);
                default -> throw new Malformed(
                        "\"" + word + "\" is not expected here; write via and a neighbour's address, or unreachable", 0);
            }
            if (prefixes.size() > Limits.ROUTES_MAX) {
                throw new Malformed("more than " + Limits.ROUTES_MAX + " routes", 0);
            }
        }

        /** The value of a route, which is its place from 1; equal next hops share one. */
        private int via(int hop) throws Malformed {
            for (int i = own.length; i < hops.size(); i++) {
                if (hops.get(i)[1] == hop) {
                    return i + 1;
                }
            }
            int port = (int) Arrays.stream(own).takeWhile(each -> each == null || !each.isOnLink(hop)).count();
            if (port == own.length) {
                throw new Malformed(InterfaceAddress.text(hop) + " is on no port's link; write the ports first, and the"
                        + " address of a neighbour", 0);
            }
            hops.add(new int[] {port, hop});
            return hops.size();
        }
    }
}
