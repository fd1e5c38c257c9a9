package io.guidepost.server.handle;

import io.guidepost.base.Addresses;
import io.guidepost.handle.location.Geolocation;
import io.guidepost.proximity.ranking.Ranking;
import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** Where addresses are: their countries as another one has them, their distances by the topology. */
record NearestGeography(Geolocation countries, Supplier<Ranking> rankings) implements Geolocation {
    @Override
    public Optional<String> country(InetAddress address) {
        return countries.country(address);
    }

    @Override
    public OptionalDouble distance(InetAddress from, InetAddress to) {
        Ranking ranking = rankings.get();
        int source = ranking.source(ranking.place(Addresses.high(from), Addresses.low(from)));
        if (source == Ranking.NO_SOURCE) {
            return countries.distance(from, to);
        }
        double cost = ranking.cost(source, ranking.place(Addresses.high(to), Addresses.low(to)));
        return Double.isNaN(cost) ? OptionalDouble.empty() : OptionalDouble.of(cost);
    }
}
