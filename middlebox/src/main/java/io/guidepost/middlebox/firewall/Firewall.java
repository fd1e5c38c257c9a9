package io.guidepost.middlebox.firewall;

import io.guidepost.packet.Drop;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.worker.DutyCycle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stateless firewall between two ports: each pipeline receives a burst from one, finds the first rule that matches
 * each frame, and forwards the allowed ones. Without connection tracking, any number of workers run it side by side.
 *
 * <p>{@link Others} decides about non-IP frames; a malformed frame is dropped and counted as {@link Drop#MALFORMED}, a
 * denied one as {@link Drop#DENIED}, both on the receiving queue. {@link #publish} and {@link #counts} are thread-safe;
 * {@link #way} is for the start.
 */
public final class Firewall {
    /**
     * Actions for non-IP frames.
     *
     * @param arp for ARP, which IPv4 hosts need to resolve addresses
     * @param rest for all others, such as spanning tree and PPPoE
     */
    public record Others(RuleAction arp, RuleAction rest) {
        /** Allows ARP only. */
        public static final Others ARP_ALONE = new Others(RuleAction.ALLOW, RuleAction.DENY);
    }

    /** Counters of one rule; the last belongs to packets that no rule matched. */
    public record Count(String rule, int line, RuleAction action, long packets, long bytes) {}

    private final ClassifierKind classifier;
    private final Others others;
    private final int waysMax;
    private final AtomicInteger ways = new AtomicInteger();
    private final RuleCounter arp;
    private final RuleCounter rest;
    private volatile CompiledRules rules;

    /** Creates a firewall with a bound on its pipelines: two for each worker. */
    public Firewall(RuleSet rules, ClassifierKind classifier, Others others, int waysMax) {
        this.classifier = classifier;
        this.others = others;
        this.waysMax = waysMax;
        RuleCounter[] both = RuleCounter.make(2, waysMax);
        this.arp = both[0];
        this.rest = both[1];
        this.rules = new CompiledRules(rules, classifier, waysMax);
    }

    /** Replaces the rules; no packet is lost, and each is decided by the old or the new ones. */
    public synchronized void publish(RuleSet next) {
        rules = rules.next(next, classifier, waysMax);
    }

    /** Returns the counters of each rule in order; then the default, ARP, and other non-IP frames. */
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

    /** Counts a non-IP frame; for the pipeline's thread. */
    void countOther(boolean isArp, int way, int bytes) {
        RuleCounter.add((isArp ? arp : rest).address(way), bytes);
    }

    private static Count count(String name, int line, RuleAction action, RuleCounter counter) {
        return new Count(name, line, action, counter.packets(), counter.bytes());
    }

    /**
     * Returns a pipeline; a duty of the worker that has both queues.
     *
     * @throws IllegalStateException if the announced number is exceeded
     */
    public DutyCycle way(RxQueue rx, TxQueue tx, RuleDirection direction) {
        int number = ways.getAndIncrement();
        if (number >= waysMax) {
            throw new IllegalStateException("the firewall was made for " + waysMax + " ways through it");
        }
        return new FirewallPipeline(this, number, rx, tx, direction);
    }
}
