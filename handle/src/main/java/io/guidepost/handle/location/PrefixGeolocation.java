package io.guidepost.handle.location;

import io.guidepost.base.Addresses;
import io.guidepost.proximity.PrefixTable;
import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Geolocation by a prefix table, which maps address blocks to countries. It knows no distances. Thread-safe.
 *
 * @param countries values are countries, see {@link #code}
 */
public record PrefixGeolocation(PrefixTable countries) implements Geolocation {
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
        int found = countries.find(Addresses.high(address), Addresses.low(address));
        if (found == PrefixTable.NONE) {
            return Optional.empty();
        }
        long code = countries.value(found);
        return Optional.of("" + (char) (code >> 8 & 0xff) + (char) (code & 0xff));
    }

    @Override
    public OptionalDouble distance(InetAddress from, InetAddress to) {
        return OptionalDouble.empty();
    }
}
