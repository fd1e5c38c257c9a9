package io.guidepost.middlebox.nat;

import io.guidepost.middlebox.Tally;
import io.guidepost.middlebox.ipv4.Ipv4Interface;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Duty;
import io.guidepost.packet.Port;
import io.guidepost.packet.frame.Icmp;
import io.guidepost.packet.frame.Ipv4;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A translator between an inside and an outside port: packets that leave get its outside address and the port of their
 * sender's mapping; packets that come to such a port go to whoever has it inside. Packets from the inside to such a port
 * are translated both ways and come back (hairpinning). One worker's, with the first queue of each port; {@link #counts}
 * is for any thread.
 *
 * <p>Of later fragments, those from the inside need the address alone; those from the outside follow their first, and are
 * dropped if it did not come before them.
 */
public final class Nat implements Duty {
    private final NatSettings settings;
    private final Ipv4Interface inside;
    private final Ipv4Interface outside;
    private final Tally<NatCount> tally = new Tally<>(NatCount.class);
    private final Translator translator;
    private final Flow flow = new Flow();
    private final Ipv4 header = new Ipv4();

    /** A translator without mappings; chance chooses ports. */
    public Nat(Port inside, Port outside, NatSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.inside = new Ipv4Interface(inside.rx(0), inside.tx(0), inside.mac(), settings.inside(), 0);
        this.outside = new Ipv4Interface(
                outside.rx(0), outside.tx(0), outside.mac(), settings.outside(), settings.gateway());
        this.translator = new Translator(settings, tally, random);
    }

    /** What it counted. */
    public Map<String, Long> counts() {
        return tally.all();
    }

    @Override
    public int work(long nowMillis) {
        int moved = inside.receive(nowMillis);
        for (int i = 0; i < moved; i++) {
            if (inside.take(i)) {
                fromInside(i, nowMillis);
            }
        }
        int more = outside.receive(nowMillis);
        for (int i = 0; i < more; i++) {
            if (outside.take(i)) {
                fromOutside(i, nowMillis);
            }
        }
        translator.sweep(nowMillis);
        return moved + more + inside.flush() + outside.flush();
    }

    private void fromInside(int index, long nowMillis) {
        Flow.Kind kind = flow.read(inside.headers(), inside.in().checksum(index));
        int destination = flow.destination();
        if (!settings.inside().isOnLink(flow.source()) || settings.inside().isBroadcast(destination)) {
            tally.add(NatCount.NOT_INSIDE);
            inside.drop(Drop.NOT_OURS);
            return;
        }
        if (isOwn(destination) && inside.answerEcho(index)) {
            return;
        }
        boolean hairpin = destination == settings.outside().address();
        if (destination == settings.inside().address() || hairpin && kind != Flow.Kind.QUERY) {
            inside.drop(Drop.NOT_OURS);
            return;
        }
        if (!hop(inside, index)) {
            return;
        }
        if (!translator.outward(kind, flow, nowMillis)) {
            inside.drop(kind == Flow.Kind.QUERY ? Drop.TABLE_FULL : Drop.NOT_OURS);
            return;
        }
        if (!hairpin) {
            tally.add(NatCount.OUTWARD);
            outside.send(inside.in(), index, destination);
            return;
        }
        int back = translator.inward(kind, flow, nowMillis);
        if (back == 0) {
            inside.drop(Drop.NOT_OURS);
            return;
        }
        tally.add(NatCount.HAIRPIN);
        inside.send(inside.in(), index, back);
    }

    private boolean isOwn(int address) {
        return address == settings.inside().address() || address == settings.outside().address();
    }

    private void fromOutside(int index, long nowMillis) {
        Flow.Kind kind = flow.read(outside.headers(), outside.in().checksum(index));
        if (flow.destination() != settings.outside().address()) {
            outside.drop(Drop.NOT_OURS);
            return;
        }
        if (outside.answerEcho(index) || !hop(outside, index)) {
            return;
        }
        int to = translator.inward(kind, flow, nowMillis);
        if (to == 0) {
            outside.drop(Drop.NOT_OURS);
            return;
        }
        tally.add(NatCount.INWARD);
        inside.send(outside.in(), index, to);
    }

    /** Takes one hop from the packet's life; if none is left its sender is told. */
    private boolean hop(Ipv4Interface from, int index) {
        if (header.wrap(flow.packet(), Ipv4.BYTES).hop()) {
            return true;
        }
        from.sendError(index, Icmp.TIME_EXCEEDED, 0, 0);
        return from.drop(Drop.HOPS_EXCEEDED);
    }
}
