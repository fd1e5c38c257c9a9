package io.guidepost.packet.memory;

import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.linux.SystemCall;
import io.guidepost.packet.udp.BindRefusal;
import io.guidepost.packet.udp.UdpSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A network inside the process, for simulations and tests: ports with addresses, joined by a link that loses,
 * duplicates and reorders what it is told to. With one thread and one seed it does the same thing every time; with
 * several threads it is safe, and as repeatable as their order.
 *
 * <p>Datagrams are plain objects here: a simulation of thousands of nodes wants little memory for each node more than
 * it wants speed.
 */
public final class MemoryNetwork {
    private static final int EPHEMERAL_PORT_FIRST = 49_152;
    private static final int PORT_LAST = 65_535;

    private final Weather weather;
    private final RandomGenerator random;
    private final Map<InetSocketAddress, MemoryPort> ports = new HashMap<>();

    /**
     * What befalls a datagram on its way: each is a chance, 0 to 1.
     *
     * @param loss it does not arrive, and is counted as {@link Drop#SIMULATED}
     * @param duplicate it arrives twice
     * @param reorder it overtakes some of those that wait to be received
     */
    public record Weather(double loss, double duplicate, double reorder) {
        /** Everything arrives once and in order. */
        public static final Weather FAIR = new Weather(0, 0, 0);

        /** Checks ranges. */
        public Weather {
            check("loss", loss);
            check("duplicate", duplicate);
            check("reorder", reorder);
        }

        private static void check(String name, double chance) {
            if (!(chance >= 0 && chance <= 1)) {
                throw new IllegalArgumentException(name + " is " + chance + "; it must be 0 to 1");
            }
        }
    }

    /** One datagram on its way. */
    record Datagram(byte[] bytes, InetSocketAddress from, InetSocketAddress to) {}

    /** A network with no ports. */
    public MemoryNetwork(Weather weather, RandomGenerator random) {
        this.weather = weather;
        this.random = random;
    }

    /**
     * Opens a port. Of the settings it takes address, queues, burst and datagram size; the receive buffer bounds the
     * bytes that wait in each queue.
     *
     * @throws IOException if another port of this network has the address
     */
    public synchronized Port open(UdpSettings settings) throws IOException {
        InetSocketAddress address = settings.local();
        if (address.getPort() == 0) {
            address = free(address);
        }
        if (ports.containsKey(address)) {
            throw BindRefusal.of(address, SystemCall.EADDRINUSE);
        }
        MemoryPort port = new MemoryPort(this, settings, address);
        ports.put(address, port);
        return port;
    }

    private InetSocketAddress free(InetSocketAddress wish) throws IOException {
        for (int number = EPHEMERAL_PORT_FIRST; number <= PORT_LAST; number++) {
            InetSocketAddress address = new InetSocketAddress(wish.getAddress(), number);
            if (!ports.containsKey(address)) {
                return address;
            }
        }
        throw BindRefusal.of(wish, SystemCall.EADDRINUSE);
    }

    synchronized void close(MemoryPort port) {
        ports.remove(port.localAddress(), port);
    }

    /**
     * Carries a datagram.
     *
     * @return why it was dropped on the sender's side; null if it was not
     */
    @Nullable Drop carry(Datagram datagram) {
        MemoryPort receiver;
        int copies;
        double place;
        synchronized (this) {
            receiver = ports.get(datagram.to());
            if (receiver == null) {
                // UDP does not tell a sender that nobody listens, and neither does this network.
                return null;
            }
            copies = happens(weather.loss()) ? 0 : happens(weather.duplicate()) ? 2 : 1;
            place = happens(weather.reorder()) ? random.nextDouble() : 1;
        }
        for (int i = 0; i < copies; i++) {
            receiver.arrive(datagram, place);
        }
        return copies == 0 ? Drop.SIMULATED : null;
    }

    private boolean happens(double chance) {
        // No number is drawn for what never happens, so that fair weather costs nothing.
        return chance > 0 && random.nextDouble() < chance;
    }
}
