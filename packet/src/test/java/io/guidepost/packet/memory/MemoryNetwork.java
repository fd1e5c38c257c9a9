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
 * A simulated network inside the process: ports with addresses, joined by a link with configurable loss, duplication
 * and reordering. With one thread and one seed it is deterministic; with several threads it is safe, and as repeatable
 * as their order.
 *
 * <p>Datagrams are plain objects: a simulation of thousands of nodes needs little memory for each more than speed.
 */
public final class MemoryNetwork {
    private static final int EPHEMERAL_PORT_FIRST = 49_152;
    private static final int PORT_LAST = 65_535;

    private final Impairment impairment;
    private final RandomGenerator random;
    private final Map<InetSocketAddress, MemoryPort> ports = new HashMap<>();

    /**
     * Link conditions, as probabilities from 0 to 1.
     *
     * @param loss the datagram is lost, counted as {@link Drop#SIMULATED}
     * @param duplicate it arrives twice
     * @param reorder it overtakes some datagrams in the receiver's queue
     */
    public record Impairment(double loss, double duplicate, double reorder) {
        /** A perfect link. */
        public static final Impairment NONE = new Impairment(0, 0, 0);

        /** Checks ranges. */
        public Impairment {
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

    /** One datagram in flight. */
    record Datagram(byte[] bytes, InetSocketAddress from, InetSocketAddress to) {}

    /** Creates a network without ports. */
    public MemoryNetwork(Impairment impairment, RandomGenerator random) {
        this.impairment = impairment;
        this.random = random;
    }

    /**
     * Opens a port. Of the settings it uses address, queues, burst and datagram size; the receive buffer bounds the
     * bytes in each queue.
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
     * Delivers a datagram.
     *
     * @return the sender's drop reason; null if it was not dropped there
     */
    @Nullable Drop carry(Datagram datagram) {
        MemoryPort receiver;
        int copies;
        double place;
        synchronized (this) {
            receiver = ports.get(datagram.to());
            if (receiver == null) {
                // UDP does not tell a sender that no socket listens, and neither does this network.
                return null;
            }
            copies = happens(impairment.loss()) ? 0 : happens(impairment.duplicate()) ? 2 : 1;
            place = happens(impairment.reorder()) ? random.nextDouble() : 1;
        }
        for (int i = 0; i < copies; i++) {
            receiver.arrive(datagram, place);
        }
        return copies == 0 ? Drop.SIMULATED : null;
    }

    private boolean happens(double chance) {
        // Draws no number for an impossible event, so that a perfect link costs nothing.
        return chance > 0 && random.nextDouble() < chance;
    }
}
