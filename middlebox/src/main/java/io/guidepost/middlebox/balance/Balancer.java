package io.guidepost.middlebox.balance;

import io.guidepost.middlebox.RecentTable;
import io.guidepost.middlebox.Tally;
import io.guidepost.middlebox.ipv4.InterfaceAddress;
import io.guidepost.middlebox.ipv4.Ipv4Interface;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Duty;
import io.guidepost.packet.Port;
import io.guidepost.packet.frame.Headers;
import java.util.List;
import java.util.Map;

/**
 * Spreads the connections of a service over back ends on the same link: a packet gets the Ethernet address of its back end
 * and is else as it came, so that the back end, which has the service's address too but must not answer ARP for it, answers
 * the client directly. A connection stays where it is as long as that is up, whatever becomes of the others; a new one goes
 * by a consistent hash of its addresses and ports. One worker's; {@link #publish} and the counts are for any thread.
 */
public final class Balancer implements Duty {
    /** A back end; one that drains keeps its connections and gets no new ones. */
    public record BackEnd(int address, boolean isDraining) {}

    /** What a back end has counted. */
    public record Count(int address, boolean isUp, boolean isDraining, long connections, long packets) {}

    private final Service service;
    private final Ipv4Interface link;
    private final BackEnds backEnds = new BackEnds();
    private final Probes probes;
    private final RecentTable connections = new RecentTable(Limits.CONNECTIONS);
    private final Tally<BalanceCount> tally = new Tally<>(BalanceCount.class);
    private volatile List<BackEnd> wanted;
    private List<BackEnd> current = List.of();
    private long probedMillis = -Limits.PROBE_MILLIS;

    /** A balancer that has heard of no back end yet; all must be on the link of its own address. */
    public Balancer(Port port, InterfaceAddress own, Service service, List<BackEnd> backEnds) {
        this.service = service;
        this.link = new Ipv4Interface(port.rx(0), port.tx(0), port.mac(), own, 0).withAlias(service.address());
        this.probes = new Probes(link, service);
        this.wanted = checked(backEnds);
    }

    private List<BackEnd> checked(List<BackEnd> list) {
        for (BackEnd each : list) {
            if (!link.own().isOnLink(each.address())) {
                throw new IllegalArgumentException(InterfaceAddress.text(each.address()) + " is not on the link of "
                        + link.own() + "; a back end must be, as only Ethernet addresses are rewritten");
            }
        }
        return List.copyOf(list);
    }

    /** Puts other back ends in the place of all: connections of those that stay, stay. */
    public void publish(List<BackEnd> list) {
        wanted = checked(list);
    }

    /** Each back end that it has had. */
    public List<Count> backEnds() {
        return backEnds.counts();
    }

    /** What it counted. */
    public Map<String, Long> counts() {
        return tally.all();
    }

    @Override
    public int work(long nowMillis) {
        int received = link.receive(nowMillis);
        List<BackEnd> next = wanted;
        if (!next.equals(current)) {
            current = next;
            backEnds.set(next);
        }
        if (nowMillis - probedMillis >= Limits.PROBE_MILLIS || nowMillis < probedMillis) {
            probedMillis = nowMillis;
            probe(nowMillis);
        }
        for (int i = 0; i < received; i++) {
            if (link.take(i)) {
                packet(i, nowMillis);
            }
        }
        return received + link.flush();
    }

    private void probe(long nowMillis) {
        backEnds.age(nowMillis);
        for (int i = 0; i < backEnds.number(); i++) {
            if (backEnds.isListed(i)) {
                probes.ask(backEnds.address(i));
            }
        }
    }

    private void packet(int index, long nowMillis) {
        Headers headers = link.headers();
        int destination = (int) headers.destinationLow();
        boolean isService = destination == service.address();
        if (isService && headers.protocol() == service.protocol()) {
            if (headers.isFragment()) {
                tally.add(BalanceCount.FRAGMENTS);
                link.drop(Drop.NOT_OURS);
            } else if (headers.destinationPort() == service.port()) {
                balance(headers, index, nowMillis);
            } else {
                link.drop(Drop.NOT_OURS);
            }
            return;
        }
        int asked = backEnds.find((int) headers.sourceLow());
        int answer = isService || asked < 0 ? 0 : probes.answer(headers);
        if (answer > 0) {
            backEnds.heard(asked, nowMillis);
        } else if (answer < 0) {
            backEnds.refused(asked);
        } else if (!isService && destination != link.own().address() || !link.answerEcho(index)) {
            link.drop(Drop.NOT_OURS);
        }
    }

    private void balance(Headers headers, int index, long nowMillis) {
        long source = headers.sourceLow();
        long ports = headers.ports();
        long known = connections.find(source, ports, nowMillis);
        int to = backEnds.isUsable(known) ? (int) known : backEnds.choose(Maglev.mix(source << 32 ^ ports));
        if (to < 0) {
            tally.add(BalanceCount.NO_BACK_END);
            link.drop(Drop.UNREACHABLE);
            return;
        }
        if (known >= 0 && known != to) {
            tally.add(BalanceCount.MOVED);
        }
        connections.put(source, ports, to, nowMillis + Limits.CONNECTION_MILLIS);
        backEnds.count(to, known != to);
        tally.add(BalanceCount.FORWARDED);
        link.sendTo(link.in(), index, backEnds.address(to));
    }
}
