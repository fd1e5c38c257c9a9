package io.guidepost.packet.backend;

import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.Port;
import io.guidepost.packet.device.NoSuchInterfaceException;
import io.guidepost.packet.worker.DutyCycle;
import io.guidepost.packet.worker.FrameForwarder;
import io.guidepost.packet.worker.FrameHandler;
import io.guidepost.packet.worker.TxBuffer;
import io.guidepost.packet.worker.Worker;
import io.guidepost.packet.worker.WorkerSettings;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Ports that share packet memory, and the workers of a middlebox on them: worker {@code i} has queue {@code i} of every port.
 * {@link #join} is a whole one of two ports.
 *
 * <p>Loss of a device: {@link #supervise} notices that a device was removed, and opens its port again when it is back, with
 * its queues, counters and the middlebox's state as before. Meanwhile the other ports go on, and frames for the lost one are
 * dropped as unreachable, as are those for a link that is down. Thread-safe.
 */
public final class Middlebox implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Middlebox.class.getName());

    /** Frames of packet memory, for {@link #join}. */
    private static final int FRAMES = 16_384;

    /** How often links are looked at. */
    private static final long LOOK_MILLIS = 100;

    /** A worker that is made anew when its queues are. */
    private record Role(WorkerSettings settings, int queue, List<? extends DutyCycle> duties) {}

    private final List<Port> ports;
    private final List<Role> roles = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final Map<Port, LinkState> links = new HashMap<>();
    private final Set<Port> lost = new LinkedHashSet<>();
    private final Map<Port, String> refusals = new HashMap<>();
    private final Thread hook = new Thread(this::close, "guidepost-middlebox-close");
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean stuckTold;

    private Middlebox(List<Port> ports) {
        this.ports = new ArrayList<>(ports);
    }

    /**
     * Opens ports by their names, all with as many queues: those that a name sets, or all of the device that has most.
     *
     * @param pool packet memory that they share, so that frames pass between them without a copy
     * @throws IOException in one line: a fault of a name, what is missing, or that devices have different numbers of queues
     */
    public static Middlebox open(List<String> names, FramePool pool) throws IOException {
        int queues = FramePortOpener.queues(names);
        Middlebox box = new Middlebox(List.of());
        try {
            for (String name : names) {
                ReturningPort.Opener opener = before -> before == null
                        ? FramePortOpener.open(name, pool, queues)
                        : FramePortOpener.reopen(name, pool, queues, before);
                box.ports.add(FramePortOpener.isLosable(name) ? new ReturningPort(opener) : opener.open(null));
            }
            return box;
        } catch (IOException | RuntimeException e) {
            box.close();
            throw e;
        }
    }

    /**
     * Opens two ports, joins them with a worker for each queue, and starts those. The end of the process, by SIGTERM too, closes
     * all that.
     *
     * @param outside name of the first port, such as {@code xdp:eth0}
     * @param inside name of the second
     * @param inward returns a handler for each worker's frames from outside to inside, its output 0
     * @param outward the same for the other direction
     * @throws IOException in one line: what is wrong or missing, and how to get it
     */
    public static Middlebox join(
            String outside, String inside, Supplier<FrameHandler> inward, Supplier<FrameHandler> outward)
            throws IOException, InterruptedException {
        FramePool pool = new FramePool(FRAMES, FrameSettings.of("").frameBytes(), FrameSettings.HEADROOM_BYTES);
        return open(List.of(outside, inside), pool).joined(inward, outward);
    }

    /**
     * The same with ports that are open; they are closed with the middlebox.
     *
     * @throws IllegalArgumentException if they have different numbers of queues
     */
    public static Middlebox join(Port outside, Port inside, Supplier<FrameHandler> inward, Supplier<FrameHandler> outward)
            throws InterruptedException {
        if (outside.queues() != inside.queues()) {
            throw new IllegalArgumentException(outside.name() + " has " + outside.queues() + " queues, and " + inside.name() + " has "
                    + inside.queues() + "; open both with as many");
        }
        return new Middlebox(List.of(outside, inside)).joined(inward, outward);
    }

    private Middlebox joined(Supplier<FrameHandler> inward, Supplier<FrameHandler> outward) throws InterruptedException {
        Port outside = ports.getFirst();
        Port inside = ports.getLast();
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return start(
                    queue -> WorkerSettings.of("middlebox-" + queue),
                    queue -> List.of(
                            new FrameForwarder(outside.rx(queue), inward.get(), new TxBuffer(inside.tx(queue))),
                            new FrameForwarder(inside.rx(queue), outward.get(), new TxBuffer(outside.tx(queue)))));
        } catch (RuntimeException | InterruptedException e) {
            close();
            throw e;
        }
    }

    /** Adds a port that was opened apart; before the start. */
    public synchronized Port add(Port port) {
        ports.add(port);
        return port;
    }

    /** Returns the ports, in the order of their names. */
    public synchronized List<Port> ports() {
        return List.copyOf(ports);
    }

    /** Returns the number of queues of every port, for each of which there is a worker. */
    public synchronized int queues() {
        return ports.stream().mapToInt(Port::queues).min().orElse(1);
    }

    /** Starts a worker for each queue, which sleeps until one of its ports has frames; may be called again for more workers. */
    public synchronized Middlebox start(IntFunction<WorkerSettings> settings, IntFunction<List<? extends DutyCycle>> duties)
            throws InterruptedException {
        for (int i = 0; i < queues(); i++) {
            Role role = new Role(settings.apply(i), i, List.copyOf(duties.apply(i)));
            roles.add(role);
            start(role);
        }
        return this;
    }

    private void start(Role role) throws InterruptedException {
        Worker worker = new Worker(role.settings);
        ports.forEach(port -> worker.watch(port.rx(role.queue)));
        role.duties.forEach(worker::add);
        workers.add(worker.start());
    }

    /**
     * Looks at all links and workers, and opens the port of each device that has come back. To be called some times in a second: frames
     * for a link that went down count as sent until then, unless the kernel refuses them.
     *
     * @return what has changed, each in one line
     */
    public synchronized List<String> supervise() throws InterruptedException {
        List<String> changes = new ArrayList<>();
        long nowNanos = System.nanoTime();
        workers.forEach(each -> each.supervise(nowNanos).ifPresent(changes::add));
        for (Port port : closed.getCount() == 0 ? List.<Port>of() : ports) {
            if (port instanceof ReturningPort returning) {
                LinkState first = links.get(port);
                LinkState before = first == null ? LinkState.ALWAYS : first;
                LinkState now = returning.look();
                if (now.isGone() && before.isGone()) {
                    reopen(returning).ifPresent(changes::add);
                    now = returning.look();
                } else if (now.isGone()) {
                    changes.add(port.name() + ": the interface is gone; waiting for its return");
                } else if (now.up() != before.up()) {
                    changes.add(port.name() + ": the link is " + now.text() + (now.isWithoutPeer() ? "; waiting for one" : ""));
                }
                links.put(port, now);
                if (now.isGone() || now.isWithoutPeer() && first != null && first.up()) {
                    lost.add(port);
                } else if (!now.isWithoutPeer()) {
                    lost.remove(port);
                }
            }
        }
        return changes;
    }

    private Optional<String> reopen(ReturningPort port) throws InterruptedException {
        Port next;
        try {
            next = port.reopened();
        } catch (NoSuchInterfaceException e) {
            return Optional.empty();
        } catch (IOException e) {
            // It is there, and perhaps not up yet: said once.
            String why = String.valueOf(e.getMessage());
            return why.equals(refusals.put(port, why)) ? Optional.empty() : Optional.of(why);
        }
        endWorkers();
        if (!workers.isEmpty()) {
            next.close();
            String why = stuckText() + " is stuck; " + port.name() + " stays closed";
            return why.equals(refusals.put(port, why)) ? Optional.empty() : Optional.of(why);
        }
        refusals.remove(port);
        port.resume(next);
        for (Role each : roles) {
            start(each);
        }
        return Optional.of(next.name() + ": the interface is back; the link is " + next.link().text());
    }

    /** Returns whether the device of a port is gone now, or has lost its peer. */
    public synchronized boolean isLost() {
        return !lost.isEmpty();
    }

    /** Returns the names of those ports, separated by commas. */
    public synchronized String lostNames() {
        return lost.stream().map(Port::name).collect(Collectors.joining(", "));
    }

    /** Supervises the links, and logs what changes, until the middlebox is closed. */
    public void await() throws InterruptedException {
        while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            supervise().forEach(change -> LOG.log(Level.WARNING, "{0}", change));
        }
    }

    /** Ends the workers and leaves the ports open, whose counters stand still then; idempotent. */
    public synchronized void endWorkers() {
        workers.forEach(Worker::close);
        workers.removeIf(each -> !each.isStuck());
    }

    private String stuckText() {
        return "worker " + workers.stream().map(Worker::name).collect(Collectors.joining(", "));
    }

    /**
     * Ends the workers, and closes the ports; idempotent. If a worker does not end, the ports stay open, since it may still write
     * into their memory: a later call may close them.
     */
    @Override
    public synchronized void close() {
        closed.countDown();
        endWorkers();
        if (workers.isEmpty()) {
            ports.forEach(Port::close);
        } else if (!stuckTold) {
            stuckTold = true;
            LOG.log(Level.WARNING, stuckText() + " is stuck; ports that it may still use stay open: "
                    + ports.stream().map(Port::name).collect(Collectors.joining(", ")));
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, perhaps by this very call.
        }
    }
}
