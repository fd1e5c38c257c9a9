package io.guidepost.proximity.place;

import java.util.Arrays;

/**
 * The places of one part of the IPv4 space as a lookup structure: DIR-24-8 (Gupta, Lin and McKeown, "Routing Lookups in
 * Hardware at Memory Access Speeds", INFOCOM 1998) in one array of characters.
 *
 * <pre>
 *   [0, 16384)                 place of each /24; or, counted down from 0xffff, the number of a block of 256
 *   [16384 + 256 n, + 256)     block n: place of each address of a /24 that prefixes cut up
 * </pre>
 *
 * <p>A page is painted prefix by prefix in their order. Enclosing prefixes come first, so later paint is the longer
 * match. Used by one thread; the pages it makes are immutable.
 */
final class Ipv4Page {
    /** First bits of an address that choose its page: pages of 32 KiB are cheap to repaint, and few. */
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

    /** Returns whether a page is no newer than the base. */
    static boolean inBase(char[] page) {
        return page.length == 0;
    }

    /** Returns the number of blocks of a page. */
    static int blocks(char[] page) {
        return inBase(page) ? 0 : (page.length - SLOTS) / BLOCK;
    }

    /** Returns a page that has one place throughout. */
    static char[] uniform(int place) {
        char[] page = new char[SLOTS];
        Arrays.fill(page, (char) place);
        return page;
    }

    /** Starts a page that has one place throughout; no place number exceeds a limit. */
    void begin(int place, int placeMax) {
        Arrays.fill(painted, 0, SLOTS, (char) place);
        blocks = 0;
        lowestBlock = placeMax + 1;
    }

    /**
     * Paints a prefix that is at least as long as the page's.
     *
     * @return whether a number was left for its block
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

    /** Returns the place of an address so far. */
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
