package io.guidepost.middlebox.nat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Counters;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.ip.IpInterface;
import io.guidepost.packet.ip.LinkQueue;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/**
 * A stateful NAPT between an inside and an outside port (conntrack): outgoing packets get the outside address and the
 * port of their sender's mapping; incoming packets to such a port go to the mapping's inside host. Packets from the
 * inside to such a port are translated both ways and return (hairpinning). VLAN tags are kept.
 *
 * <p>{@link #duty} makes a duty for each worker, with a queue of each port; they share all tables, as devices may
 * spread both directions of a flow over different queues. {@link #counts} is thread-safe.
 *
 * <p>Later fragments from the inside need the address alone; those from the outside follow their first one, for which they wait
 * if they come before it. The sender of a flow for which there is no port is told by ICMP (RFC 6888 REQ-12).
 */
public final class Nat {
    private final NatSettings settings;
    private final IpInterface inside;
    private final IpInterface outside;
    private final NatState tables;
    private final List<Counters<NatCount>> tallies = new CopyOnWriteArrayList<>();

    /** Creates a translator without mappings; the random generator chooses ports. */
    public Nat(Port inside, Port outside, NatSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.inside = new IpInterface(inside, List.of(settings.inside()), List.of());
        this.outside = new IpInterface(outside, List.of(settings.outside()), settings.gateways());
        this.tables = new NatState(settings, random);
    }

    /** Returns the counters of all workers. */
    public Map<String, Long> counts() {
        return Counters.sum(NatCount.class, tallies);
    }

    /** Returns the duty of a worker with a queue of each port; that of queue 0 also expires mappings. */
    public DutyCycle duty(int queue) {
        Plane plane = new Plane(queue);
        tallies.add(plane.tally);
        return plane;
    }

    private final class Plane implements DutyCycle {
        private final boolean isFirst;
        private final LinkQueue insideQueue;
        private final LinkQueue outsideQueue;
        private final Counters<NatCount> tally = new Counters<>(NatCount.class);
        private final Napt44 translator = new Napt44(settings, tables, tally);
        private final NatPacket flow = new NatPacket();
        private final HeldFragments held = new HeldFragments();
        private final HeldFragments.Sender heldSender = this::sendHeld;
        private long now;

        Plane(int number) {
            isFirst = number == 0;
            insideQueue = inside.queue(number);
            outsideQueue = outside.queue(number);
        }

        @Override
        public int work(long nowMillis) {
            int moved = insideQueue.receive(nowMillis);
            for (int i = 0; i < moved; i++) {
                if (insideQueue.take(i)) {
                    fromInside(i, nowMillis);
                }
            }
            int more = outsideQueue.receive(nowMillis);
            for (int i = 0; i < more; i++) {
                if (outsideQueue.take(i)) {
                    fromOutside(i, nowMillis);
                }
            }
            if (!held.isEmpty()) {
                now = nowMillis;
                for (int i = held.release(heldSender, nowMillis); i > 0; i--) {
                    tally.count(NatCount.FRAGMENT_UNKNOWN);
                    outsideQueue.drop(Drop.NOT_OURS);
                }
            }
            if (isFirst) {
                translator.sweep(nowMillis);
            }
            return moved + more + insideQueue.flush() + outsideQueue.flush();
        }

        @Override
        public long restNanos() {
            long rest = Math.min(insideQueue.restNanos(), outsideQueue.restNanos());
            return held.isEmpty() ? rest : Math.min(rest, NatLimits.HELD_LOOK_NANOS);
        }

        private void fromInside(int index, long nowMillis) {
            NatPacket.Kind kind = flow.read(insideQueue.headers(), insideQueue.in().checksum(index));
            int destination = flow.destination();
            if (!settings.inside().isOnLink(flow.source()) || settings.inside().isBroadcast(destination)) {
                tally.count(NatCount.NOT_INSIDE);
                insideQueue.drop(Drop.NOT_OURS);
                return;
            }
            boolean hairpin = destination == settings.outside().ipv4();
            boolean isInside = destination == settings.inside().ipv4();
            if ((hairpin || isInside) && insideQueue.answerEcho(index)) {
                return;
            }
            if (isInside || hairpin && kind != NatPacket.Kind.QUERY) {
                insideQueue.drop(Drop.NOT_OURS);
                return;
            }
            if (!insideQueue.hop(index)) {
                return;
            }
            if (!translator.outward(kind, flow, nowMillis)) {
                if (kind == NatPacket.Kind.QUERY) {
                    insideQueue.dropHostUnreachable(Drop.TABLE_FULL);
                } else {
                    insideQueue.drop(Drop.NOT_OURS);
                }
                return;
            }
            if (!hairpin) {
                tally.count(NatCount.OUTWARD);
                outsideQueue.send(insideQueue.in(), index, 0, Addresses.ipv4Low(destination));
                return;
            }
            inward(insideQueue, index, kind, NatCount.HAIRPIN, nowMillis);
        }

        private void fromOutside(int index, long nowMillis) {
            NatPacket.Kind kind = flow.read(outsideQueue.headers(), outsideQueue.in().checksum(index));
            if (flow.destination() != settings.outside().ipv4()) {
                outsideQueue.drop(Drop.NOT_OURS);
            } else if (!outsideQueue.answerEcho(index) && outsideQueue.hop(index)) {
                inward(outsideQueue, index, kind, NatCount.INWARD, nowMillis);
            }
        }

        private void inward(LinkQueue from, int index, NatPacket.Kind kind, NatCount what, long nowMillis) {
            int to = translator.inward(kind, flow, nowMillis);
            if (to == 0) {
                if (kind != NatPacket.Kind.LATER_FRAGMENT || !hold(nowMillis)) {
                    from.drop(Drop.NOT_OURS);
                }
                return;
            }
            tally.count(what);
            insideQueue.send(from.in(), index, 0, Addresses.ipv4Low(to));
        }

        /** Holds the later fragment of the outside that was taken last. */
        private boolean hold(long nowMillis) {
            HeaderParser headers = outsideQueue.headers();
            int bytes = headers.networkEnd() - headers.networkOffset();
            boolean holds = held.hold(flow.packet(), bytes, headers.vlan(), nowMillis);
            tally.count(holds ? NatCount.FRAGMENTS_HELD : NatCount.FRAGMENT_UNKNOWN);
            return holds;
        }

        private boolean sendHeld(long packet, int bytes, int vlan) {
            flow.readFragment(packet);
            int to = translator.fragmentTarget(flow, now);
            long room = to == 0 ? Burst.NO_ROOM : insideQueue.room(vlan);
            if (room == Burst.NO_ROOM) {
                return false;
            }
            Memory.copy(packet, room, bytes);
            HeaderRewrite.address(room, HeaderRewrite.DESTINATION, to);
            if (!insideQueue.sendRoom(bytes, Addresses.IPV4_HIGH, Addresses.ipv4Low(to))) {
                return false;
            }
            tally.count(NatCount.INWARD);
            return true;
        }
    }
}
