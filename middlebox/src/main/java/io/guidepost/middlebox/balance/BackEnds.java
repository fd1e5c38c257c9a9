package io.guidepost.middlebox.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The back ends of a balancer: which there are, which answer, and who gets the next connection. The numbers of back ends
 * stay as long as the balancer, so that connections find theirs again. One thread's, but for {@link #counts}.
 */
final class BackEnds {
    private static final int PACKETS = 0;
    private static final int CONNECTIONS = 1;
    private static final int STATE = 2;
    private static final int CELLS = 4;
    private static final int UP = 1;
    private static final int DRAINING = 2;

    private final AtomicLongArray cells = new AtomicLongArray(Limits.BACK_ENDS_MAX * CELLS);
    private final long[] heardMillis = new long[Limits.BACK_ENDS_MAX];
    private final boolean[] up = new boolean[Limits.BACK_ENDS_MAX];
    private final boolean[] listed = new boolean[Limits.BACK_ENDS_MAX];
    private final boolean[] draining = new boolean[Limits.BACK_ENDS_MAX];
    private volatile int[] addresses = new int[0];
    private Maglev table = new Maglev(new int[0], new boolean[0]);

    /** Takes a new list: those that are not in it any more get nothing, those that drain no new connections. */
    void set(List<Balancer.BackEnd> list) {
        Arrays.fill(listed, false);
        Arrays.fill(draining, false);
        for (Balancer.BackEnd each : list) {
            int number = find(each.address());
            if (number < 0) {
                number = addresses.length;
                if (number == Limits.BACK_ENDS_MAX) {
                    throw new IllegalArgumentException(
                            "a balancer can have had " + Limits.BACK_ENDS_MAX + " back ends; start it again");
                }
                int[] more = Arrays.copyOf(addresses, number + 1);
                more[number] = each.address();
                addresses = more;
            }
            listed[number] = true;
            draining[number] = each.isDraining();
        }
        rebuild();
    }

    /** The number of the back end at an address, or -1. */
    int find(int address) {
        int[] all = addresses;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == address) {
                return i;
            }
        }
        return -1;
    }

    /** Numbers that were given. */
    int number() {
        return addresses.length;
    }

    int address(int number) {
        return addresses[number];
    }

    boolean isListed(int number) {
        return listed[number];
    }

    /** Whether connections that are there may go on there. */
    boolean isUsable(long number) {
        return number >= 0 && up[(int) number] && listed[(int) number];
    }

    /** Who gets a new connection, or -1 if nobody can. */
    int choose(long hash) {
        return table.find(hash);
    }

    /** Notes that one has answered. */
    void heard(int number, long nowMillis) {
        heardMillis[number] = nowMillis;
        if (!up[number]) {
            up[number] = true;
            rebuild();
        }
    }

    /** Notes that one has said no. */
    void refused(int number) {
        if (up[number]) {
            up[number] = false;
            rebuild();
        }
    }

    /** Takes those for down that were not heard of for long. */
    void age(long nowMillis) {
        for (int i = 0; i < addresses.length; i++) {
            if (up[i] && nowMillis - heardMillis[i] > Limits.DOWN_MILLIS) {
                refused(i);
            }
        }
    }

    private void rebuild() {
        int[] all = addresses;
        boolean[] used = new boolean[all.length];
        for (int i = 0; i < all.length; i++) {
            used[i] = up[i] && listed[i] && !draining[i];
            cells.setOpaque(i * CELLS + STATE, (up[i] ? UP : 0) | (draining[i] ? DRAINING : 0));
        }
        table = new Maglev(all, used);
    }

    /** Counts a packet, of a connection that is new or not. */
    void count(int number, boolean isNew) {
        add(number * CELLS + PACKETS);
        if (isNew) {
            add(number * CELLS + CONNECTIONS);
        }
    }

    private void add(int cell) {
        cells.setOpaque(cell, cells.getPlain(cell) + 1);
    }

    /** What each counted; for any thread. */
    List<Balancer.Count> counts() {
        int[] all = addresses;
        List<Balancer.Count> counts = new ArrayList<>();
        for (int i = 0; i < all.length; i++) {
            long state = cells.getOpaque(i * CELLS + STATE);
            counts.add(new Balancer.Count(
                    all[i],
                    (state & UP) != 0,
                    (state & DRAINING) != 0,
                    cells.getOpaque(i * CELLS + CONNECTIONS),
                    cells.getOpaque(i * CELLS + PACKETS)));
        }
        return counts;
    }
}
