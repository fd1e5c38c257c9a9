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
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The network as its operator edits it: the topology, and each prefix with its attachments. Not thread-safe: one writer
 * at a time, see {@link io.guidepost.proximity.ranking.LiveNetwork}.
 *
 * <p>A million prefixes have few distinct lists of attachments, each of which is kept once.
 */
public final class OperatorNetwork {
    private static final Comparator<PrefixAttachment> BY_ROUTER =
            Comparator.comparing(PrefixAttachment::router).thenComparingInt(PrefixAttachment::nic);

    private final PrefixHashMap<Shared> prefixes = new PrefixHashMap<>();
    private final Map<List<PrefixAttachment>, Shared> shared = new HashMap<>();
    private final NetworkChangeLog log = new NetworkChangeLog();
    private Topology topology = Topology.EMPTY;

    /** Attachments that many prefixes share. */
    private static final class Shared {
        final List<PrefixAttachment> attachments;
        int uses;

        Shared(List<PrefixAttachment> attachments) {
            this.attachments = attachments;
        }
    }

    /** Returns the routers. */
    public Topology topology() {
        return topology;
    }

    /** Replaces the routers; prefixes stay, also those at removed routers, which then lead nowhere. */
    public void topology(Topology next) {
        topology = next;
        log.add();
    }

    /** Attaches a prefix; its attachment to the same router and card, internal or external, is replaced. */
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

    /** Detaches a prefix from a card of a router; returns whether it was there. */
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

    /** Removes a prefix; returns whether it was there. */
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

    /** Returns the attachments of a prefix, in the order of routers and cards; empty if it is unknown. */
    public List<PrefixAttachment> attachments(Prefix prefix) {
        Shared found = prefixes.get(prefix);
        return found == null ? List.of() : found.attachments;
    }

    /**
     * Returns the AS number of an external prefix behind an exit, which may differ from exit to exit; 0 if it is internal or unknown.
     *
     * @param exit id of the router
     */
    public long asNumber(Prefix prefix, Address exit) {
        return attachments(prefix).stream()
                .filter(each -> topology.router(each.router()).filter(router -> router.id().equals(exit)).isPresent())
                .min(Comparator.comparingInt(PrefixAttachment::asDistance))
                .map(PrefixAttachment::asNumber)
                .orElse(0L);
    }

    /** Passes each distinct list of attachments to a consumer, with the number of prefixes that have it. */
    public void forEachDistinct(ObjIntConsumer<List<PrefixAttachment>> told) {
        shared.values().forEach(each -> told.accept(each.attachments, each.uses));
    }

    /** Returns the number of distinct prefixes. */
    public int prefixes() {
        return prefixes.size();
    }

    /**
     * Passes all prefixes to a consumer in the order of their bases, IPv4 first, enclosing ones before those inside
     * them.
     */
    public void forEach(BiConsumer<Prefix, List<PrefixAttachment>> told) {
        List<Prefix> sorted = new ArrayList<>(prefixes.size());
        prefixes.forEach((prefix, ignored) -> sorted.add(prefix));
        sorted.sort(Prefix.ORDER);
        sorted.forEach(each -> told.accept(each, attachments(each)));
    }

    /**
     * Passes all prefixes to a consumer in no order, which is faster. Prefixes with equal attachments come with the
     * same list.
     */
    public void forEachUnordered(BiConsumer<Prefix, List<PrefixAttachment>> told) {
        prefixes.forEach((prefix, hangs) -> told.accept(prefix, hangs.attachments));
    }

    /** Returns the count of changes: an equal count means an equal state. Two networks never have the same count. */
    public long changes() {
        return log.count();
    }

    /**
     * Passes each prefix that changed since a count to a consumer, once for each change.
     *
     * @param count earlier result of {@link #changes}
     * @return false, without any call, if that is longer ago than changes are remembered, or was another network
     */
    public boolean forEachChanged(long count, Consumer<Prefix> told) {
        return log.since(count, told);
    }
}
