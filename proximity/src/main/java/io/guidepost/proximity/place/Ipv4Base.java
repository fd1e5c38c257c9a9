package io.guidepost.proximity.place;

import java.util.Arrays;

/**
 * All pages of the IPv4 space in one array of 32 MiB, which saves lookups one indirection: first the slots of all
 * pages, then the blocks of all, numbered alike. Immutable: newer pages stand in front of it until changes pause.
 * Rebuilding it with each change would make 32 MiB of garbage each time, and with an update in place readers would see
 * half of a change.
 */
final class Ipv4Base {
    static final int SLOTS = 1 << 24;

    /** Up to this many pages stay in the second-level cache, and a base is not worth its memory. */
    static final int WORTH_PAGES = 64;

    /** No base: everything is in pages. */
    static final char[] NONE = {};

    private static final int BLOCK = 256;

    private final char[] made;
    private int blocks;

    private Ipv4Base(int room) {
        made = new char[room];
    }

    /** Returns the number of blocks of a base. */
    static int blocks(char[] base) {
        return base.length == 0 ? 0 : (base.length - SLOTS) / BLOCK;
    }

    /**
     * Builds a base from pages, and from the old base where there are none.
     *
     * @return {@link #NONE} if the numbers above those of places do not suffice for the blocks
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

    /** Returns the number of blocks that the base will have. */
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

    /** Returns an array of pages that are all in the base. */
    static char[][] noPages() {
        char[][] pages = new char[Ipv4Page.COUNT][];
        Arrays.fill(pages, Ipv4Page.IN_BASE);
        return pages;
    }
}
