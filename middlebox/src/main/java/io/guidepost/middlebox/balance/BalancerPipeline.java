package io.guidepost.middlebox.balance;

import io.guidepost.base.Counters;
import io.guidepost.packet.Drop;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.ip.LinkQueue;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** One worker's duty of a {@link LoadBalancer}. One thread's. */
final class BalancerPipeline implements DutyCycle {
    private final LoadBalancer balancer;
    private final BackendPool backEnds;
    private final VirtualService service;
    private final LinkQueue queue;
    private final boolean isFirst;
    private final HealthChecks probes;
    private final Counters<BalancerCount> tally;
    private final AtomicLongArray counter;
    private List<LoadBalancer.BackEnd> current = List.of();
    private long probedMillis = -BalancerLimits.PROBE_MILLIS;

    BalancerPipeline(LoadBalancer balancer, int number, Counters<BalancerCount> tally) {
        this.balancer = balancer;
        this.backEnds = balancer.backEnds;
        this.service = balancer.service;
        this.queue = balancer.face.queue(number);
        this.isFirst = number == 0;
        this.probes = new HealthChecks(queue, balancer);
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
        List<LoadBalancer.BackEnd> next = balancer.wanted();
        if (!next.equals(current)) {
            current = next;
            backEnds.set(next, nowMillis);
        }
        backEnds.refresh(nowMillis);
        if (nowMillis - probedMillis < BalancerLimits.PROBE_MILLIS && nowMillis >= probedMillis) {
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
        HeaderParser headers = queue.headers();
        if (headers.vlan() != balancer.vlan) {
            queue.drop(Drop.NOT_OURS);
            return;
        }
        boolean isService = service.is(headers.destinationHigh(), headers.destinationLow());
        if (isService && headers.protocol() == service.protocol()) {
            if (headers.isFragment()) {
                tally.count(BalancerCount.FRAGMENTS);
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

    private void balance(HeaderParser headers, int index, long nowMillis) {
        long high = headers.sourceHigh();
        long low = headers.sourceLow();
        int ports = headers.ports();
        long known = balancer.connections.find(high, low, ports, nowMillis);
        int to = backEnds.isUsable(known) ? (int) known : backEnds.choose(MaglevTable.hash(high, low, ports));
        if (to < 0) {
            tally.count(BalancerCount.NO_BACK_END);
            queue.drop(Drop.UNREACHABLE);
            return;
        }
        if (known >= 0 && known != to) {
            tally.count(BalancerCount.MOVED);
        }
        balancer.connections.put(high, low, ports, to, nowMillis, BalancerLimits.CONNECTION_MILLIS);
        BackendPool.count(counter, to, known != to);
        tally.count(BalancerCount.FORWARDED);
        LoadBalancer.BackEnd backEnd = backEnds.get(to);
        queue.sendTo(queue.in(), index, backEnd.high(), backEnd.low());
    }
}
