package io.guidepost.proximity.place;

import java.util.Arrays;

/**
 * All pages of the IPv4 space one behind the other, in one array of 32 MiB, which saves look-ups the way over a page: first
 * the slots of all, then the blocks of all, numbered alike. Never changed: pages that are newer stand in front of it until
 * changes rest. Made anew with each change it would be 32 MiB of garbage each time, and made in place somebody would read half
 * of a change.
 */
final class Ipv4Base {
    static final int SLOTS = 1 << 24;

    /** With no more pages than this, all of them stay in the second cache, and a base is not worth its room. */
    static final int WORTH_PAGES = 64;

    /** There is none: all is in pages. */
    static final char[] NONE = {};

    private static final int BLOCK = 256;

    private final char[] made;
    private int blocks;

    private Ipv4Base(int room) {
        made = new char[room];
    }

    /** How many blocks there are in a base. */
    static int blocks(char[] base) {
        return base.length == 0 ? 0 : (base.length - SLOTS) / BLOCK;
    }

    /**
     * Makes one of pages, and where there are none, of the base before.
     *
     * @return {@link #NONE} if there are more blocks than numbers for them above those of places
     */
    static char[] of(char[][] pages, char[] old, int placeMax) {
        int count = countBlocks(pages, old, placeMax);
        if (count + placeMax > Ipv4Page.FIRST_BLOCK) {
            return NONE;
        }
        Ipv4Base base = new Ipv4Base(SLOTS + count * BLOCK);
        for (int i = 0; i < pages.length; i++) {
            if (Ipv4Page.inBase(pages[i])) {
                base.add(i, old, i * Ipv4Page.SLOTS, SLOTS, placeMax);
            } else {
                base.add(i, pages[i], 0, Ipv4Page.SLOTS, placeMax);
            }
        }
        return base.made;
    }

    /** Blocks that will be in use. */
    private static int countBlocks(char[][] pages, char[] old, int placeMax) {
        int count = 0;
        for (int i = 0; i < pages.length; i++) {
            if (!Ipv4Page.inBase(pages[i])) {
                count += Ipv4Page.blocks(pages[i]);
            } else {
                for (int slot = i * Ipv4Page.SLOTS; slot < (i + 1) * Ipv4Page.SLOTS; slot++) {
                    count += old[slot] > placeMax ? 1 : 0;
                }
            }
        }
        return count;
    }

    private void add(int page, char[] from, int firstSlot, int firstBlock, int placeMax) {
        int start = page * Ipv4Page.SLOTS;
        System.arraycopy(from, firstSlot, made, start, Ipv4Page.SLOTS);
        for (int slot = start; slot < start + Ipv4Page.SLOTS; slot++) {
            if (made[slot] > placeMax) {
                int block = firstBlock + (Ipv4Page.FIRST_BLOCK - made[slot]) * BLOCK;
                System.arraycopy(from, block, made, SLOTS + blocks * BLOCK, BLOCK);
                made[slot] = (char) (Ipv4Page.FIRST_BLOCK - blocks++);
            }
        }
    }

    /** As many pages as there are, all of them in the base. */
    static char[][] noPages() {
        char[][] pages = new char[Ipv4Page.COUNT][];
        Arrays.fill(pages, Ipv4Page.IN_BASE);
        return pages;
    }
}
