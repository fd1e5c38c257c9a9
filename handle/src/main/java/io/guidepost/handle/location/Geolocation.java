package io.guidepost.handle.location;

import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalDouble;

/** Where addresses are. Thread-safe; answers at once, from what is in memory. */
public interface Geolocation {
    /** Knows nothing: the steps that need it are passed over. */
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

    /** The country of an address: two letters of ISO 3166-1, such as {@code GB}; empty if it is not known. */
    Optional<String> country(InetAddress address);

    /**
     * How far it is from one address to another, 0 or more, in any unit that is the same for all; empty if it is not
     * known.
     */
    OptionalDouble distance(InetAddress from, InetAddress to);
}
