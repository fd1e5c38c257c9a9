package io.guidepost.proximity.rpki;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Origin validation (RFC 6811): VRPs in the order of their prefixes, 26 bytes each. Immutable.
 *
 * <p>Each knows the one before it whose prefix contains its own, so that all that cover a prefix are found from the last one that
 * is not behind it in the order:
 *
 * <pre>
 *   10.0.0.0/8 ◀── 10.1.0.0/16 ◀── 10.1.2.0/24
 *        ◀───────────── 10.2.0.0/16      10.2.3.0/24 is looked for: begins here, follows to 10.0.0.0/8
 * </pre>
 */
public final class VrpTable {
    /** Without any VRP: nothing is found. */
    public static final VrpTable EMPTY = of(List.of());

    private final long[] highs;
    private final long[] lows;
    private final byte[] lengths;
    private final byte[] maxLengths;
    private final int[] systems;

    /** The nearest one before that contains it; -1 = none. */
    private final int[] containers;

    private final int ipv4;

    private VrpTable(Vrp[] sorted) {
        highs = new long[sorted.length];
        lows = new long[sorted.length];
        lengths = new byte[sorted.length];
        maxLengths = new byte[sorted.length];
        systems = new int[sorted.length];
        containers = new int[sorted.length];
        ipv4 = (int) Arrays.stream(sorted).filter(each -> each.prefix().isIpv4()).count();
        for (int i = 0; i < sorted.length; i++) {
            Prefix prefix = sorted[i].prefix();
            highs[i] = prefix.high();
            lows[i] = prefix.low();
            lengths[i] = (byte) prefix.length();
            maxLengths[i] = (byte) sorted[i].maxLength();
            systems[i] = (int) sorted[i].as();
            int container = i - 1;
            while (container >= 0 && !contains(container, prefix)) {
                container = containers[container];
            }
            containers[i] = container;
        }
    }

    /** A table of these, each once. */
    public static VrpTable of(Collection<Vrp> vrps) {
        return new VrpTable(vrps.stream().sorted().distinct().toArray(Vrp[]::new));
    }

    /** What any of several caches tells. */
    public static VrpTable union(Collection<VrpTable> tables) {
        List<VrpTable> some = tables.stream().filter(each -> each.size() > 0).toList();
        if (some.size() < 2) {
            return some.isEmpty() ? EMPTY : some.getFirst();
        }
        List<Vrp> all = new ArrayList<>();
        some.forEach(each -> each.forEach(all::add));
        return of(all);
    }

    /**
     * A table with some more, and without some.
     *
     * @param changes whether each is announced, or else withdrawn
     */
    VrpTable with(Map<Vrp, Boolean> changes) {
        List<Vrp> all = new ArrayList<>(size() + changes.size());
        forEach(each -> {
            if (!changes.containsKey(each)) {
                all.add(each);
            }
        });
        changes.forEach((vrp, announced) -> {
            if (announced) {
                all.add(vrp);
            }
        });
        return of(all);
    }

    /** Returns the number of VRPs. */
    public int size() {
        return systems.length;
    }

    /** Returns the number of VRPs of IPv4. */
    public int ipv4() {
        return ipv4;
    }

    /** Tells each VRP, in the order of the table. */
    public void forEach(Consumer<Vrp> told) {
        for (int i = 0; i < systems.length; i++) {
            told.accept(new Vrp(new Prefix(highs[i], lows[i], lengths[i] & 0xff), maxLengths[i] & 0xff, systems[i] & 0xffffffffL));
        }
    }

    boolean contains(Vrp vrp) {
        for (int i = last(vrp.prefix()); i >= 0 && contains(i, vrp.prefix()) && lengths[i] == (byte) vrp.prefix().length();
                i = containers[i]) {
            if (maxLengths[i] == (byte) vrp.maxLength() && systems[i] == (int) vrp.as()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Validates a route.
     *
     * @param origin AS of the route, unsigned 32 bits; 0 if it is unknown, as after a set
     */
    public OriginValidity validate(Prefix prefix, long origin) {
        boolean covered = false;
        for (int i = last(prefix); i >= 0; i = containers[i]) {
            if (contains(i, prefix)) {
                covered = true;
                if (origin != 0 && systems[i] == (int) origin && prefix.length() <= (maxLengths[i] & 0xff)) {
                    return OriginValidity.VALID;
                }
            }
        }
        return covered ? OriginValidity.INVALID : OriginValidity.NOT_FOUND;
    }

    /** Returns the last VRP whose prefix is not behind another in the order; -1 if all are. */
    private int last(Prefix prefix) {
        int low = 0;
        int high = systems.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (compare(middle, prefix) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** As {@link Prefix#ORDER}: the table has all of IPv4 first. */
    private int compare(int i, Prefix prefix) {
        int order = Boolean.compare(i >= ipv4, !prefix.isIpv4());
        order = order != 0 ? order : Long.compareUnsigned(highs[i], prefix.high());
        order = order != 0 ? order : Long.compareUnsigned(lows[i], prefix.low());
        return order != 0 ? order : Integer.compare(lengths[i] & 0xff, prefix.length());
    }

    private boolean contains(int i, Prefix prefix) {
        int length = lengths[i] & 0xff;
        return length <= prefix.length()
                && i < ipv4 == prefix.isIpv4()
                && (prefix.high() & Addresses.highMask(length)) == highs[i]
                && (prefix.low() & Addresses.lowMask(length)) == lows[i];
    }
}
