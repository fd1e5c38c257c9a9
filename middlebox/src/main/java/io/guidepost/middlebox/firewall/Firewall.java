package io.guidepost.middlebox.firewall;

import io.guidepost.packet.Drop;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.worker.DutyCycle;
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
    public record Others(RuleAction arp, RuleAction rest) {
        /** ARP passes, nothing else. */
        public static final Others ARP_ALONE = new Others(RuleAction.ALLOW, RuleAction.DENY);
    }

    /** What one rule has counted; the last is of packets that none fitted. */
    public record Count(String rule, int line, RuleAction action, long packets, long bytes) {}

    private final ClassifierKind classifier;
    private final Others others;
    private final int waysMax;
    private final AtomicInteger ways = new AtomicInteger();
    private final RuleCounter arp;
    private final RuleCounter rest;
    private volatile CompiledRules rules;

    /** A firewall that so many ways at most lead through: two for each worker. */
    public Firewall(RuleSet rules, ClassifierKind classifier, Others others, int waysMax) {
        this.classifier = classifier;
        this.others = others;
        this.waysMax = waysMax;
        RuleCounter[] both = RuleCounter.make(2, waysMax);
        this.arp = both[0];
        this.rest = both[1];
        this.rules = new CompiledRules(rules, classifier, waysMax);
    }

    /** Puts other rules in the place of all; no packet is lost, and each is decided by the old ones or the new ones. */
    public synchronized void publish(RuleSet next) {
        rules = rules.next(next, classifier, waysMax);
    }

    /** Returns what each rule counted, in their order; then the default, ARP, and other frames that are no IP packets. */
    public List<Count> counts() {
        CompiledRules now = rules;
        List<Count> counts = new ArrayList<>();
        for (int i = 0; i < now.rules().rules().size(); i++) {
            FirewallRule each = now.rules().rules().get(i);
            counts.add(count(each.text(), each.line(), each.action(), now.counter(i)));
        }
        counts.add(count("default", 0, now.rules().otherwise(), now.counter(counts.size())));
        counts.add(count("ARP", 0, others.arp(), arp));
        counts.add(count("not IP", 0, others.rest(), rest));
        return counts;
    }

    CompiledRules rules() {
        return rules;
    }

    Others others() {
        return others;
    }

    /** Counts a frame that is no IP packet; for the thread of that way. */
    void countOther(boolean isArp, int way, int bytes) {
        RuleCounter.add((isArp ? arp : rest).address(way), bytes);
    }

    private static Count count(String name, int line, RuleAction action, RuleCounter counter) {
        return new Count(name, line, action, counter.packets(), counter.bytes());
    }

    /**
     * Returns a way through it; a duty of the worker that has both queues.
     *
     * @throws IllegalStateException if there are as many as were announced
     */
    public DutyCycle way(RxQueue rx, TxQueue tx, RuleDirection direction) {
        int number = ways.getAndIncrement();
        if (number >= waysMax) {
            throw new IllegalStateException("the firewall was made for " + waysMax + " ways through it");
        }
        return new FirewallPipeline(this, number, rx, tx, direction);
    }
}
