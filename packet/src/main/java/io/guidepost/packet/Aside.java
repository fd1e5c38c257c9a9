package io.guidepost.packet;

import io.guidepost.base.Addresses;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.linux.SystemCall;
import io.guidepost.packet.udp.KernelRx;
import io.guidepost.packet.udp.KernelTx;
import io.guidepost.packet.udp.SocketOpener;
import io.guidepost.packet.udp.UdpSettings;
import io.guidepost.packet.worker.DatagramHandler;
import io.guidepost.packet.worker.DutyCycle;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Second sockets of a port of the kernel, one beside each, in which the packets of some networks arrive from when they are
 * {@linkplain #set set aside} until a second after that was last said.
 *
 * <p>What for? A flood that shares a socket with others makes them wait behind it, wakes the worker for each packet or,
 * where it naps instead, has them wait for the end of the nap; and when the socket's memory is full it is theirs that was
 * lost. Aside it is looked at every {@link PacketLimits#ASIDE_REST_NANOS} while the worker wakes at once for everyone else's, and
 * what does not fit is lost by the flood alone.
 *
 * <p>The sockets are opened when something is first set aside; until then a port has no part of it. {@link #set} and the
 * counts are for any thread; each queue's {@link #responder} belongs to its worker.
 */
public final class Aside {
    private static final Logger LOG = System.getLogger(Aside.class.getName());

    /** Bits before those of an IPv4 address in its mapped form. */
    private static final int IPV4_MAPPED_BITS = 96;

    /**
     * Where senders are.
     *
     * @param high high half of its first address
     * @param low low half of its first address
     * @param bits length of the prefix: 1 to 32 of IPv4, 1 to 128 of IPv6
     */
    record Network(long high, long low, int bits) {
        static Network of(long high, long low, int bits) {
            int all = Addresses.isIpv4(high, low) ? bits + IPV4_MAPPED_BITS : bits;
            return new Network(high & Addresses.highMask(all), low & Addresses.lowMask(all), bits);
        }

        boolean isIpv4() {
            return Addresses.isIpv4(high, low);
        }
    }

    private final UdpSettings settings;
    private final List<SharedDescriptor> beside;
    private final InetSocketAddress local;
    private final LongSupplier clockNanos;
    private final List<SharedDescriptor> sockets = new ArrayList<>();
    private final Map<Network, Long> until = new HashMap<>();
    private volatile List<KernelRx> rx = List.of();
    private volatile List<KernelTx> tx = List.of();
    private volatile boolean watched;
    private volatile long changeNanos;
    private long taken;
    private long refused;
    private long attachedNanos;

    /** Whether the kernel still has a program that sets more aside than it should: what comes must be looked for. */
    private boolean behind;

    private boolean closed;

    /**
     * Nothing is aside yet.
     *
     * @param beside the port's own sockets in the order in which they were bound
     * @param local the address that they are bound to
     */
    public Aside(UdpSettings settings, List<SharedDescriptor> beside, InetSocketAddress local, LongSupplier clockNanos) {
        this.settings = settings.withBurstMax(PacketLimits.ASIDE_BURST);
        this.beside = beside;
        this.local = local;
        this.clockNanos = clockNanos;
        this.attachedNanos = clockNanos.getAsLong() - PacketLimits.ASIDE_CHANGE_NANOS;
    }

    /**
     * Has what a network sends come aside for a second from now on. Where too many networks are aside, or another was added
     * but now, nothing is done: who asks too much is met again.
     *
     * @param high high half of an address of the network, as in {@code Addresses}; no link-local one
     * @param low low half of that address
     * @param bits length of the prefix: 1 to 32 of IPv4, 1 to 128 of IPv6
     */
    public synchronized void set(long high, long low, int bits) {
        if (closed || Addresses.isLinkLocal(high)) {
            return;
        }
        long now = clockNanos.getAsLong();
        Network network = Network.of(high, low, bits);
        if (until.containsKey(network)) {
            until.put(network, now + PacketLimits.ASIDE_NANOS);
        } else if (now - attachedNanos >= PacketLimits.ASIDE_CHANGE_NANOS) {
            add(network, now);
        }
    }

    private void add(Network network, long now) {
        attachedNanos = now;
        if (until.size() == PacketLimits.ASIDE_NETWORKS_MAX) {
            refused++;
            return;
        }
        if (until.isEmpty()) {
            changeNanos = now + PacketLimits.ASIDE_NANOS;
        }
        until.put(network, now + PacketLimits.ASIDE_NANOS);
        if ((!rx.isEmpty() || open()) && attach()) {
            taken++;
            behind = false;
            watched = true;
        } else {
            refused++;
            until.remove(network);
        }
    }

    /** What a worker does for those aside, after what it does for the others; a few packets a turn. */
    public DutyCycle responder(int queue, DatagramHandler handler) {
        return new AsideResponder(this, queue, handler);
    }

    /** Whether something may have come aside; lets those go whose time is over. For workers, in every turn. */
    boolean watched() {
        if (watched && clockNanos.getAsLong() - changeNanos >= 0) {
            expire();
        }
        return watched;
    }

    private synchronized void expire() {
        long now = clockNanos.getAsLong();
        if (closed || now - changeNanos < 0) {
            return;
        }
        if (until.isEmpty() && !behind) {
            watched = false;
            return;
        }
        if (until.values().removeIf(end -> now - end >= 0) || behind) {
            behind = !attach();
        }
        // When the last has gone, what it had sent before is still looked for.
        long next = until.values().stream().mapToLong(end -> end - now).min().orElse(PacketLimits.ASIDE_NANOS);
        changeNanos = now + next;
    }

    RxQueue rx(int queue) {
        return rx.get(queue);
    }

    TxQueue tx(int queue) {
        return tx.get(queue);
    }

    /** Networks that are aside now. */
    public synchronized int networks() {
        return until.size();
    }

    /** Times that a network was set aside that was not. */
    public synchronized long taken() {
        return taken;
    }

    /** Times that one was not set aside because there are too many, or because the kernel refused. */
    public synchronized long refused() {
        return refused;
    }

    /** Counts of what came aside, a queue each; empty before the first time. */
    public List<QueueStatistics> received() {
        return rx.stream().map(KernelRx::statistics).toList();
    }

    private boolean open() {
        List<KernelRx> receiving = new ArrayList<>();
        List<KernelTx> sending = new ArrayList<>();
        try (SocketOpener opener = SocketOpener.joining(settings, beside.get(0))) {
            for (int queue = 0; queue < beside.size(); queue++) {
                SharedDescriptor socket = opener.open(local);
                sockets.add(socket);
                receiving.add(new KernelRx(socket, settings));
                sending.add(new KernelTx(socket, settings));
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "no flood is set aside: {0}", e.getMessage());
            close();
            return false;
        }
        tx = sending;
        rx = receiving;
        return true;
    }

    private boolean attach() {
        int error = SocketOpener.attach(
                beside.get(0), AsideProgram.instructions(beside.size(), List.copyOf(until.keySet())));
        if (error != 0) {
            LOG.log(
                    Level.WARNING,
                    "the kernel refuses a program that sets {0} networks aside: {1}",
                    until.size(),
                    SystemCall.meaning(error));
        }
        return error == 0;
    }

    /** Closes its sockets; what was aside comes with the others again. */
    public synchronized void close() {
        closed = true;
        watched = false;
        sockets.forEach(SharedDescriptor::close);
        rx.forEach(KernelRx::close);
    }
}
