package io.guidepost.proximity.ranking;

import io.guidepost.proximity.Address;
import io.guidepost.proximity.topology.Attachment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbers places, from 1, in the order in which they are met. Numbers stay, so that one snapshot can go on with those of
 * the last; what a snapshot sees is a {@link View} that later places are no part of. Not thread-safe.
 */
final class Places {
    private static final Comparator<Attachment> NEARER =
            Comparator.comparingInt(Attachment::asDistance).thenComparingLong(Attachment::asNumber);

    private static final Comparator<Attachment> NEARER_EXIT = Comparator.comparingInt(Attachment::asDistance)
            .thenComparing(Attachment::router)
            .thenComparingLong(Attachment::asNumber);

    private final RankingFunction function;

    private final Map<Place, Integer> numbers = new HashMap<>();
    private Place[] places = new Place[64];
    private int size;
    private int started;

    /**
     * A place.
     *
     * @param attachments at most one for each router, in the order of routers
     * @param loopBack whether it is the address of a router itself, and no prefix
     */
    record Place(List<Attachment> attachments, boolean loopBack) {}

    /** The places known at one moment. */
    record View(Place[] places, int size) {
        Place place(int number) {
            return places[number - 1];
        }
    }

    Places(RankingFunction function) {
        this.function = function;
    }

    /** Whether another function tells the same places apart. */
    boolean fits(RankingFunction other) {
        return other.equals(function) || !other.usesAsNumber() && !function.usesAsNumber();
    }

    int size() {
        return size;
    }

    /** So many may there be before numbers are given anew: those of places that nothing hangs on any more are never free. */
    int roomy() {
        return Math.max(Limits.PLACES_SPARE, 2 * started);
    }

    /** Says that all prefixes there are have their places. */
    void started() {
        started = size;
    }

    View view() {
        return new View(places, size);
    }

    /** The number of the place of prefixes that hang like this. */
    int prefix(List<Attachment> attachments) {
        return number(new Place(reduce(attachments), false));
    }

    /** The number of the place of the address of a router. */
    int loopBack(Address router) {
        return number(new Place(List.of(Attachment.internal(router, 0)), true));
    }

    private int number(Place place) {
        Integer known = numbers.get(place);
        if (known != null) {
            return known;
        }
        if (size == places.length) {
            // Views keep the old array.
            places = Arrays.copyOf(places, 2 * size);
        }
        places[size++] = place;
        numbers.put(place, size);
        return size;
    }

    /** Leaves out what makes no difference: cards, exits where there is a network inside, the further one of two at a router. */
    private List<Attachment> reduce(List<Attachment> attachments) {
        boolean inside = attachments.stream().anyMatch(Attachment::internal);
        TreeMap<Address, Attachment> byRouter = new TreeMap<>();
        for (Attachment each : attachments) {
            if (each.internal() == inside) {
                long asNumber = inside ? 0 : function.asNumberSeen(each.asNumber());
                byRouter.merge(
                        each.router(),
                        new Attachment(each.router(), 0, inside, asNumber, each.asDistance()),
                        (left, right) -> NEARER.compare(left, right) <= 0 ? left : right);
            }
        }
        return List.copyOf(new ArrayList<>(byRouter.values()));
    }

    /** The number of the AS behind the exit that is nearest to it, then of the lowest router; 0 if a network is inside. */
    static long asNumber(List<Attachment> attachments) {
        if (attachments.stream().anyMatch(Attachment::internal)) {
            return 0;
        }
        return attachments.stream()
                .min(NEARER_EXIT)
                .map(Attachment::asNumber)
                .orElse(0L);
    }
}
