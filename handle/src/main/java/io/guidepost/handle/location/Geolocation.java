package io.guidepost.handle.location;

import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalDouble;

/** Geolocation: the country of an address and the distance between addresses. Thread-safe; answers from memory. */
public interface Geolocation {
    /** Knows no address: the steps that need it are skipped. */
    Geolocation NONE = new Geolocation() {
        @Override
        public Optional<String> country(InetAddress address) {
            return Optional.empty();
        }

        @Override
        public OptionalDouble distance(InetAddress from, InetAddress to) {
            return OptionalDouble.empty();
        }
    };

    /** Returns the country of an address: two letters of ISO 3166-1, such as {@code GB}; empty if unknown. */
    Optional<String> country(InetAddress address);

    /** Returns the distance between two addresses, 0 or more, in any common unit; empty if unknown. */
    OptionalDouble distance(InetAddress from, InetAddress to);
}
