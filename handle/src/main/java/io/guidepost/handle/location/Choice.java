package io.guidepost.handle.location;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Chooses one of several locations. Each step keeps some of those that are left; one that would keep none is undone, and
 * when one is left the rest is not asked. Several that are left at the end are chosen from by chance. Thread-safe if its
 * random numbers are.
 */
public final class Choice {
    private final Geography geography;
    private final RandomGenerator random;

    /** Chooses with what is known of places, and random numbers for weights. */
    public Choice(Geography geography, RandomGenerator random) {
        this.geography = geography;
        this.random = random;
    }

    /** The location for a visitor; empty if there is none at all. */
    public Optional<Location> choose(Locations locations, Visitor visitor) {
        List<Location> left = locations.locations();
        for (Step step : locations.steps()) {
            if (left.size() < 2) {
                break;
            }
            List<Location> kept = kept(step, left, visitor);
            left = kept.isEmpty() ? left : kept;
        }
        return left.size() < 2 ? left.stream().findFirst() : Optional.of(weighted(left));
    }

    private List<Location> kept(Step step, List<Location> from, Visitor visitor) {
        return switch (step) {
            case LOCATT -> wanted(from, visitor);
            case ADDRESS -> fitting(from, "address", list -> Addresses.contain(list, visitor.address()));
            case COUNTRY -> {
                String country = geography.country(visitor.address()).orElse("");
                yield fitting(from, "country", country::equalsIgnoreCase);
            }
            case SCORE -> {
                double best = from.stream().mapToDouble(Location::score).max().orElse(0);
                yield from.stream().filter(each -> each.score() == best).toList();
            }
            case NEAREST -> nearest(from, visitor);
            case WEIGHTED -> List.of(weighted(from));
        };
    }

    /** Each wanted attribute is a filter of its own, and undone by itself. */
    private static List<Location> wanted(List<Location> from, Visitor visitor) {
        List<Location> left = from;
        for (Visitor.Wanted each : visitor.wanted()) {
            List<Location> kept = left.stream().filter(each::of).toList();
            left = kept.isEmpty() ? left : kept;
        }
        return left;
    }

    /** Those whose attribute fits, or else those that do not have it. */
    private static List<Location> fitting(List<Location> from, String attribute, Predicate<String> fits) {
        List<Location> fitting = from.stream()
                .filter(each -> each.attribute(attribute).filter(value -> fits.test(value.strip())).isPresent())
                .toList();
        return fitting.isEmpty()
                ? from.stream().filter(each -> each.attribute(attribute).isEmpty()).toList()
                : fitting;
    }

    private List<Location> nearest(List<Location> from, Visitor visitor) {
        List<Location> nearest = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (Location each : from) {
            OptionalDouble distance = Addresses.of(each)
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

    private Location weighted(List<Location> from) {
        double sum = from.stream().mapToDouble(Location::weight).sum();
        if (!(sum > 0) || sum == Double.POSITIVE_INFINITY) {
            return from.get(random.nextInt(from.size()));
        }
        double at = random.nextDouble(sum);
        Location last = from.getFirst();
        for (Location each : from) {
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
