package io.guidepost.middlebox.balance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The pool of back ends: their health, and the choice for new connections. A back end's number stays as long as the
 * balancer, so that connections find it again.
 *
 * <p>All workers read one immutable state and note which back ends answered health checks; the worker of the first
 * queue makes the next state.
 */
final class BackendPool {
    private static final int PACKETS = 0;
    private static final int CONNECTIONS = 1;
    private static final int CELLS = 2;

    /** Last answer of a back end that never answered or refused. */
    private static final long NEVER = Long.MIN_VALUE / 2;

    /** The state of all back ends at one time. */
    private record State(List<LoadBalancer.BackEnd> all, boolean[] listed, boolean[] up, MaglevTable table) {}

    private final AtomicLongArray heardMillis = new AtomicLongArray(BalancerLimits.BACK_ENDS_MAX);
    private final List<AtomicLongArray> counters = new CopyOnWriteArrayList<>();
    private volatile State state = new State(List.of(), new boolean[0], new boolean[0], MaglevTable.of(List.of(), new boolean[0]));

    /** Replaces the list: removed back ends get no packets, draining ones no new connections. */
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

    /** Returns the number of back ends so far. */
    int number() {
        return state.all().size();
    }

    LoadBalancer.BackEnd get(int number) {
        return state.all().get(number);
    }

    boolean isListed(int number) {
        return state.listed()[number];
    }

    /** Returns whether existing connections may continue there. */
    boolean isUsable(long number) {
        State now = state;
        return number >= 0 && now.up()[(int) number] && now.listed()[(int) number];
    }

    /** Returns the back end of a new connection, or -1 if none is up. */
    int choose(long hash) {
        return state.table().find(hash);
    }

    /** Records a successful health check. */
    void heard(int number, long nowMillis) {
        heardMillis.setOpaque(number, nowMillis);
    }

    /** Records a failed health check. */
    void refused(int number) {
        heardMillis.setOpaque(number, NEVER);
    }

    /** Returns a worker's counters. */
    AtomicLongArray counter() {
        AtomicLongArray cells = new AtomicLongArray(BalancerLimits.BACK_ENDS_MAX * CELLS);
        counters.add(cells);
        return cells;
    }

    /** Counts a packet, of a new connection or not. */
    static void count(AtomicLongArray counter, int number, boolean isNew) {
        add(counter, number * CELLS + PACKETS);
        if (isNew) {
            add(counter, number * CELLS + CONNECTIONS);
        }
    }

    private static void add(AtomicLongArray cells, int cell) {
        cells.setOpaque(cell, cells.getPlain(cell) + 1);
    }

    /** Returns the counters of each back end; for any thread. */
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
