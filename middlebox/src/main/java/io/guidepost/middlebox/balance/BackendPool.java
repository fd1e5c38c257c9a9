package io.guidepost.middlebox.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The back ends of a balancer: which there are, which answer, and who gets the next connection. The numbers of back ends
 * stay as long as the balancer, so that connections find theirs again.
 *
 * <p>All workers read one immutable state and note who has answered them; the one of the first queue makes the next state.
 */
final class BackendPool {
    private static final int PACKETS = 0;
    private static final int CONNECTIONS = 1;
    private static final int CELLS = 2;

    /** When a back end was heard of that has not answered yet, or has said no. */
    private static final long NEVER = Long.MIN_VALUE / 2;

    /** What is known of all at one time. */
    private record State(List<LoadBalancer.BackEnd> all, boolean[] listed, boolean[] up, MaglevTable table) {}

    private final AtomicLongArray heardMillis = new AtomicLongArray(BalancerLimits.BACK_ENDS_MAX);
    private final List<AtomicLongArray> counters = new CopyOnWriteArrayList<>();
    private volatile State state = new State(List.of(), new boolean[0], new boolean[0], MaglevTable.of(List.of(), new boolean[0]));

    /** Takes a new list: those that are not in it any more get nothing, those that drain no new connections. */
    void set(List<LoadBalancer.BackEnd> list, long nowMillis) {
        List<LoadBalancer.BackEnd> all = new ArrayList<>(state.all());
        boolean[] listed = new boolean[BalancerLimits.BACK_ENDS_MAX];
        for (LoadBalancer.BackEnd each : list) {
            int number = find(all, each.high(), each.low());
            if (number < 0) {
                number = all.size();
                if (number == BalancerLimits.BACK_ENDS_MAX) {
                    throw new IllegalArgumentException(
                            "a balancer can have had " + BalancerLimits.BACK_ENDS_MAX + " back ends; start it again");
                }
                heardMillis.setOpaque(number, NEVER);
                all.add(each);
            }
            all.set(number, each);
            listed[number] = true;
        }
        publish(List.copyOf(all), Arrays.copyOf(listed, all.size()), nowMillis);
    }

    /** Makes the next state if back ends have come up or gone down. */
    void refresh(long nowMillis) {
        State now = state;
        for (int i = 0; i < now.up().length; i++) {
            if (isUp(i, nowMillis) != now.up()[i]) {
                publish(now.all(), now.listed(), nowMillis);
                return;
            }
        }
    }

    private boolean isUp(int number, long nowMillis) {
        return nowMillis - heardMillis.getOpaque(number) <= BalancerLimits.DOWN_MILLIS;
    }

    private void publish(List<LoadBalancer.BackEnd> all, boolean[] listed, long nowMillis) {
        boolean[] up = new boolean[all.size()];
        boolean[] used = new boolean[all.size()];
        for (int i = 0; i < up.length; i++) {
            up[i] = isUp(i, nowMillis);
            used[i] = up[i] && listed[i] && !all.get(i).isDraining();
        }
        state = new State(all, listed, up, MaglevTable.of(all, used));
    }

    /** Returns the number of the back end at an address, or -1. */
    int find(long high, long low) {
        return find(state.all(), high, low);
    }

    private static int find(List<LoadBalancer.BackEnd> all, long high, long low) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).low() == low && all.get(i).high() == high) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the numbers that were given. */
    int number() {
        return state.all().size();
    }

    LoadBalancer.BackEnd get(int number) {
        return state.all().get(number);
    }

    boolean isListed(int number) {
        return state.listed()[number];
    }

    /** Returns whether connections that are there may go on there. */
    boolean isUsable(long number) {
        State now = state;
        return number >= 0 && now.up()[(int) number] && now.listed()[(int) number];
    }

    /** Who gets a new connection, or -1 if nobody can. */
    int choose(long hash) {
        return state.table().find(hash);
    }

    /** Notes that one has answered. */
    void heard(int number, long nowMillis) {
        heardMillis.setOpaque(number, nowMillis);
    }

    /** Notes that one has said no. */
    void refused(int number) {
        heardMillis.setOpaque(number, NEVER);
    }

    /** Returns where one worker counts. */
    AtomicLongArray counter() {
        AtomicLongArray cells = new AtomicLongArray(BalancerLimits.BACK_ENDS_MAX * CELLS);
        counters.add(cells);
        return cells;
    }

    /** Counts a packet, of a connection that is new or not. */
    static void count(AtomicLongArray counter, int number, boolean isNew) {
        add(counter, number * CELLS + PACKETS);
        if (isNew) {
            add(counter, number * CELLS + CONNECTIONS);
        }
    }

    private static void add(AtomicLongArray cells, int cell) {
        cells.setOpaque(cell, cells.getPlain(cell) + 1);
    }

    /** Returns what each counted; for any thread. */
    List<LoadBalancer.Count> counts() {
        State now = state;
        List<LoadBalancer.Count> counts = new ArrayList<>();
        for (int i = 0; i < now.all().size(); i++) {
            LoadBalancer.BackEnd each = now.all().get(i);
            counts.add(new LoadBalancer.Count(
                    each.high(),
                    each.low(),
                    now.up()[i],
                    now.listed()[i] && each.isDraining(),
                    sum(i * CELLS + CONNECTIONS),
                    sum(i * CELLS + PACKETS)));
        }
        return counts;
    }

    private long sum(int cell) {
        return counters.stream().mapToLong(each -> each.getOpaque(cell)).sum();
    }
}
