package io.guidepost.handle.location;

import io.guidepost.proximity.PrefixTable;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Geolocation by prefix tables: one maps address blocks to countries, the other to networks (AS); a function of AS
 * numbers gives the distance. Thread-safe if that function is.
 */
public final class PrefixGeolocation implements Geolocation {
    /** The distance between two networks. */
    @FunctionalInterface
    public interface Costs {
        /** Knows one distance only: that within a network. */
        Costs SAME_NETWORK = (from, to) -> from == to ? OptionalDouble.of(0) : OptionalDouble.empty();

        /**
         * Returns the cost of the path between networks, 0 or more; empty if unknown.
         *
         * @param from number of an AS, unsigned 32 bits
         * @param to the same
         */
        OptionalDouble between(long from, long to);
    }

    private static final long MAPPED = 0xffff_0000_0000L;

    private final PrefixTable countries;
    private final PrefixTable networks;
    private final Costs costs;

    /**
     * Creates it over two tables.
     *
     * @param countries values are countries, see {@link #code}
     * @param networks values are AS numbers
     */
    public PrefixGeolocation(PrefixTable countries, PrefixTable networks, Costs costs) {
        this.countries = countries;
        this.networks = networks;
        this.costs = costs;
    }

    /**
     * Returns the number of a country in a table: its two letters in ASCII, the first one in the higher byte.
     *
     * @throws IllegalArgumentException if they are not two letters
     */
    public static long code(String country) {
        if (!country.matches("[A-Za-z]{2}")) {
            throw new IllegalArgumentException("a country is two letters of ISO 3166-1, not '" + country + "'");
        }
        return (long) Character.toUpperCase(country.charAt(0)) << 8 | Character.toUpperCase(country.charAt(1));
    }

    @Override
    public Optional<String> country(InetAddress address) {
        int found = find(countries, address);
        if (found == PrefixTable.NONE) {
            return Optional.empty();
        }
        long code = countries.value(found);
        return Optional.of("" + (char) (code >> 8 & 0xff) + (char) (code & 0xff));
    }

    @Override
    public OptionalDouble distance(InetAddress from, InetAddress to) {
        int one = find(networks, from);
        int other = find(networks, to);
        return one == PrefixTable.NONE || other == PrefixTable.NONE
                ? OptionalDouble.empty()
                : costs.between(networks.value(one), networks.value(other));
    }

    private static int find(PrefixTable table, InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == 4
                ? table.find(0, MAPPED | Integer.toUnsignedLong(bytes.getInt()))
                : table.find(bytes.getLong(), bytes.getLong());
    }
}
