package io.guidepost.lab.scaffold;

import io.guidepost.base.Addresses;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.scaffold.flow.LocalService;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.wire.HostLocator;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A simulated network of some hosts, without any fault but what a test makes: an object {@code web}, its instances and clients. */
final class FewHosts {
    final EventScheduler world = new EventScheduler(1);
    final SimulatedInternet internet = new SimulatedInternet(world);

    /** What the hosts have seen that no honest server has sent. */
    final List<String> faults = new ArrayList<>();

    private final ObjectKey object = ObjectKey.generate(internet.keys);
    private int address = 0x0a00_0100;

    /** Adds a host with a number of ways. */
    SimulatedHost host(String name, int ways) {
        SimulatedTcp.Options options = new SimulatedTcp.Options(1_300, 4, true, true, 7);
        List<HostLocator> places = Stream.generate(this::place).limit(ways).toList();
        SimulatedHost host = new SimulatedHost(name, world, internet, places, HostKey.generate(internet.keys), options, false, faults);
        internet.add(host);
        return host;
    }

    private HostLocator place() {
        return new HostLocator(0, Addresses.ipv4Low(address++), 5_500);
    }

    /** Has a host offer the object, and registers it. */
    void serve(SimulatedHost server) {
        LocalService service = new LocalService(
                "web", object.delegate(server.key().guid(), SimulatedHost.EPOCH_MILLIS / 1_000 + 100_000), 6,
                SimulatedHost.HTTP_PORT, true, 0, 1);
        server.serve(service, new SimulatedPrograms.Manners(true, true, false, "server"));
        world.playMillis(2_000);
    }

    /** Returns the address that the object has at a client; 0 if it is not found. */
    int found(SimulatedHost client) {
        int[] found = new int[1];
        client.resolve("web", at -> found[0] = at.address());
        world.playMillis(500);
        return found[0];
    }
}
