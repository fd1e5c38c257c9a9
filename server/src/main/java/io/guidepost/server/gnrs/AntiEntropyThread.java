package io.guidepost.server.gnrs;

import io.guidepost.base.Addresses;
import io.guidepost.gnrs.antientropy.AntiEntropy;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.packet.Port;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramResponder;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.service.DoorHandler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * The thread and the port that bring the copies of this server into line with those of others. The port has the address
 * that others know this server by: they take its questions from there, whatever its number.
 */
record AntiEntropyThread(Port port, Worker worker, AntiEntropy catchUp) implements AutoCloseable {
    /** Starts it at an address of this machine. */
    static AntiEntropyThread start(Configuration configuration, Deployment deployment, InetAddress address)
            throws IOException {
        int number = configuration.get(ConfigurationKeys.SITES_PORT).intValue();
        Port port = UdpPorts.open(
                UdpSettings.of(new InetSocketAddress(address, number)).withBackEnd(configuration.get(ConfigurationKeys.SERVER_BACK_END)));
        Worker worker = new Worker(WorkerSettings.of("sites"));
        AntiEntropy catchUp = new AntiEntropy(deployment, worker::wake);
        DoorHandler handler = new DoorHandler(
                catchUp,
                address.isAnyLocalAddress(),
                Addresses.high(address),
                Addresses.low(address),
                port.localAddress().getPort());
        worker.watch(port.rx(0)).add(new DatagramResponder(port.rx(0), port.tx(0), handler));
        try {
            worker.start();
        } catch (InterruptedException e) {
            port.close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the catching up started");
        }
        return new AntiEntropyThread(port, worker, catchUp);
    }

    @Override
    public void close() {
        worker.close();
        port.close();
    }
}
