package io.guidepost.middlebox.balance;

import io.guidepost.base.Counters;
import io.guidepost.middlebox.link.LinkQueue;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Duty;
import io.guidepost.packet.frame.Headers;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** What one worker of a {@link Balancer} does. One thread's. */
final class BalancePlane implements Duty {
    private final Balancer balancer;
    private final BackEnds backEnds;
    private final Service service;
    private final LinkQueue queue;
    private final boolean isFirst;
    private final Probes probes;
    private final Counters<BalanceCount> tally;
    private final AtomicLongArray counter;
    private List<Balancer.BackEnd> current = List.of();
    private long probedMillis = -Limits.PROBE_MILLIS;

    BalancePlane(Balancer balancer, int number, Counters<BalanceCount> tally) {
        this.balancer = balancer;
        this.backEnds = balancer.backEnds;
        this.service = balancer.service;
        this.queue = balancer.link.queue(number);
        this.isFirst = number == 0;
        this.probes = new Probes(queue, balancer);
        this.tally = tally;
        this.counter = backEnds.counter();
    }

    @Override
    public int work(long nowMillis) {
        int received = queue.receive(nowMillis);
        if (isFirst) {
            lookAfterBackEnds(nowMillis);
        }
        for (int i = 0; i < received; i++) {
            if (queue.take(i)) {
                packet(i, nowMillis);
            }
        }
        return received + queue.flush();
    }

    @Override
    public long restNanos() {
        return queue.restNanos();
    }

    private void lookAfterBackEnds(long nowMillis) {
        List<Balancer.BackEnd> next = balancer.wanted();
        if (!next.equals(current)) {
            current = next;
            backEnds.set(next, nowMillis);
        }
        backEnds.refresh(nowMillis);
        if (nowMillis - probedMillis < Limits.PROBE_MILLIS && nowMillis >= probedMillis) {
            return;
        }
        probedMillis = nowMillis;
        for (int i = 0; i < backEnds.number(); i++) {
            if (backEnds.isListed(i)) {
                probes.ask(backEnds.get(i));
            }
        }
    }

    private void packet(int index, long nowMillis) {
        Headers headers = queue.headers();
        if (headers.vlan() != balancer.vlan) {
            queue.drop(Drop.NOT_OURS);
            return;
        }
        boolean isService = service.is(headers.destinationHigh(), headers.destinationLow());
        if (isService && headers.protocol() == service.protocol()) {
            if (headers.isFragment()) {
                tally.count(BalanceCount.FRAGMENTS);
                queue.drop(Drop.NOT_OURS);
            } else if (headers.destinationPort() == service.port()) {
                balance(headers, index, nowMillis);
            } else {
                queue.drop(Drop.NOT_OURS);
            }
            return;
        }
        int asked = isService ? -1 : backEnds.find(headers.sourceHigh(), headers.sourceLow());
        int answer = asked < 0 ? 0 : probes.answer(headers);
        if (answer > 0) {
            backEnds.heard(asked, nowMillis);
        } else if (answer < 0) {
            backEnds.refused(asked);
        } else if (!isService && !queue.isOwn(headers.destinationHigh(), headers.destinationLow())
                || !queue.answerEcho(index)) {
            queue.drop(Drop.NOT_OURS);
        }
    }

    private void balance(Headers headers, int index, long nowMillis) {
        long high = headers.sourceHigh();
        long low = headers.sourceLow();
        int ports = headers.ports();
        long known = balancer.connections.find(high, low, ports, nowMillis);
        int to = backEnds.isUsable(known) ? (int) known : backEnds.choose(Maglev.hash(high, low, ports));
        if (to < 0) {
            tally.count(BalanceCount.NO_BACK_END);
            queue.drop(Drop.UNREACHABLE);
            return;
        }
        if (known >= 0 && known != to) {
            tally.count(BalanceCount.MOVED);
        }
        balancer.connections.put(high, low, ports, to, nowMillis, Limits.CONNECTION_MILLIS);
        BackEnds.count(counter, to, known != to);
        tally.count(BalanceCount.FORWARDED);
        Balancer.BackEnd backEnd = backEnds.get(to);
        queue.sendTo(queue.in(), index, backEnd.high(), backEnd.low());
    }
}
