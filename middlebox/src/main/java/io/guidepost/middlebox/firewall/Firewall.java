package io.guidepost.middlebox.firewall;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Duty;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A firewall between two ports: each way through it takes a burst from one, finds the first rule that fits each frame, and
 * passes those on that are allowed. It keeps no state of connections, so any number of workers do it side by side.
 *
 * <p>What is no IP packet is decided by {@link Others}, not by rules; a frame whose headers cannot be is dropped and
 * counted as {@link Drop#MALFORMED}, one that the rules deny as {@link Drop#DENIED}, both where it was received.
 * {@link #publish} and {@link #counts} are for any thread; {@link #way} is for the start.
 */
public final class Firewall {
    /**
     * What becomes of frames that are no IP packets.
     *
     * @param arp of ARP, without which nobody finds the other side
     * @param rest of all else, as spanning tree and PPPoE
     */
    public record Others(Action arp, Action rest) {
        /** ARP passes, nothing else. */
        public static final Others ARP_ALONE = new Others(Action.ALLOW, Action.DENY);
    }

    /** What one rule has counted; the last is of packets that none fitted. */
    public record Count(String rule, int line, Action action, long packets, long bytes) {}

    private final Classifier classifier;
    private final Others others;
    private final int waysMax;
    private final AtomicInteger ways = new AtomicInteger();
    private final RuleCounter arp;
    private final RuleCounter rest;
    private volatile CompiledRules rules;

    /** A firewall that so many ways at most lead through: two for each worker. */
    public Firewall(RuleSet rules, Classifier classifier, Others others, int waysMax) {
        this.classifier = classifier;
        this.others = others;
        this.waysMax = waysMax;
        this.arp = new RuleCounter(waysMax);
        this.rest = new RuleCounter(waysMax);
        this.rules = new CompiledRules(rules, classifier, waysMax);
    }

    /** Puts other rules in the place of all; no packet is lost, and each is decided by the old ones or the new ones. */
    public synchronized void publish(RuleSet next) {
        rules = rules.next(next, classifier, waysMax);
    }

    /** What each rule counted, in their order; then the default, ARP, and other frames that are no IP packets. */
    public List<Count> counts() {
        CompiledRules now = rules;
        List<Count> counts = new ArrayList<>();
        for (int i = 0; i < now.rules().rules().size(); i++) {
            Rule each = now.rules().rules().get(i);
            counts.add(count(each.text(), each.line(), each.action(), now.counter(i)));
        }
        counts.add(count("default", 0, now.rules().otherwise(), now.counter(counts.size())));
        counts.add(count("ARP", 0, others.arp(), arp));
        counts.add(count("not IP", 0, others.rest(), rest));
        return counts;
    }

    private static Count count(String name, int line, Action action, RuleCounter counter) {
        return new Count(name, line, action, counter.packets(), counter.bytes());
    }

    /**
     * A way through it; a duty of the worker that has both queues.
     *
     * @throws IllegalStateException if there are as many as were announced
     */
    public Duty way(RxQueue rx, TxQueue tx, Direction direction) {
        int number = ways.getAndIncrement();
        if (number >= waysMax) {
            throw new IllegalStateException("the firewall was made for " + waysMax + " ways through it");
        }
        return new Way(number, rx, tx, direction);
    }

    private final class Way implements Duty {
        private final int number;
        private final RxQueue rx;
        private final TxQueue tx;
        private final Direction direction;
        private final Burst in;
        private final Burst out;
        private final PacketKeys keys;
        private final PacketLog log;

        Way(int number, RxQueue rx, TxQueue tx, Direction direction) {
            this.number = number;
            this.rx = rx;
            this.tx = tx;
            this.direction = direction;
            this.in = rx.burst();
            this.out = tx.burst();
            this.keys = new PacketKeys(in.capacity());
            this.log = new PacketLog(direction);
        }

        @Override
        public int work(long nowMillis) {
            int waiting = out.count() > 0 ? tx.send(out) : 0;
            int received = rx.receive(in);
            if (received == 0) {
                return waiting;
            }
            CompiledRules now = rules;
            keys.read(in);
            now.matcher(direction).match(keys);
            for (int i = 0; i < received; i++) {
                if (isAllowed(now, i, nowMillis)) {
                    pass(i);
                }
            }
            tx.send(out);
            return received;
        }

        private boolean isAllowed(CompiledRules now, int index, long nowMillis) {
            int rule = keys.found(index);
            if (rule < 0) {
                return isAllowed(rule, in.length(index));
            }
            now.counter(rule).add(number, in.length(index));
            if (now.logs(rule)) {
                log.write(now.rules().rules().get(rule), in, index, nowMillis);
            }
            boolean allowed = now.allows(rule);
            if (!allowed) {
                rx.statistics().drop(Drop.DENIED, 1);
            }
            return allowed;
        }

        private boolean isAllowed(int found, int bytes) {
            if (found == PacketKeys.MALFORMED) {
                rx.statistics().drop(Drop.MALFORMED, 1);
                return false;
            }
            boolean isArp = found == PacketKeys.ARP;
            (isArp ? arp : rest).add(number, bytes);
            boolean allowed = (isArp ? others.arp() : others.rest()) == Action.ALLOW;
            if (!allowed) {
                rx.statistics().drop(Drop.DENIED, 1);
            }
            return allowed;
        }

        private void pass(int index) {
            if (out.isFull()) {
                tx.send(out);
            }
            if (!out.take(in, index)) {
                tx.statistics().drop(Drop.NO_ROOM, 1);
            }
        }
    }
}
