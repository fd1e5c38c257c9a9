package io.guidepost.scaffold.stream;

import io.guidepost.base.Counters;
import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.base.TokenBucket;
import io.guidepost.names.Guid;
import io.guidepost.scaffold.flow.GatewayOutput;
import io.guidepost.scaffold.flow.RouterClient;
import io.guidepost.scaffold.gateway.MachineQuestions;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ShownDelegations;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.scaffold.wire.ScaffoldLimits;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/**
 * A host without a gateway: one UDP socket to its object routers, the keys of the host, and what was agreed with others. Streams are
 * opened and served by it. Thread-safe; nothing in it needs rights.
 */
public final class RouterLink implements AutoCloseable {
    private static final int LEASE_MILLIS = 10_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** A host, and the hash of its key of the hour: who shows another key of the hour in its name replaces nothing. */
    private record HostShare(Guid host, Guid share) {}

    private final HostKey own;
    private volatile HostKey share;
    private final SecureRandom random = new SecureRandom();
    private final List<HostLocator> locators = new ArrayList<>();
    private final DatagramChannel socket;
    private final Selector selector;
    private final RouterClient client;
    private final MachineQuestions<RouterClient> questions;
    private final Map<HostShare, Association> associations = new HashMap<>();
    private final TokenBucket newHosts =
            new TokenBucket(StreamLimits.ASSOCIATIONS_PER_SECOND, StreamLimits.ASSOCIATIONS_PER_SECOND);
    private final ShownDelegations delegations = new ShownDelegations();
    private final Counters<StreamCount> counts = new Counters<>(StreamCount.class);
    private final Semaphore dials = new Semaphore(StreamLimits.DIALS_MAX);
    private final Thread thread;
    private volatile boolean closed;

    private RouterLink(HostKey own, List<InetAddress> addresses, int port, List<HostLocator> routers) throws IOException {
        this.own = own;
        this.share = HostKey.generate(random);
        this.socket = DatagramChannel.open();
        this.selector = Selector.open();
        this.questions = new MachineQuestions<>(selector::wakeup, StreamLimits.RESOLVE_MILLIS_MAX);
        socket.bind(addresses.size() == 1 ? new InetSocketAddress(addresses.getFirst(), port) : new InetSocketAddress(port));
        socket.configureBlocking(false);
        socket.register(selector, SelectionKey.OP_READ);
        int bound = ((InetSocketAddress) socket.getLocalAddress()).getPort();
        for (InetAddress each : addresses.isEmpty() ? ownAddresses() : addresses) {
            if (locators.size() < ScaffoldLimits.LOCATORS_MAX) {
                locators.add(HostLocator.of(new InetSocketAddress(each, bound)));
            }
        }
        this.client = new RouterClient(own, () -> HostKey.generate(random), LEASE_MILLIS, random::nextLong, new GatewayOutput() {
            @Override
            public void toKernel(long packet, int length) {
                throw new AssertionError("no flow goes through a host without a gateway");
            }

            @Override
            public void toNetwork(int way, long high, long low, int peerPort, long datagram, int length) {
                send(new HostLocator(high, low, peerPort), datagram, length);
            }
        });
        routers.forEach(client::router);
        locators.forEach(client::way);
        this.thread = Thread.ofPlatform().daemon().name("guidepost-router-link").unstarted(this::run);
    }

    /**
     * Opens a link to object routers, and goes on joining them until it is closed.
     *
     * @param own the host's key for good
     * @param addresses where streams reach this host; empty for all addresses of its links
     * @param port of UDP, and of TCP where it serves; 0 for any
     * @throws IOException if the port is taken
     */
    public static RouterLink open(HostKey own, List<InetAddress> addresses, int port, HostLocator... routers) throws IOException {
        RouterLink link = new RouterLink(own, addresses, port, List.of(routers));
        link.thread.start();
        return link;
    }

    private static List<InetAddress> ownAddresses() throws IOException {
        List<InetAddress> all = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                .toList();
        return all.isEmpty() ? List.of(InetAddress.getLoopbackAddress()) : all;
    }

    private void send(HostLocator to, long datagram, int length) {
        try {
            socket.send(Memory.ALL.asSlice(datagram, length).asByteBuffer(), to.toSocketAddress());
        } catch (IOException e) {
            // No link leads there now: what is not answered is sent again.
        }
    }

