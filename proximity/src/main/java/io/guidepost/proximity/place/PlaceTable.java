package io.guidepost.proximity.place;

import io.guidepost.base.Prefix;
import io.guidepost.names.Exchange;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which place each address is at, by true longest match, at the speed of memory: an immutable snapshot. Places are numbers
 * from 1 that the caller gives to prefixes. Any thread may ask; asking allocates nothing, unless the method says so.
 *
 * <p>IPv4 stands in one table of 32 MiB (see {@link Ipv4Base}). The next snapshot shares it: what changed since it was made
 * stands in front of it, in pages of 32 KiB (see {@link Ipv4Page}), which the snapshots share as well as far as they are still
 * right. So a change of a prefix costs a page or a few, and 32 MiB only when no more changes come ({@link #settled});
 * whoever still reads the snapshot before is not disturbed, as nothing is ever written again. The price
 * while there are pages in front is one more load for each look-up, from an array that stays in the first cache. IPv6 stands in
 * {@link Ipv6Pages}, and when places have larger numbers than a slot has room for, IPv4 in {@link Ipv4Tries}.
 */
public final class PlaceTable {
    /** Place of an address that lies in no prefix. */
    public static final int NOWHERE = 0;

    /** No prefixes. */
    public static final PlaceTable EMPTY = PlaceTableEdit.empty();

    /** What is newer than the base, else {@link Ipv4Page#IN_BASE}; empty if places need more than a slot has room for. */
    final char[][] pages;

    final char[] base;

    /** Whether all of IPv4 is in the base: then a look-up has one array to read, and nothing to ask before. */
    private final boolean plain;

    /** The largest number of a place in the pages; what is above it is a block. */
    final int placeMax;

    final @Nullable Ipv4Tries ipv4Tries;
    private final Ipv6Pages ipv6Pages;

    /** The prefixes within each page, and those that are wider than a page. */
    final Ipv4Columns[] ipv4;

    final Ipv4Columns ipv4Wide;
    final Ipv6Columns ipv6;
    final LoopbackPlaces loopBacks;

    private final int ipv4Size;

    /** What an edit hands over. */
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
     * The same, all in the base, for when it stays for a while: look-ups are faster, but 32 MiB are written. This one if it is
     * so already, or if the base cannot be, or there is too little for it to be worth while.
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

    /** Starts a snapshot that differs from this one. */
    public PlaceTableEdit edit() {
        return new PlaceTableEdit(this);
    }

    /** The place of an IPv4 address, or {@link #NOWHERE}. */
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

    /** The place of an address, IPv4 in its mapped form, or {@link #NOWHERE}. */
    public int find(long high, long low) {
        return Exchange.isIpv4(high, low) ? findIpv4((int) low) : ipv6Pages.find(high, low);
    }

    /** The longest prefix that holds an address, IPv4 in its mapped form, for explanations. Allocates. */
    public Optional<Prefix> longest(long high, long low) {
        if (!Exchange.isIpv4(high, low)) {
            int at = ipv6.longest(high, low);
            return at < 0 ? Optional.empty() : Optional.of(ipv6.prefix(at));
        }
        int address = (int) low;
        Ipv4Columns page = ipv4[address >>> Ipv4Page.SHIFT];
        int at = page.longest(address, Ipv4Page.BITS, 32);
        if (at >= 0) {
            return Optional.of(prefix(page.keys[at]));
        }
        int wide = ipv4Wide.longest(address, 0, Ipv4Page.BITS - 1);
        return wide < 0 ? Optional.empty() : Optional.of(prefix(ipv4Wide.keys[wide]));
    }

    /** The number of the AS that was given with the longest prefix that holds an address, unsigned 32 bits; 0 if none does. */
    public long asNumber(long high, long low) {
        if (!Exchange.isIpv4(high, low)) {
            int at = ipv6.longest(high, low);
            return at < 0 ? 0 : Integer.toUnsignedLong(ipv6.systems[at]);
        }
        int address = (int) low;
        Ipv4Columns page = ipv4[address >>> Ipv4Page.SHIFT];
        int at = page.longest(address, Ipv4Page.BITS, 32);
        if (at >= 0) {
            return Integer.toUnsignedLong(page.systems[at]);
        }
        int wide = ipv4Wide.longest(address, 0, Ipv4Page.BITS - 1);
        return wide < 0 ? 0 : Integer.toUnsignedLong(ipv4Wide.systems[wide]);
    }

    /** Tells each prefix and its place, in the order of bases, IPv4 first, shorter ones before those inside them. Allocates. */
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

    /** How many prefixes there are. */
    public int size() {
        return ipv4Size + ipv6.size();
    }

    /** Bytes of what look-ups touch; a page that several parts of the space share counts once for each. */
    public long bytes() {
        long bytes = ipv6Pages.bytes() + (ipv4Tries == null ? 0 : ipv4Tries.bytes()) + 4L * pages.length + 2L * base.length;
        for (char[] page : pages) {
            bytes += 2L * page.length;
        }
        return bytes;
    }

    /** Those of IPv6, for the next snapshot to share. */
    Ipv6Pages ipv6Pages() {
        return ipv6Pages;
    }
}
