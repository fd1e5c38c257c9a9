package io.guidepost.middlebox.firewall;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.worker.DutyCycle;
import java.lang.ref.Reference;
import java.util.List;

/**
 * One direction of a firewall: receives a burst, parses all headers, classifies all packets, and then forwards or drops
 * each frame. Separate passes, as the compiler optimises each small loop.
 */
final class FirewallPipeline implements DutyCycle {
    private final Firewall firewall;
    private final int number;
    private final RxQueue rx;
    private final TxQueue tx;
    private final RuleDirection direction;
    private final Burst in;
    private final Burst out;
    private final PacketKeys keys;
    private final RuleLog log;
    private final int[] passing;
    private int malformed;

    FirewallPipeline(Firewall firewall, int number, RxQueue rx, TxQueue tx, RuleDirection direction) {
        this.firewall = firewall;
        this.number = number;
        this.rx = rx;
        this.tx = tx;
        this.direction = direction;
        this.in = rx.burst();
        this.out = tx.burst();
        this.keys = new PacketKeys(in.capacity());
        this.log = new RuleLog(direction);
        this.passing = new int[in.capacity()];
    }

    @Override
    public int work(long nowMillis) {
        int waiting = out.count() > 0 ? tx.send(out) : 0;
        int received = rx.receive(in);
        if (received == 0) {
            return waiting;
        }
        CompiledRules rules = firewall.rules();
        PacketClassifier matcher = rules.matcher(direction);
        keys.read(in, matcher.wantsRows());
        matcher.match(keys);
        try {
            if (rules.logs) {
                log(rules, received, nowMillis);
            }
            int passed = sift(rules, received);
            pass(passed);
            drop(received - passed);
        } finally {
            // Its counters live in the rules' memory.
            Reference.reachabilityFence(rules);
        }
        tx.send(out);
        return received;
    }

    private void log(CompiledRules now, int received, long nowMillis) {
        List<FirewallRule> rules = now.rules().rules();
        for (int i = 0; i < received; i++) {
            int rule = keys.found(i);
            if (rule >= 0 && rule < rules.size() && rules.get(rule).log()) {
                log.write(rules.get(rule), in, i, nowMillis);
            }
        }
    }

    /**
     * Counts each frame and collects the allowed ones; returns their number. Branch-free, as the verdict is
     * unpredictable.
     */
    private int sift(CompiledRules now, int received) {
        long[] cells = now.cellsOf(number);
        byte[] passes = now.passes;
        int passed = 0;
        for (int i = 0; i < received; i++) {
            int rule = keys.found(i);
            passing[passed] = i;
            if (rule >= 0) {
                RuleCounter.add(cells[rule], in.length(i));
                passed += passes[rule];
            } else {
                passed += passes(rule, in.length(i));
            }
        }
        return passed;
    }

    /** Returns 1 if a non-IP frame is allowed, else 0. */
    private int passes(int found, int bytes) {
        if (found == PacketKeys.MALFORMED) {
            malformed++;
            return 0;
        }
        boolean isArp = found == PacketKeys.ARP;
        firewall.countOther(isArp, number, bytes);
        return (isArp ? firewall.others().arp() : firewall.others().rest()) == RuleAction.ALLOW ? 1 : 0;
    }

    private void pass(int passed) {
        for (int done = 0; done < passed; ) {
            if (out.isFull()) {
                tx.send(out);
            }
            int taken = out.take(in, passing, done, passed - done);
            if (taken == 0) {
                tx.statistics().drop(Drop.NO_ROOM, 1);
            }
            done += Math.max(1, taken);
        }
    }

    private void drop(int refused) {
        if (refused > 0) {
            rx.statistics().drop(Drop.MALFORMED, malformed);
            rx.statistics().drop(Drop.DENIED, refused - malformed);
            malformed = 0;
        }
    }
}
