package io.guidepost.proximity.place;

import java.util.Arrays;

/**
 * The places of one part of the IPv4 space, as look-ups want them: DIR-24-8 (Gupta, Lin and McKeown, "Routing Lookups in
 * Hardware at Memory Access Speeds", INFOCOM 1998) in one array of characters.
 *
 * <pre>
 *   [0, 16384)                 place of each /24; or, counted down from 0xffff, the number of a block of 256
 *   [16384 + 256 n, + 256)     block n: place of each address of a /24 that prefixes cut up
 * </pre>
 *
 * A page is painted prefix by prefix in their order. As those that enclose others come first, what is painted later is the
 * longer match. Used by one thread; the pages it makes are immutable.
 */
final class Ipv4Page {
    /** First bits of an address that choose its page: pages of 32 KiB are cheap to paint anew and few enough to stay known. */
    static final int BITS = 10;

    static final int COUNT = 1 << BITS;
    static final int SHIFT = 32 - BITS;
    static final int SLOTS = 1 << (24 - BITS);
    static final int SLOT_MASK = SLOTS - 1;

    /** Stands where a page is no newer than the {@link Ipv4Base}. */
    static final char[] IN_BASE = {};

    /** The number that stands for block 0. */
    static final int FIRST_BLOCK = 0xffff;

    private static final int BLOCK = 256;

    private char[] painted = new char[SLOTS + 16 * BLOCK];
    private int blocks;
    private int lowestBlock;

    /** Whether this stands where a page is no newer than the base. */
    static boolean inBase(char[] page) {
        return page.length == 0;
    }

    /** How many blocks a page has. */
    static int blocks(char[] page) {
        return inBase(page) ? 0 : (page.length - SLOTS) / BLOCK;
    }

    /** A page that has one place all over. */
    static char[] uniform(int place) {
        char[] page = new char[SLOTS];
        Arrays.fill(page, (char) place);
        return page;
    }

    /** Starts a page: all of it is at one place, and no place has a number above a limit. */
    void begin(int place, int placeMax) {
        Arrays.fill(painted, 0, SLOTS, (char) place);
        blocks = 0;
        lowestBlock = placeMax + 1;
    }

    /**
     * Paints a prefix that is as long as the number of the page or longer.
     *
     * @return whether there was a number left for its block
     */
    boolean paint(int base, int length, int place) {
        int slot = base >>> 8 & SLOT_MASK;
        if (length <= 24) {
            Arrays.fill(painted, slot, slot + (1 << (24 - length)), (char) place);
            return true;
        }
        if (painted[slot] < lowestBlock && !cut(slot)) {
            return false;
        }
        int from = SLOTS + (FIRST_BLOCK - painted[slot]) * BLOCK + (base & 0xff);
        Arrays.fill(painted, from, from + (1 << (32 - length)), (char) place);
        return true;
    }

    /** The place that an address has so far. */
    int place(int address) {
        int found = painted[address >>> 8 & SLOT_MASK];
        return found < lowestBlock ? found : painted[SLOTS + (FIRST_BLOCK - found) * BLOCK + (address & 0xff)];
    }

    char[] finish() {
        return Arrays.copyOf(painted, SLOTS + blocks * BLOCK);
    }

    /** Gives a /24 a block of its own. */
    private boolean cut(int slot) {
        int number = FIRST_BLOCK - blocks;
        if (number < lowestBlock) {
            return false;
        }
        int from = SLOTS + blocks * BLOCK;
        if (from + BLOCK > painted.length) {
            painted = Arrays.copyOf(painted, painted.length + painted.length / 2);
        }
        Arrays.fill(painted, from, from + BLOCK, painted[slot]);
        painted[slot] = (char) number;
        blocks++;
        return true;
    }
}
