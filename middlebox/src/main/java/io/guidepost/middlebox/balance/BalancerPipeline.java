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
    private final OriginalDatagram original = new OriginalDatagram();
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
        if (service.is(headers.destinationHigh(), headers.destinationLow())) {
            toService(headers, index, nowMillis);
            return;
        }
        int asked = backEnds.find(headers.sourceHigh(), headers.sourceLow());
        int answer = asked < 0 ? 0 : probes.answer(headers);
        if (answer > 0) {
            backEnds.heard(asked, nowMillis);
        } else if (answer < 0) {
            backEnds.refused(asked);
        } else if (!queue.isOwn(headers.destinationHigh(), headers.destinationLow()) || !queue.answerEcho(index)) {
            queue.drop(Drop.NOT_OURS);
        }
    }

    private void toService(HeaderParser headers, int index, long nowMillis) {
        if (!headers.isFirstFragment()) {
            laterFragment(headers, index, nowMillis);
        } else if (headers.protocol() == service.protocol()) {
            if (headers.destinationPort() == service.port()) {
                balance(headers, index, nowMillis);
            } else {
                queue.drop(Drop.NOT_OURS);
            }
        } else if (original.read(headers, service)) {
            error(index, nowMillis);
        } else if (!queue.answerEcho(index)) {
            queue.drop(Drop.NOT_OURS);
        }
    }

    private void balance(HeaderParser headers, int index, long nowMillis) {
        long high = headers.sourceHigh();
        long low = headers.sourceLow();
        int ports = headers.ports();
        long known = balancer.connections.find(high, low, ports, nowMillis);
        int to = choose(known, high, low, ports);
        if (to < 0) {
            return;
        }
        if (known >= 0 && known != to) {
            tally.count(BalancerCount.MOVED);
        }
        balancer.connections.put(high, low, ports, to, nowMillis, BalancerLimits.CONNECTION_MILLIS);
        if (headers.isFragment()) {
            balancer.fragments.put(high, low, fragmented(headers), to, nowMillis, BalancerLimits.FRAGMENT_MILLIS);
        }
        forward(BalancerCount.FORWARDED, index, to, known != to);
    }

    /** Sends an error to the back end of the flow that it is about, and changes nothing: any host can send such errors. */
    private void error(int index, long nowMillis) {
        long high = original.clientHigh();
        long low = original.clientLow();
        int to = choose(balancer.connections.find(high, low, original.ports(), nowMillis), high, low, original.ports());
        if (to >= 0) {
            forward(BalancerCount.ICMP_ERROR, index, to, false);
        }
    }

    private void laterFragment(HeaderParser headers, int index, long nowMillis) {
        long to = balancer.fragments.find(headers.sourceHigh(), headers.sourceLow(), fragmented(headers), nowMillis);
        if (backEnds.isUsable(to)) {
            forward(BalancerCount.FORWARDED, index, (int) to, false);
        } else {
            tally.count(BalancerCount.FRAGMENT_UNKNOWN);
            queue.drop(Drop.NOT_OURS);
        }
    }

    /** What all fragments of a packet have beside its addresses: of IPv4 the protocol too (RFC 791), of IPv6 not (RFC 8200). */
    private static long fragmented(HeaderParser headers) {
        return (long) (headers.isIpv4() ? headers.protocol() : 0) << Integer.SIZE | Integer.toUnsignedLong(headers.identification());
    }

    /** Returns the back end of a connection, or that for a new one; -1, with the packet dropped, if none is up. */
    private int choose(long known, long high, long low, int ports) {
        int to = backEnds.isUsable(known) ? (int) known : backEnds.choose(MaglevTable.hash(high, low, ports));
        if (to < 0) {
            tally.count(BalancerCount.NO_BACK_END);
            queue.drop(Drop.UNREACHABLE);
        }
        return to;
    }

    private void forward(BalancerCount kind, int index, int to, boolean isNew) {
        BackendPool.count(counter, to, isNew);
        tally.count(kind);
        LoadBalancer.BackEnd backEnd = backEnds.get(to);
        queue.sendTo(queue.in(), index, backEnd.high(), backEnd.low());
    }
}
