package io.guidepost.examples;

import io.guidepost.packet.Port;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.lang.foreign.MemorySegment;

/** A UDP server that sends each datagram back to its sender. */
final class EchoServer {
    private EchoServer() {}

    // snippet: echo
    /** Returns a worker for the first queue of a port; the caller starts it, and closes it before the port. */
    static Worker on(Port port) {
        return new Worker(WorkerSettings.of("echo"))
                .watch(port.rx(0))
                .add(new DatagramResponder(port.rx(0), port.tx(0), (in, index, out) -> {
                    MemorySegment.copy(in.segment(), in.offset(index), out.segment(), out.room(), in.length(index));
                    out.append(in.length(index), in, index);
                }));
    }
    // end
}
