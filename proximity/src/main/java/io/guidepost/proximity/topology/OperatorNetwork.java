package io.guidepost.proximity.topology;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The whole network as its operator edits it: the topology, and each prefix with where it hangs. Not thread-safe: one
 * writer at a time, see {@link io.guidepost.proximity.ranking.LiveNetwork}.
 *
 * <p>A million prefixes hang in few ways: each different list of attachments is kept once.
 */
public final class OperatorNetwork {
    private static final Comparator<Prefix> BY_BASE = (left, right) -> {
        int order = Boolean.compare(right.isIpv4(), left.isIpv4());
        order = order != 0 ? order : Long.compareUnsigned(left.high(), right.high());
        order = order != 0 ? order : Long.compareUnsigned(left.low(), right.low());
        return order != 0 ? order : Integer.compare(left.length(), right.length());
    };

    private static final Comparator<PrefixAttachment> BY_ROUTER =
            Comparator.comparing(PrefixAttachment::router).thenComparingInt(PrefixAttachment::nic);

    private final PrefixHashMap<Shared> prefixes = new PrefixHashMap<>();
    private final Map<List<PrefixAttachment>, Shared> shared = new HashMap<>();
    private final NetworkChangeLog log = new NetworkChangeLog();
    private Topology topology = Topology.EMPTY;

    /** Attachments that many prefixes have. */
    private static final class Shared {
        final List<PrefixAttachment> attachments;
        int uses;

        Shared(List<PrefixAttachment> attachments) {
            this.attachments = attachments;
        }
    }

    /** The routers. */
    public Topology topology() {
        return topology;
    }

    /** Puts other routers in place; prefixes stay, also those at routers that are gone, which then lead nowhere. */
    public void topology(Topology next) {
        topology = next;
        log.add();
    }

    /** Hangs a prefix somewhere; what it had at the same router and card, internal or external alike, is replaced. */
    public void add(Prefix prefix, PrefixAttachment attachment) {
        Shared before = prefixes.get(prefix);
        List<PrefixAttachment> next = List.of(attachment);
        if (before != null) {
            List<PrefixAttachment> more = without(before, attachment.router(), attachment.nic());
            more.add(attachment);
            more.sort(BY_ROUTER);
            next = List.copyOf(more);
            if (next.equals(before.attachments)) {
                return;
            }
        }
        put(prefix, next);
    }

    /** Takes a prefix away from a card of a router; whether it was there. */
    public boolean remove(Prefix prefix, Address router, int nic) {
        Shared before = prefixes.get(prefix);
        if (before == null) {
            return false;
        }
        List<PrefixAttachment> left = without(before, router, nic);
        if (left.size() == before.attachments.size()) {
            return false;
        }
        if (left.isEmpty()) {
            return remove(prefix);
        }
        put(prefix, List.copyOf(left));
        return true;
    }

    /** Takes a prefix away from everywhere; whether it was there. */
    public boolean remove(Prefix prefix) {
        Shared before = prefixes.remove(prefix);
        if (before == null) {
            return false;
        }
        release(before);
        log.add(prefix);
        return true;
    }

    private void put(Prefix prefix, List<PrefixAttachment> attachments) {
        Shared next = shared.computeIfAbsent(attachments, Shared::new);
        next.uses++;
        release(prefixes.put(prefix, next));
        log.add(prefix);
    }

    private void release(@Nullable Shared before) {
        if (before != null && --before.uses == 0) {
            shared.remove(before.attachments);
        }
    }

    private static List<PrefixAttachment> without(Shared before, Address router, int nic) {
        List<PrefixAttachment> left = new ArrayList<>(before.attachments);
        left.removeIf(each -> each.nic() == nic && each.router().equals(router));
        return left;
    }

    /** Where a prefix hangs, in the order of routers and cards; empty if it is not known. */
    public List<PrefixAttachment> attachments(Prefix prefix) {
        Shared found = prefixes.get(prefix);
        return found == null ? List.of() : found.attachments;
    }

    /** How many different prefixes there are. */
    public int prefixes() {
        return prefixes.size();
    }

    /** Tells all prefixes in the order of their bases, IPv4 first, shorter ones before those inside them. */
    public void forEach(BiConsumer<Prefix, List<PrefixAttachment>> told) {
        List<Prefix> sorted = new ArrayList<>(prefixes.size());
        prefixes.forEach((prefix, ignored) -> sorted.add(prefix));
        sorted.sort(BY_BASE);
        sorted.forEach(each -> told.accept(each, attachments(each)));
    }

    /** Tells all prefixes in no order, faster. Prefixes that hang alike come with the same list. */
    public void forEachUnordered(BiConsumer<Prefix, List<PrefixAttachment>> told) {
        prefixes.forEach((prefix, hangs) -> told.accept(prefix, hangs.attachments));
    }

    /** Counts changes: who saw the same number before has seen all. Two networks never have the same count. */
    public long changes() {
        return log.count();
    }

    /**
     * Tells each prefix that was changed since a count of changes, once for each change.
     *
     * @param count what {@link #changes} said then
     * @return false, and nothing is told, if that is longer ago than changes are remembered, or was another network
     */
    public boolean forEachChanged(long count, Consumer<Prefix> told) {
        return log.since(count, told);
    }

    /** Bytes that prefixes take here, without the lists of attachments that they share. */
    public long bytes() {
        return prefixes.bytes();
    }

    /** How many different lists of attachments there are. */
    public int attachmentLists() {
        return shared.size();
    }
}
