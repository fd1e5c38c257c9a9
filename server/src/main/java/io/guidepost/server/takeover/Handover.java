package io.guidepost.server.takeover;

import io.guidepost.packet.Port;
import io.guidepost.packet.handover.InheritedSockets;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.ParkedConnection;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.Workers;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A running server as it is handed over: it holds, so that all that was asked is answered, all that arrives waits in the kernel, and
 * the store is closed; then it goes on as before, or another process does. One thread.
 */
public final class Handover {
    private static final Logger LOG = System.getLogger(Handover.class.getName());
    private static final long LOOK_NANOS = 200_000;
    private static final int REACQUIRE_MILLIS = 50;

    private final List<Service> services;
    private final Workers workers;
    private final EmbeddedStore store;
    private final List<ParkedConnection> parked = new ArrayList<>();

    /** A socket of this process, or a link of a program. */
    record Socket(Takeover.Place place, int descriptor) {}

    public Handover(List<Service> services, Workers workers, EmbeddedStore store) {
        this.services = services;
        this.workers = workers;
        this.store = store;
    }

    private List<HttpServer> listeners() {
        return services.stream().flatMap(each -> each.listeners().stream()).toList();
    }

    /**
     * Returns its sockets, those of one address in their order.
     *
     * @throws IOException in one line, if one of them stays with this process
     */
    List<Socket> sockets() throws IOException {
        List<Socket> all = new ArrayList<>();
        for (Port each : workers.ports()) {
            if (each.name().startsWith("udp-channel:")) {
                throw new IOException(each.name() + " is of the JDK, which keeps it: set server.back-end to kernel");
            }
            each.reuseportGroup().ifPresent(group -> group.descriptors().forEach(number ->
                    all.add(new Socket(new Takeover.Place(InheritedSockets.Kind.UDP, each.localAddress()), number))));
        }
        for (HttpServer each : listeners()) {
            each.descriptors().forEach((address, number) ->
                    all.add(new Socket(new Takeover.Place(InheritedSockets.Kind.TCP, address), number)));
        }
        services.forEach(each -> each.programLink().ifPresent(number ->
                all.add(new Socket(new Takeover.Place(InheritedSockets.Kind.XDP, InheritedSockets.ANYWHERE), number))));
        return all;
    }

    /**
     * Holds. If this throws, the server goes on as before.
     *
     * @throws IOException if the store does not finish its writes
     */
    void hold() throws IOException {
        try {
            store.settle();
            listeners().forEach(each -> each.hold(true));
            park();
            workers.hold(true);
            awaitQuiet();
            store.release();
            // What was written is answered.
            awaitQuiet();
        } catch (IOException | RuntimeException e) {
            goOn();
            throw e;
        }
    }

    /** Parks connections as their requests are answered. Those that stay are answered here, from memory, until this process ends. */
    private void park() {
        long until = System.nanoTime() + Takeover.FINISHING.toNanos();
        boolean left = true;
        while (left && System.nanoTime() - until < 0) {
            left = false;
            for (HttpServer each : listeners()) {
                left |= each.park(parked);
            }
            if (left) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    /** Waits until each worker has taken a turn in which nothing was answered. */
    private void awaitQuiet() {
        long until = System.nanoTime() + Takeover.FINISHING.toNanos();
        List<long[]> before = workers.turnsAndMoves();
        boolean quiet = false;
        while (!quiet && System.nanoTime() - until < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
            List<long[]> now = workers.turnsAndMoves();
            quiet = true;
            for (int i = 0; i < now.size(); i++) {
                if (now.get(i)[1] != before.get(i)[1]) {
                    before = now;
                    quiet = false;
                    break;
                }
                quiet &= now.get(i)[0] >= before.get(i)[0] + 2;
            }
        }
    }

    /** Goes on as before, when the other process has ended: its lock of the store goes a little later. */
    void resume() {
        for (int tries = 1; !reacquired(tries); tries++) {
            LockSupport.parkNanos(REACQUIRE_MILLIS * 1_000_000L);
        }
        goOn();
    }

    private boolean reacquired(int tries) {
        try {
            store.reacquire();
            return true;
        } catch (IOException e) {
            if (tries * REACQUIRE_MILLIS % 1000 == 0) {
                LOG.log(Logger.Level.ERROR, "the store is not had again: {0}", e.getMessage());
            }
            return false;
        }
    }

    private void goOn() {
        workers.hold(false);
        listeners().forEach(each -> each.hold(false));
        parked.forEach(connection -> listeners().forEach(each -> each.adopt(connection)));
        parked.clear();
    }

    /** Gives up what another process cannot have beside this one, and connections that it cannot have: there is no way back. */
    void giveUp() {
        listeners().forEach(HttpServer::drain);
        workers.giveUp();
        services.forEach(Service::giveUp);
    }

    List<ParkedConnection> parked() {
        return parked;
    }
}
