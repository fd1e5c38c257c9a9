package io.guidepost.middlebox.firewall;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Duty;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;

/**
 * One way through a firewall: a burst is received, all of its headers are read, all of its rules are found, and then each
 * frame is passed on or not. Passes apart, as each is a loop that the compiler can see whole.
 */
final class FirewallWay implements Duty {
    private final Firewall firewall;
    private final int number;
    private final RxQueue rx;
    private final TxQueue tx;
    private final Direction direction;
    private final Burst in;
    private final Burst out;
    private final PacketKeys keys;
    private final PacketLog log;
    private int denied;

    FirewallWay(Firewall firewall, int number, RxQueue rx, TxQueue tx, Direction direction) {
        this.firewall = firewall;
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
        CompiledRules rules = firewall.rules();
        Matcher matcher = rules.matcher(direction);
        keys.read(in, matcher.wantsRows());
        matcher.match(keys);
        decide(rules, received, nowMillis);
        tx.send(out);
        return received;
    }

    private void decide(CompiledRules now, int received, long nowMillis) {
        for (int i = 0; i < received; i++) {
            int rule = keys.found(i);
            if (rule >= 0) {
                now.counter(rule).add(number, in.length(i));
                if (now.justPasses(rule) || isAllowed(now, rule, i, nowMillis)) {
                    pass(i);
                }
            } else if (isAllowed(rule, in.length(i))) {
                pass(i);
            }
        }
        if (denied > 0) {
            rx.statistics().drop(Drop.DENIED, denied);
            denied = 0;
        }
    }

    private boolean isAllowed(CompiledRules now, int rule, int index, long nowMillis) {
        if (now.logs(rule)) {
            log.write(now.rules().rules().get(rule), in, index, nowMillis);
        }
        boolean allowed = now.allows(rule);
        denied += allowed ? 0 : 1;
        return allowed;
    }

    private boolean isAllowed(int found, int bytes) {
        if (found == PacketKeys.MALFORMED) {
            rx.statistics().drop(Drop.MALFORMED, 1);
            return false;
        }
        boolean isArp = found == PacketKeys.ARP;
        firewall.countOther(isArp, number, bytes);
        boolean allowed = (isArp ? firewall.others().arp() : firewall.others().rest()) == Action.ALLOW;
        denied += allowed ? 0 : 1;
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
