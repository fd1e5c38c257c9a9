package io.guidepost.scaffold.gateway;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.scaffold.flow.FlowMachine;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Answers the questions of programs for the addresses of objects, over UDP. Belongs to the gateway's worker. */
final class ZoneServer implements AutoCloseable {
    private final Port port;
    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;
    private final ZoneAnswers zone;
    private int pending;

    ZoneServer(InetSocketAddress at, ZoneAnswers zone) throws IOException {
        this.zone = zone;
        port = UdpPorts.open(UdpSettings.of(at)
                .withSegmentationOffload(SegmentationOffload.OFF)
                .withBurstMax(GatewayLimits.BURST_MAX)
                .withDatagramBytesMax(GatewayLimits.QUESTION_BYTES_MAX));
        rx = port.rx(0);
        tx = port.tx(0);
        in = rx.burst();
        out = tx.burst();
    }

    RxQueue rx() {
        return rx;
    }

    int receive(FlowMachine machine) {
        int count = rx.receive(in);
        long base = in.segment().address();
        for (int i = 0; i < count; i++) {
            take(machine, Memory.read(base + in.offset(i), in.length(i)), in.peerHigh(i), in.peerLow(i), in.peerPort(i));
        }
        return count;
    }

    private void take(FlowMachine machine, byte[] datagram, long peerHigh, long peerLow, int peerPort) {
        ZoneQuestion question = ZoneQuestion.read(datagram);
        if (question == null) {
            zone.counts().count(ZoneCount.DROPS_NO_QUESTION);
            return;
        }
        String object = zone.object(question);
        if (object == null) {
            send(zone.answer(question), peerHigh, peerLow, peerPort);
        } else if (pending >= GatewayLimits.QUESTIONS_PENDING_MAX) {
            zone.counts().count(ZoneCount.DROPS_PENDING_MAX);
        } else {
            pending++;
            machine.resolve(object, (address, known) -> {
                pending--;
                send(zone.answer(question, address, known), peerHigh, peerLow, peerPort);
            });
        }
    }

    private void send(byte[] answer, long peerHigh, long peerLow, int peerPort) {
        if (!out.hasRoom()) {
            tx.send(out);
        }
        if (!out.hasRoom()) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
            return;
        }
        Memory.copy(answer, 0, out.segment().address() + out.room(), answer.length);
        out.append(answer.length, peerHigh, peerLow, peerPort);
    }

    boolean flush() {
        return out.count() > 0 && tx.send(out) > 0;
    }

    @Override
    public void close() {
        port.close();
    }
}
