package io.guidepost.scaffold.flow;

import io.guidepost.packet.bpf.FlowOffload.Headers;
import io.guidepost.packet.bpf.FlowOffload;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.segment.FlowTuple;
import io.guidepost.scaffold.segment.IpPacket;
import java.util.ArrayList;
import java.util.List;

/**
 * Flows with labels whose packets the kernel passes by itself, as nothing in them concerns the gateway: they stand, are not spliced, and
 * could not go on at another instance. What the gateway needs to know of them it reads from the kernel's counters, again and again. Each
 * comes back when it is silent, when no answer comes, when its path is in doubt, and with a segment that ends it. Belongs to one thread.
 */
final class OffloadedFlows {
    /** Packets with labels, one after the other, after which a flow is worth the calls: few questions and answers have as many. */
    private static final int PACKETS_LEAST = 64;

    /** How often they are looked at: a silent peer is suspected later by this. */
    private static final long LOOK_NANOS = 4 * LocalHost.MILLI;

    private static final long SILENT_NANOS = 1_000 * LocalHost.MILLI;

    /** After this time without an answer the gateway sees to a flow itself: its peer is asked, by other paths too. */
    private static final long UNANSWERED_NANOS = 300 * LocalHost.MILLI;


    private final LocalHost host;
    private final FlowOffload kernel;
    private final List<CarriedFlow> flows = new ArrayList<>();
    private long dueNanos;

    /** What the kernel does with the packets of one direction, and what it had counted when it was looked at last. */
    private static final class Row {
        private int number = FlowOffload.NO_ROW;
        private long packets;
        private long bytes;
    }

    /** Both directions of a flow; the gateway may still see the packets of one. */
    static final class Rows {
        private final Row out = new Row();
        private final Row in = new Row();

        /** Since when something was sent that has no answer; 0 if all has. */
        private long waitsNanos;

        /** Since when the peer is asked whether it hears labels still; 0 if it is not. */
        private long askedNanos;
    }

    OffloadedFlows(LocalHost host) {
        this.host = host;
        this.kernel = host.output.offload();
    }

    /** Takes note of a packet with labels, and offloads its flow if that is possible. */
    void labelled(CarriedFlow flow, LabelCarriage.State labels) {
        if (++labels.packets < PACKETS_LEAST) {
            return;
        }
        labels.packets = 0;
        if (!flow.isSteady()) {
            return;
        }
        Rows rows = flow.rows == null ? new Rows() : flow.rows;
        if (rows.out.number == FlowOffload.NO_ROW && labels.isHeardBy(flow.peer())) {
            rows.out.number = addOut(flow, labels);
        }
        if (rows.in.number == FlowOffload.NO_ROW && labels.carried) {
            rows.in.number = addIn(flow, labels);
        }
        if (flow.rows == null && Math.max(rows.out.number, rows.in.number) != FlowOffload.NO_ROW) {
            flow.rows = rows;
            flow.leaveToKernel();
            host.release(flow);
            flows.add(flow);
        }
    }

    private int addOut(CarriedFlow flow, LabelCarriage.State labels) {
        FlowTuple tuple = flow.tuple;
        return kernel.add(
                tuple.protocol(),
                new Headers(tuple.ownHigh(), tuple.ownLow(), tuple.peerHigh(), tuple.peerLow(), tuple.ports(), 0),
                new Headers(labels.own, flow.id, labels.peer, flow.peerFlow(), tuple.ports(), flow.epoch & 0xff),
                flow.kernelNext,
                flow.kernelAcknowledged);
    }

    private int addIn(CarriedFlow flow, LabelCarriage.State labels) {
        FlowTuple tuple = flow.tuple;
        int ports = Integer.rotateLeft(tuple.ports(), 16);
        return kernel.add(
                tuple.protocol(),
                new Headers(labels.cameFrom, flow.peerFlow(), labels.cameTo, flow.id, labels.cameWith, flow.epoch & 0xff),
                new Headers(tuple.peerHigh(), tuple.peerLow(), tuple.ownHigh(), tuple.ownLow(), ports, 0),
                flow.peerNext,
                flow.kernelNext);
    }

    /** Has the gateway see the packets of a flow again, of which it knows then what passed meanwhile. */
    void takeBack(CarriedFlow flow) {
        Rows rows = flow.rows;
        if (rows != null) {
            remove(rows.out);
            remove(rows.in);
            read(flow, rows);
            flow.rows = null;
            flows.remove(flow);
        }
    }

    /** Takes back a flow whose segment begins or ends a connection: that concerns the gateway, which is to know what passed before. */
    void sees(CarriedFlow flow, IpPacket packet) {
        if (flow.rows != null && packet.isTcp() && packet.has(Tcp.SYN | Tcp.FIN | Tcp.RST)) {
            takeBack(flow);
        }
    }

    private void remove(Row row) {
        if (row.number != FlowOffload.NO_ROW) {
            kernel.remove(row.number);
        }
    }