    private void run() {
        ByteBuffer room = ByteBuffer.allocateDirect(ScaffoldLimits.CONTROL_BYTES_MAX + 1);
        long address = MemorySegment.ofBuffer(room).address();
        while (!closed) {
            try {
                client.clock(System.nanoTime(), System.currentTimeMillis());
                for (InetSocketAddress from = receive(room); from != null; from = receive(room)) {
                    client.fromNetwork(HostLocator.of(from), address, room.position());
                }
                questions.answer(client);
                long restMillis = client.tick() / NANOS_PER_MILLI;
                selector.select(Math.clamp(restMillis, 1, LEASE_MILLIS));
                selector.selectedKeys().clear();
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                // An error of ICMP for a datagram of before: the router may come back.
            }
        }
    }

    private InetSocketAddress receive(ByteBuffer room) throws IOException {
        return (InetSocketAddress) socket.receive(room.clear());
    }

    /** Returns by what the client is asked, and told, on the link's thread. */
    MachineQuestions<RouterClient> machine() {
        return questions;
    }

    /** Returns where this host is. */
    public List<HostLocator> locators() {
        return List.copyOf(locators);
    }

    /** Returns the GUID of this host. */
    public Guid host() {
        return own.guid();
    }

    /** Returns how often something has happened. */
    public long count(StreamCount what) {
        return counts.get(what);
    }

    void counted(StreamCount what) {
        synchronized (counts) {
            counts.count(what);
        }
    }

    /**
     * Asks for an instance that serves streams of an object.
     *
     * @throws IOException if no object router answers
     */
    RouterClient.Resolution resolve(String name, int port, List<Guid> excluded) throws IOException {
        long end = System.nanoTime() + StreamLimits.RESOLVE_MILLIS_MAX * NANOS_PER_MILLI;
        while (!closed) {
            List<Guid> without = List.copyOf(excluded);
            RouterClient.Resolution resolution = questions.await((machine, answer) ->
                    machine.resolve(name, ServiceChannel.PROTOCOL, port, without, answer::complete));
            if (resolution != null) {
                return resolution;
            }
            if (System.nanoTime() - end >= 0) {
                break;
            }
        }
        throw new IOException("no object router answers");
    }

    HostKey own() {
        return own;
    }

    HostKey share() {
        return share;
    }

    SecureRandom random() {
        return random;
    }

    ShownDelegations delegations() {
        return delegations;
    }

    /**
     * Returns what is agreed with a host, after agreeing with it if that is due. It counts messages, so that two that begin at once
     * must go on with one: {@link #keep} says which.
     *
     * @throws Malformed if its keys are none
     * @throws IOException if too many new hosts come
     */
    Association agree(byte[] key, byte[] theirs) throws Malformed, IOException {
        synchronized (associations) {
            Association there = associations.get(new HostShare(HostKey.guid(key), HostKey.guid(theirs)));
            if (there != null) {
                return there;
            }
            newHosts.refill(System.nanoTime());
            if (!newHosts.tryTake(1)) {
                counted(StreamCount.DROPS_ASSOCIATION_RATE);
                throw new IOException("too many new hosts come");
            }
        }
        return Association.agree(own, share, key, theirs);
    }

    /** Remembers what was agreed; returns what counts from now on. */
    Association keep(Association agreed, byte[] theirs) {
        synchronized (associations) {
            if (associations.size() >= StreamLimits.ASSOCIATIONS_MAX) {
                // None is forgotten alone: agreed on once more by the same keys, it would count from 0, and take what was recorded before.
                share = HostKey.generate(random);
                associations.clear();
            }
            if (!agreed.isBy(share)) {
                return agreed;
            }
            Association there = associations.putIfAbsent(new HostShare(agreed.peer(), HostKey.guid(theirs)), agreed);
            return there == null ? agreed : there;
        }
    }

    /** Waits until another connection may be opened: the messages of those at a time stay inside of the window against replay. */
    void beginDial() {
        dials.acquireUninterruptibly();
    }

    void endDial() {
        dials.release();
    }

    /** Leaves the object routers, and ends. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        questions.leave(RouterClient::leave);
        closed = true;
        selector.wakeup();
        try {
            thread.join();
            selector.close();
            socket.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // Nothing was written that is to be kept.
        }
    }
}
