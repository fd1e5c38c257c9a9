package io.guidepost.proximity.topology;

import io.guidepost.proximity.Address;
import io.guidepost.proximity.Prefix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The whole network as its operator edits it: the topology, and each prefix with where it hangs. Not thread-safe: one
 * writer at a time, see {@link io.guidepost.proximity.ranking.LiveNetwork}.
 */
public final class Network {
    private static final Comparator<Prefix> BY_BASE = (left, right) -> {
        int order = Boolean.compare(right.isIpv4(), left.isIpv4());
        order = order != 0 ? order : Long.compareUnsigned(left.high(), right.high());
        order = order != 0 ? order : Long.compareUnsigned(left.low(), right.low());
        return order != 0 ? order : Integer.compare(left.length(), right.length());
    };

    private final TreeMap<Prefix, List<Attachment>> prefixes = new TreeMap<>(BY_BASE);
    private Topology topology = Topology.EMPTY;
    private long changes;

    /** The routers. */
    public Topology topology() {
        return topology;
    }

    /** Puts other routers in place; prefixes stay, also those at routers that are gone, which then lead nowhere. */
    public void topology(Topology next) {
        topology = next;
        changes++;
    }

    /** Hangs a prefix somewhere; what it had at the same router and card, internal or external alike, is replaced. */
    public void add(Prefix prefix, Attachment attachment) {
        List<Attachment> next = without(prefix, attachment.router(), attachment.nic());
        next.add(attachment);
        prefixes.put(prefix, List.copyOf(next));
        changes++;
    }

    /** Takes a prefix away from a card of a router; whether it was there. */
    public boolean remove(Prefix prefix, Address router, int nic) {
        List<Attachment> left = without(prefix, router, nic);
        if (left.size() == attachments(prefix).size()) {
            return false;
        }
        if (left.isEmpty()) {
            prefixes.remove(prefix);
        } else {
            prefixes.put(prefix, List.copyOf(left));
        }
        changes++;
        return true;
    }

    private List<Attachment> without(Prefix prefix, Address router, int nic) {
        List<Attachment> left = new ArrayList<>(attachments(prefix));
        left.removeIf(each -> each.nic() == nic && each.router().equals(router));
        return left;
    }

    /** Takes a prefix away from everywhere; whether it was there. */
    public boolean remove(Prefix prefix) {
        boolean known = prefixes.remove(prefix) != null;
        changes += known ? 1 : 0;
        return known;
    }

    /** Where a prefix hangs; empty if it is not known. */
    public List<Attachment> attachments(Prefix prefix) {
        return prefixes.getOrDefault(prefix, List.of());
    }

    /** How many different prefixes there are. */
    public int prefixes() {
        return prefixes.size();
    }

    /** Tells all prefixes in the order of their bases, IPv4 first, shorter ones before those inside them. */
    public void forEach(BiConsumer<Prefix, List<Attachment>> told) {
        prefixes.forEach(told);
    }

    /** Counts changes: who saw the same number before has seen all. */
    public long changes() {
        return changes;
    }
}
