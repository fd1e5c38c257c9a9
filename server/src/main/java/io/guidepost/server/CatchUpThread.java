package io.guidepost.server;

import io.guidepost.gnrs.site.CatchUp;
import io.guidepost.gnrs.site.Deployment;
import io.guidepost.packet.Addresses;
import io.guidepost.packet.Port;
import io.guidepost.packet.Responder;
import io.guidepost.packet.Udp;
import io.guidepost.packet.UdpSettings;
import io.guidepost.packet.Worker;
import io.guidepost.packet.WorkerSettings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The thread and the port that bring the copies of this server into line with those of others. The port has the address
 * that others know this server by: they take its questions from there, whatever its number.
 */
final class CatchUpThread implements AutoCloseable {
    private final Port port;
    private final Worker worker;
    private final CatchUp catchUp;

    private CatchUpThread(Port port, Worker worker, CatchUp catchUp) {
        this.port = port;
        this.worker = worker;
        this.catchUp = catchUp;
    }

    /** Starts it at an address of this machine. */
    static CatchUpThread start(Configuration configuration, Deployment deployment, InetAddress address)
            throws IOException {
        int number = configuration.get(Keys.SITES_PORT).intValue();
        Port port = Udp.open(
                UdpSettings.of(new InetSocketAddress(address, number)).withBackEnd(configuration.get(Keys.GNRS_BACK_END)));
        Worker worker = new Worker(WorkerSettings.of("sites"));
        CatchUp catchUp = deployment.catchUp(worker::wake);
        DoorHandler handler = new DoorHandler(
                catchUp,
                address.isAnyLocalAddress(),
                Addresses.high(address),
                Addresses.low(address),
                port.localAddress().getPort());
        worker.watch(port.rx(0)).add(new Responder(port.rx(0), port.tx(0), handler));
        try {
            worker.start();
        } catch (InterruptedException e) {
            port.close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the catching up started");
        }
        return new CatchUpThread(port, worker, catchUp);
    }

    CatchUp catchUp() {
        return catchUp;
    }

    @Override
    public void close() {
        worker.close();
        port.close();
    }
}
