package io.guidepost.proximity.place;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot that maps addresses to places by longest-prefix match. Places are numbers from 1 that the
 * caller assigns to prefixes. Any thread may use it; lookups allocate nothing, unless a method says otherwise.
 *
 * <p>IPv4 is one table of 32 MiB (see {@link Ipv4Base}). The next snapshot shares it: changes since then stand in front
 * of it, in pages of 32 KiB (see {@link Ipv4Page}), which snapshots share too as far as they are still valid
 * (copy-on-write). So a change of a prefix costs a page or a few, and 32 MiB only when changes pause
 * ({@link #settled}); readers of the old snapshot are not disturbed, as nothing is ever overwritten. The price of pages
 * in front is one more load per lookup, from an array that stays in the first-level cache. IPv6 is in
 * {@link Ipv6Pages}; if place numbers exceed a slot, IPv4 is in {@link Ipv4Tries}.
 */
public final class PlaceTable {
    /** Place of an address that no prefix matches. */
    public static final int NOWHERE = 0;

    /** A table without prefixes. */
    public static final PlaceTable EMPTY = PlaceTableEdit.empty();

    /** Pages newer than the base, otherwise {@link Ipv4Page#IN_BASE}; empty if place numbers exceed a slot. */
    final char[][] pages;

    final char[] base;

    /** Whether all of IPv4 is in the base: then a lookup reads one array and tests nothing before. */
    private final boolean plain;

    /** The largest place number in the pages; a larger number is a block. */
    final int placeMax;

    final @Nullable Ipv4Tries ipv4Tries;
    private final Ipv6Pages ipv6Pages;

    /** The prefixes within each page, and those that are wider than a page. */
    final Ipv4Columns[] ipv4;

    final Ipv4Columns ipv4Wide;
    final Ipv6Columns ipv6;
    final LoopbackPlaces loopBacks;

    private final int ipv4Size;

    /** The result of an edit. */
    record Parts(
            char[][] pages,
            char[] base,
            int placeMax,
            @Nullable Ipv4Tries ipv4Tries,
            Ipv6Pages ipv6Pages,
            Ipv4Columns[] ipv4,
            Ipv4Columns ipv4Wide,
            Ipv6Columns ipv6,
            LoopbackPlaces loopBacks) {}

    PlaceTable(Parts parts) {
        pages = parts.pages;
        base = parts.base;
        placeMax = parts.placeMax;
        ipv4Tries = parts.ipv4Tries;
        ipv6Pages = parts.ipv6Pages;
        ipv4 = parts.ipv4;
        ipv4Wide = parts.ipv4Wide;
        ipv6 = parts.ipv6;
        loopBacks = parts.loopBacks;
        int size = ipv4Wide.size();
        for (Ipv4Columns each : ipv4) {
            size += each.size();
        }
        ipv4Size = size;
        boolean inBase = base.length != 0;
        for (char[] page : pages) {
            inBase &= Ipv4Page.inBase(page);
        }
        plain = inBase;
    }

    /**
     * Returns an equal table that is all in the base, for a time without changes: lookups are faster, but 32 MiB are
     * written. Returns this table if it is so already, cannot be, or is too small to gain from it.
     */
    public PlaceTable settled() {
        if (plain || base.length == 0) {
            return this;
        }
        char[] next = Ipv4Base.of(pages, base, placeMax);
        return next.length == 0
                ? this
                : new PlaceTable(new Parts(
                        Ipv4Base.noPages(), next, placeMax, ipv4Tries, ipv6Pages, ipv4, ipv4Wide, ipv6, loopBacks));
    }

    /** Starts an edit of the next snapshot. */
    public PlaceTableEdit edit() {
        return new PlaceTableEdit(this);
    }

    /** Returns the place of an IPv4 address, or {@link #NOWHERE}. */
    public int findIpv4(int address) {
        if (!plain) {
            return findNewer(address);
        }
        int found = base[address >>> 8];
        return found <= placeMax ? found : base[Ipv4Base.SLOTS + (Ipv4Page.FIRST_BLOCK - found << 8) + (address & 0xff)];
    }

    private int findNewer(int address) {
        if (ipv4Tries != null) {
            return ipv4Tries.find(address);
        }
        char[] page = pages[address >>> Ipv4Page.SHIFT];
        if (Ipv4Page.inBase(page)) {
            int found = base[address >>> 8];
            return found <= placeMax ? found : base[Ipv4Base.SLOTS + (Ipv4Page.FIRST_BLOCK - found << 8) + (address & 0xff)];
        }
        int found = page[address >>> 8 & Ipv4Page.SLOT_MASK];
        return found <= placeMax ? found : page[Ipv4Page.SLOTS + (Ipv4Page.FIRST_BLOCK - found << 8) + (address & 0xff)];
    }

    /** Returns the place of an address, IPv4 in its mapped form, or {@link #NOWHERE}. */
    public int find(long high, long low) {
        return Addresses.isIpv4(high, low) ? findIpv4((int) low) : ipv6Pages.find(high, low);
    }

    /** Returns the longest matching prefix of an address, IPv4 in its mapped form, for explanations. Allocates. */
    public Optional<Prefix> longest(long high, long low) {
        if (!Addresses.isIpv4(high, low)) {
            int at = ipv6.longest(high, low);
            return at < 0 ? Optional.empty() : Optional.of(ipv6.prefix(at));
        }
        Ipv4Columns columns = columns((int) low);
        int at = columns.longest((int) low, 0, 32);
        return at < 0 ? Optional.empty() : Optional.of(prefix(columns.keys[at]));
    }

    /** Returns the AS number of the longest matching prefix, unsigned 32 bits; 0 without a match. */
    public long asNumber(long high, long low) {
        if (!Addresses.isIpv4(high, low)) {
            int at = ipv6.longest(high, low);
            return at < 0 ? 0 : Integer.toUnsignedLong(ipv6.systems[at]);
        }
        Ipv4Columns columns = columns((int) low);
        int at = columns.longest((int) low, 0, 32);
        return at < 0 ? 0 : Integer.toUnsignedLong(columns.systems[at]);
    }

    /** Returns the columns with the longest match of an IPv4 address: those of its page, or the wide ones. */
    private Ipv4Columns columns(int address) {
        Ipv4Columns page = ipv4[address >>> Ipv4Page.SHIFT];
        return page.longest(address, Ipv4Page.BITS, 32) >= 0 ? page : ipv4Wide;
    }

    /**
     * Passes each prefix and its place to a consumer, in the order of bases, IPv4 first, enclosing prefixes before
     * those inside them. Allocates.
     */
    public void forEach(ObjIntConsumer<Prefix> told) {
        int wide = 0;
        for (int i = 0; i < ipv4.length; i++) {
            // A prefix wider than a page starts where some page starts.
            while (wide < ipv4Wide.size() && Ipv4Columns.base(ipv4Wide.keys[wide]) >>> Ipv4Page.SHIFT == i) {
                told.accept(prefix(ipv4Wide.keys[wide]), ipv4Wide.places[wide]);
                wide++;
            }
            Ipv4Columns page = ipv4[i];
            for (int j = 0; j < page.size(); j++) {
                told.accept(prefix(page.keys[j]), page.places[j]);
            }
        }
        for (int i = 0; i < ipv6.size(); i++) {
            told.accept(ipv6.prefix(i), ipv6.family.value[i]);
        }
    }

    private static Prefix prefix(long key) {
        return Prefix.ofIpv4(Ipv4Columns.base(key), Ipv4Columns.length(key));
    }

    /** Returns the number of prefixes. */
    public int size() {
        return ipv4Size + ipv6.size();
    }

    /** Returns the bytes that lookups touch; a page that several parts of the space share counts once for each. */
    public long bytes() {
        long bytes = ipv6Pages.bytes() + (ipv4Tries == null ? 0 : ipv4Tries.bytes()) + 4L * pages.length + 2L * base.length;
        for (char[] page : pages) {
            bytes += 2L * page.length;
        }
        return bytes;
    }

    /** Returns the IPv6 pages, for the next snapshot to share. */
    Ipv6Pages ipv6Pages() {
        return ipv6Pages;
    }
}
