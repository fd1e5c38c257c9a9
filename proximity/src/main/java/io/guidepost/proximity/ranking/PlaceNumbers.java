package io.guidepost.proximity.ranking;

import io.guidepost.base.Address;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Assigns numbers to places, from 1, in order of first use. Numbers are stable, so that one snapshot can build on the
 * last; a snapshot uses a {@link View}, which later places are no part of. Not thread-safe.
 */
final class PlaceNumbers {
    private static final Comparator<PrefixAttachment> NEARER =
            Comparator.comparingInt(PrefixAttachment::asDistance).thenComparingLong(PrefixAttachment::asNumber);

    private static final Comparator<PrefixAttachment> NEARER_EXIT = Comparator.comparingInt(PrefixAttachment::asDistance)
            .thenComparing(PrefixAttachment::router)
            .thenComparingLong(PrefixAttachment::asNumber);

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
    record Place(List<PrefixAttachment> attachments, boolean loopBack) {}

    /** The places at one moment. */
    record View(Place[] places, int size) {
        Place place(int number) {
            return places[number - 1];
        }
    }

    PlaceNumbers(RankingFunction function) {
        this.function = function;
    }

    /** Returns whether another function distinguishes the same places. */
    boolean fits(RankingFunction other) {
        return other.equals(function) || !other.usesAsNumber() && !function.usesAsNumber();
    }

    int size() {
        return size;
    }

    /** Returns the number of places at which all are renumbered, as numbers of obsolete places are never reused. */
    int roomy() {
        return Math.max(RankingLimits.PLACES_SPARE, 2 * started);
    }

    /** Marks that all existing prefixes have their places. */
    void started() {
        started = size;
    }

    View view() {
        return new View(places, size);
    }

    /** Returns the number of the place of prefixes with these attachments. */
    int prefix(List<PrefixAttachment> attachments) {
        return number(new Place(reduce(attachments), false));
    }

    /** Returns the number of the place of the address of a router. */
    int loopBack(Address router) {
        return number(new Place(List.of(PrefixAttachment.internal(router, 0)), true));
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

    /**
     * Removes attachments without effect: cards, exits if there is an internal one, the farther one of two at a router.
     */
    private List<PrefixAttachment> reduce(List<PrefixAttachment> attachments) {
        boolean inside = attachments.stream().anyMatch(PrefixAttachment::internal);
        TreeMap<Address, PrefixAttachment> byRouter = new TreeMap<>();
        for (PrefixAttachment each : attachments) {
            if (each.internal() == inside) {
                long asNumber = inside ? 0 : function.asNumberSeen(each.asNumber());
                byRouter.merge(
                        each.router(),
                        new PrefixAttachment(each.router(), 0, inside, asNumber, each.asDistance()),
                        (left, right) -> NEARER.compare(left, right) <= 0 ? left : right);
            }
        }
        return List.copyOf(new ArrayList<>(byRouter.values()));
    }

    /** Returns the AS number behind the nearest exit, then of the lowest router; 0 if a network is internal. */
    static long asNumber(List<PrefixAttachment> attachments) {
        if (attachments.stream().anyMatch(PrefixAttachment::internal)) {
            return 0;
        }
        return attachments.stream()
                .min(NEARER_EXIT)
                .map(PrefixAttachment::asNumber)
                .orElse(0L);
    }
}
