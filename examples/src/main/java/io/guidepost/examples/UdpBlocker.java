package io.guidepost.examples;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.worker.FrameForwarder;
import io.guidepost.packet.worker.FrameHandler;
import io.guidepost.packet.worker.TxBuffer;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;

/** A middlebox that forwards frames from one port to another, except UDP datagrams to one destination port. */
final class UdpBlocker implements FrameHandler {
    private final HeaderParser headers = new HeaderParser();
    private final int blockedPort;

    UdpBlocker(int blockedPort) {
        this.blockedPort = blockedPort;
    }

    @Override
    public int frame(Burst in, int index) {
        boolean blocked = headers.read(in, index)
                && headers.protocol() == HeaderParser.UDP
                && headers.destinationPort() == blockedPort;
        return blocked ? REFUSE : 0;
    }

    /** Returns a worker that forwards in one direction; the caller starts it, and closes it before the ports. */
    static Worker between(Port from, Port to, int blockedPort) {
        return new Worker(WorkerSettings.of("udp-blocker"))
                .watch(from.rx(0))
                .add(new FrameForwarder(from.rx(0), new UdpBlocker(blockedPort), new TxBuffer(to.tx(0), 0)));
    }
}
