package io.guidepost.handle.location;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Selects one of several locations. Each step filters the remaining ones; a step that would keep none is skipped, and
 * the selection ends when one is left. If several are left at the end, it picks one at random. Thread-safe if its
 * random numbers are.
 */
public final class LocationSelector {
    private final Geolocation geography;
    private final RandomGenerator random;

    /** Creates a selector with a geolocation, and random numbers for weights. */
    public LocationSelector(Geolocation geography, RandomGenerator random) {
        this.geography = geography;
        this.random = random;
    }

    /** Selects the location for a client; empty if there is none at all. */
    public Optional<HandleLocation> choose(HandleLocations locations, LocationClient visitor) {
        List<HandleLocation> left = locations.locations();
        for (SelectionStep step : locations.steps()) {
            if (left.size() < 2) {
                break;
            }
            List<HandleLocation> kept = kept(step, left, visitor);
            left = kept.isEmpty() ? left : kept;
        }
        return left.size() < 2 ? left.stream().findFirst() : Optional.of(weighted(left));
    }

    private List<HandleLocation> kept(SelectionStep step, List<HandleLocation> from, LocationClient visitor) {
        return switch (step) {
            case LOCATT -> wanted(from, visitor);
            case ADDRESS -> fitting(from, "address", list -> LocationAddresses.contain(list, visitor.address()));
            case COUNTRY -> {
                String country = geography.country(visitor.address()).orElse("");
                yield fitting(from, "country", country::equalsIgnoreCase);
            }
            case SCORE -> {
                double best = from.stream().mapToDouble(HandleLocation::score).max().orElse(0);
                yield from.stream().filter(each -> each.score() == best).toList();
            }
            case NEAREST -> nearest(from, visitor);
            case WEIGHTED -> List.of(weighted(from));
        };
    }

    /** Filters by the wanted attributes, each on its own: one that matches nothing is skipped. */
    private static List<HandleLocation> wanted(List<HandleLocation> from, LocationClient visitor) {
        List<HandleLocation> left = from;
        for (LocationClient.Wanted each : visitor.wanted()) {
            List<HandleLocation> kept = left.stream().filter(each::of).toList();
            left = kept.isEmpty() ? left : kept;
        }
        return left;
    }

    /** Returns the locations whose attribute matches, or else those without the attribute. */
    private static List<HandleLocation> fitting(List<HandleLocation> from, String attribute, Predicate<String> fits) {
        List<HandleLocation> fitting = from.stream()
                .filter(each -> each.attribute(attribute).filter(value -> fits.test(value.strip())).isPresent())
                .toList();
        return fitting.isEmpty()
                ? from.stream().filter(each -> each.attribute(attribute).isEmpty()).toList()
                : fitting;
    }

    private List<HandleLocation> nearest(List<HandleLocation> from, LocationClient visitor) {
        List<HandleLocation> nearest = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (HandleLocation each : from) {
            OptionalDouble distance = LocationAddresses.of(each)
                    .map(address -> geography.distance(visitor.address(), address))
                    .orElse(OptionalDouble.empty());
            if (distance.isEmpty() || distance.getAsDouble() > least) {
                continue;
            }
            if (distance.getAsDouble() < least) {
                nearest.clear();
                least = distance.getAsDouble();
            }
            nearest.add(each);
        }
        return nearest;
    }

    private HandleLocation weighted(List<HandleLocation> from) {
        double sum = from.stream().mapToDouble(HandleLocation::weight).sum();
        if (!(sum > 0) || sum == Double.POSITIVE_INFINITY) {
            return from.get(random.nextInt(from.size()));
        }
        double at = random.nextDouble(sum);
        HandleLocation last = from.getFirst();
        for (HandleLocation each : from) {
            if (each.weight() > 0) {
                last = each;
                at -= each.weight();
                if (at < 0) {
                    break;
                }
            }
        }
        return last;
    }
}
