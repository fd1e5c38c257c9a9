package io.guidepost.scaffold.gateway;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.scaffold.flow.FlowMachine;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Answers the questions of programs for the addresses of objects, over UDP. Belongs to the gateway's worker. */
final class ZoneServer implements AutoCloseable {
    private final GatewaySocket socket;
    private final ZoneAnswers zone;
    private int pending;

    ZoneServer(InetSocketAddress at, ZoneAnswers zone) throws IOException {
        this.zone = zone;
        socket = new GatewaySocket(UdpPorts.open(UdpSettings.of(at)
                .withSegmentationOffload(SegmentationOffload.OFF)
                .withBurstMax(GatewayLimits.BURST_MAX)
                .withDatagramBytesMax(GatewayLimits.QUESTION_BYTES_MAX)));
    }

    Port port() {
        return socket.port();
    }

    int receive(FlowMachine machine) {
        Burst in = socket.receive();
        for (int i = 0; i < in.count(); i++) {
            take(machine, Memory.read(socket.address(i), in.length(i)), in.peerHigh(i), in.peerLow(i), in.peerPort(i));
        }
        return in.count();
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
            machine.resolve(object, found -> {
                pending--;
                send(zone.answer(question, found.address(), found.known()), peerHigh, peerLow, peerPort);
            });
        }
    }

    private void send(byte[] answer, long peerHigh, long peerLow, int peerPort) {
        long room = socket.room(answer.length);
        if (room != Burst.NO_ROOM) {
            Memory.copy(answer, 0, room, answer.length);
            socket.append(answer.length, peerHigh, peerLow, peerPort);
        }
    }

    boolean flush() {
        return socket.flush();
    }

    @Override
    public void close() {
        socket.close();
    }
}