    /** Has the gateway see what the program sends again, as that may go by UDP; what comes with labels is none the worse. */
    void takeBackOut(CarriedFlow flow) {
        Rows rows = flow.rows;
        if (rows != null && rows.out.number != FlowOffload.NO_ROW) {
            remove(rows.out);
            read(flow, rows);
            rows.out.number = FlowOffload.NO_ROW;
            rows.out.packets = 0;
            rows.out.bytes = 0;
            rows.askedNanos = 0;
            if (rows.in.number == FlowOffload.NO_ROW) {
                takeBack(flow);
            }
        }
    }

    /** Takes back what is sent to a peer: it is elsewhere, or the path is lost. */
    void takeBackOut(PeerHost peer) {
        for (int i = flows.size() - 1; i >= 0; i--) {
            if (flows.get(i).peer() == peer) {
                takeBackOut(flows.get(i));
            }
        }
    }

    /** Asks a peer, whose path is in doubt, whether it hears labels still; the flow is taken back if it does not say so in time. */
    void ask(PeerHost peer) {
        for (int i = 0; i < flows.size(); i++) {
            CarriedFlow flow = flows.get(i);
            Rows rows = flow.rows;
            if (flow.peer() == peer && rows != null && rows.out.number != FlowOffload.NO_ROW) {
                rows.askedNanos = rows.askedNanos == 0 ? host.nowNanos : rows.askedNanos;
                host.labels.askAgain(flow);
            }
        }
    }

    /** The peer has said that it hears labels. */
    void heard(CarriedFlow flow) {
        if (flow.rows != null) {
            flow.rows.askedNanos = 0;
        }
    }

    /** Looks at all; returns the nanoseconds after which that is due again. */
    long look() {
        if (flows.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (dueNanos - host.nowNanos <= 0) {
            dueNanos = host.nowNanos + LOOK_NANOS;
            for (int i = flows.size() - 1; i >= 0; i--) {
                CarriedFlow flow = flows.get(i);
                Rows rows = flow.rows;
                if (rows != null) {
                    read(flow, rows);
                    look(flow, rows);
                }
            }
        }
        return Math.max(0, dueNanos - host.nowNanos);
    }

    private void look(CarriedFlow flow, Rows rows) {
        PeerHost peer = flow.peer();
        boolean waits = rows.waitsNanos != 0 && host.nowNanos - rows.waitsNanos >= UNANSWERED_NANOS;
        if (waits || peer == null || host.nowNanos - flow.usedNanos >= SILENT_NANOS) {
            takeBack(flow);
        } else if (rows.askedNanos != 0
                && host.nowNanos - rows.askedNanos >= Math.max(LocalHost.RETRANSMIT_NANOS, peer.suspicion.timeoutNanos())) {
            takeBackOut(flow);
        }
    }

    /** Takes note of what the kernel has counted. */
    private void read(CarriedFlow flow, Rows rows) {
        long sent = read(rows.out, FlowCount.PACKETS_SENT, FlowCount.BYTES_SENT);
        long came = read(rows.in, FlowCount.PACKETS_RECEIVED, FlowCount.BYTES_RECEIVED);
        host.counts.add(FlowCount.PACKETS_SENT_LABELLED, sent);
        host.counts.add(FlowCount.PACKETS_OFFLOADED, sent + came);
        PeerHost peer = flow.peer();
        if (sent + came == 0 || peer == null) {
            return;
        }
        flow.usedNanos = host.nowNanos;
        boolean asks = flow.isTcp() ? takeNumbers(flow, rows) : sent > 0 && flow.client;
        if (came > 0) {
            flow.heardNanos = host.nowNanos;
            rows.waitsNanos = 0;
            peer.suspicion.heard(host.nowNanos);
        } else if (asks) {
            // Datagrams need not be answered: probes, and the labels' questions that go with them, say whether their path is there.
            rows.waitsNanos = flow.isTcp() && rows.waitsNanos == 0 ? host.nowNanos : rows.waitsNanos;
            peer.suspicion.sent(host.nowNanos);
        }
    }

    private long read(Row row, FlowCount packets, FlowCount bytes) {
        if (row.number == FlowOffload.NO_ROW) {
            return 0;
        }
        long fresh = kernel.packets(row.number) - row.packets;
        row.packets += fresh;
        host.counts.add(packets, fresh);
        long more = kernel.bytes(row.number) - row.bytes;
        row.bytes += more;
        host.counts.add(bytes, more);
        return fresh;
    }

    /** Takes the numbers of a connection; returns whether data was sent. */
    private boolean takeNumbers(CarriedFlow flow, Rows rows) {
        int before = flow.kernelNext;
        if (rows.out.number != FlowOffload.NO_ROW) {
            flow.programIsAt(kernel.next(rows.out.number), kernel.acknowledgment(rows.out.number));
        }
        if (rows.in.number != FlowOffload.NO_ROW) {
            flow.peerIsAt(kernel.next(rows.in.number));
        }
        return flow.kernelNext != before;
    }
}
