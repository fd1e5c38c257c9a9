package io.guidepost.server.alto;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.map.TopologyMapBuilder;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.AltoRoute;
import io.guidepost.alto.service.ResourceCatalog;
import io.guidepost.alto.tips.TipsService;
import io.guidepost.alto.update.AltoSnapshotMonitor;
import io.guidepost.alto.update.PatchCache;
import io.guidepost.alto.update.UpdateContext;
import io.guidepost.alto.update.UpdateSources;
import io.guidepost.alto.update.UpdateStreams;
import io.guidepost.alto.view.AltoView;
import io.guidepost.proximity.ranking.LiveNetwork;
import java.lang.System.Logger;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What ALTO tells at this moment: each snapshot of the topology becomes the next version, on a thread of its own, no
 * sooner than the work allows; or what files said. Files that are read again may have other resources, so everything
 * about them is made anew then, and update streams end.
 *
 * <p>The first version of a topology is made on that thread too, so a server with a large one answers by its other doors
 * meanwhile. Each view has an edition of its own, so what is hidden is hidden from streams as well.
 */
final class AltoPublisher implements AutoCloseable {
    private static final Logger LOG = System.getLogger(AltoPublisher.class.getName());

    /** After a version the next one is made no sooner than after this multiple of the time that it took. */
    private static final int REST = 2;

    private static final int ID_BYTES = 16;
    private static final String STREAMS = "updates";
    private static final String TIPS = "tips";

    private final LiveNetwork network;
    private final SecureRandom random = new SecureRandom();
    private Runnable first = () -> {};
    private @Nullable Thread maker;
    private boolean ofFiles;
    private boolean begun;
    private boolean closed;
    private volatile AltoSnapshot current = AltoSnapshot.EMPTY;

    /** What the operator wants told, and to clients of which views; in force from the next version on. */
    private Plan wanted;

    private volatile Plan plan;

    /** All that there is as long as the resources are the same. */
    public record Edition(AltoDispatcher service, AltoSnapshotMonitor live, UpdateStreams streams, TipsService tips) {}

    /** What is told of a topology, and the views of it. */
    private record Plan(TopologyMapBuilder.Settings settings, List<Told> told) {
        static Plan of(TopologyMapBuilder.Settings settings, List<AltoView> views) {
            Stream<Told> each = views.stream().map(view -> new Told(Optional.of(view)));
            return new Plan(settings, Stream.concat(each, Stream.of(new Told(Optional.empty()))).toList());
        }
    }

    /** What clients of a view are told, or all others. */
    private static final class Told {
        private final Optional<AltoView> view;
        private volatile AltoSnapshot information = AltoSnapshot.EMPTY;
        private volatile @Nullable Edition edition;

        Told(Optional<AltoView> view) {
            this.view = view;
        }
    }

    /**
     * Nothing is told yet.
     *
     * @param views the first one that a client is in is its own; clients that are in none are told all
     */
    public AltoPublisher(LiveNetwork network, TopologyMapBuilder.Settings settings, List<AltoView> views) {
        this.network = network;
        this.wanted = Plan.of(settings, views);
        this.plan = wanted;
    }

    /**
     * Tells what there is now, and from now on what comes.
     *
     * @param first called once, when there is something to tell; on another thread if that takes long
     */
    public void start(Optional<AltoSnapshot> files, Runnable first) {
        this.first = first;
        load(files);
        network.onPublished(_ -> signal());
        maker = Thread.ofPlatform().daemon(true).name("guidepost-alto").start(this::follow);
    }

    /** Tells what files said, or if there are none what the topology says, as soon as that is made. */
    public synchronized void load(Optional<AltoSnapshot> files) {
        ofFiles = files.isPresent();
        if (ofFiles) {
            current = files.get();
            begin(wanted);
        } else {
            notifyAll();
        }
    }

    /** Tells other things, or other clients, from the next {@link #load} on; all editions are made anew then. */
    public synchronized void change(TopologyMapBuilder.Settings settings, List<AltoView> views) {
        wanted = Plan.of(settings, views);
    }

    /** Makes new editions of what is told now; with the lock held. */
    private void begin(Plan next) {
        List<Edition> last = editions();
        for (Told each : next.told) {
            each.information = each.view.map(view -> view.of(current)).orElse(current);
            each.edition = edition(each);
        }
        plan = next;
        last.forEach(each -> each.live.close());
        if (!begun) {
            begun = true;
            first.run();
        }
    }

    private Edition edition(Told of) {
        List<AltoResource> all = ResourceCatalog.of(of.information, InstantSource.system());
        List<AltoResource> resources = of.view.map(each -> each.resources(all)).orElse(all);
        AltoSnapshotMonitor live = new AltoSnapshotMonitor(() -> of.information);
        UpdateContext updates =
                new UpdateContext(new UpdateSources(resources), live, new PatchCache(), this::id, System::nanoTime);
        UpdateStreams streams = new UpdateStreams(STREAMS, updates);
        TipsService tips = new TipsService(TIPS, updates);
        List<AltoRoute> routes = List.of(streams.route(), tips.route()).stream()
                .filter(each -> of.view.map(view -> view.exposes(each.entry().id())).orElse(true))
                .toList();
        return new Edition(new AltoDispatcher(() -> of.information, resources, routes), live, streams, tips);
    }

    private String id() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private synchronized void signal() {
        notifyAll();
    }

    private boolean isOld() {
        return !ofFiles
                && (!begun || !wanted.equals(plan) || current.ranking().isEmpty() || network.current().version() != current.version());
    }

    /** Makes a version of each snapshot, or of the last of several. */
    private void follow() {
        try {
            while (true) {
                Plan next = next();
                if (next == null) {
                    return;
                }
                long begun = System.nanoTime();
                publish(next, TopologyMapBuilder.of(network.current(), next.settings), begun);
                rest(REST * (System.nanoTime() - begun));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Plan next() throws InterruptedException {
        while (!closed && !isOld()) {
            wait();
        }
        return closed ? null : wanted;
    }

    private synchronized void publish(Plan by, AltoSnapshot next, long sinceNanos) {
        if (ofFiles || closed) {
            return;
        }
        boolean anew = !begun || !by.equals(plan) || current.ranking().isEmpty();
        current = next;
        if (anew) {
            NetworkMap map = next.maps().getFirst();
            LOG.log(Logger.Level.INFO, "ALTO maps of {0} PIDs and {1} blocks were made in {2} ms", map.pids().size(),
                    map.blocks(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos));
            begin(by);
            return;
        }
        for (Told each : by.told) {
            each.information = each.view.map(view -> view.of(next)).orElse(next);
            Edition edition = each.edition;
            if (edition != null) {
                edition.live.published();
            }
        }
    }

    private synchronized void rest(long nanos) throws InterruptedException {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !closed; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    AltoSnapshot current() {
        return current;
    }

    /** Whether there is something to tell. */
    public boolean isReady() {
        return plan.told.getLast().edition != null;
    }

    /** Who tells a client; empty until there is something to tell. Addresses of IPv4 are in their mapped form. */
    public Optional<Edition> edition(long high, long low) {
        for (Told each : plan.told) {
            if (each.view.isEmpty() || each.view.get().isOf(high, low)) {
                return Optional.ofNullable(each.edition);
            }
        }
        throw new AssertionError("the last one is for all");
    }

    List<Edition> editions() {
        return plan.told.stream().map(each -> each.edition).filter(Objects::nonNull).toList();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        editions().forEach(each -> each.live.close());
        if (maker != null) {
            maker.interrupt();
        }
    }
}
