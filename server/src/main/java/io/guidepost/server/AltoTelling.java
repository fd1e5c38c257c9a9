package io.guidepost.server;

import io.guidepost.alto.AltoService;
import io.guidepost.alto.Information;
import io.guidepost.alto.Resource;
import io.guidepost.alto.Resources;
import io.guidepost.alto.map.TopologyMaps;
import io.guidepost.alto.tips.Tips;
import io.guidepost.alto.update.Differences;
import io.guidepost.alto.update.LiveInformation;
import io.guidepost.alto.update.Renderings;
import io.guidepost.alto.update.UpdateStreams;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.Ranking;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What ALTO tells at this moment: each snapshot of the topology becomes the next version, on a thread of its own, no
 * sooner than the work allows; or what files said. Files that are read again may have other resources, so everything
 * about them is made anew then, and update streams end.
 */
final class AltoTelling implements AutoCloseable {
    /** After a version the next one is made no sooner than after so many times the time that it took. */
    private static final int REST = 2;

    private static final int ID_BYTES = 16;
    private static final String STREAMS = "updates";
    private static final String TIPS = "tips";

    private final LiveNetwork network;
    private final TopologyMaps.Settings settings;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private @Nullable Thread maker;
    private boolean ofFiles;
    private boolean closed;
    private volatile Information current = Information.EMPTY;
    private volatile @Nullable Edition edition;

    /** All that there is as long as the resources are the same. */
    record Edition(AltoService service, LiveInformation live, UpdateStreams streams, Tips tips) {}

    AltoTelling(LiveNetwork network, TopologyMaps.Settings settings) {
        this.network = network;
        this.settings = settings;
    }

    /** Tells what there is now, and from now on what comes. */
    void start(Optional<Information> files) {
        load(files);
        network.onPublished(ranking -> signal());
        maker = Thread.ofPlatform().daemon(true).name("guidepost-alto").start(this::follow);
    }

    /** Tells what files said, or if there are none what the topology says. */
    void load(Optional<Information> files) {
        lock.lock();
        try {
            ofFiles = files.isPresent();
            boolean topologyAgain = !ofFiles && current.ranking().isPresent();
            if (!topologyAgain) {
                current = files.orElseGet(() -> TopologyMaps.of(network.current(), settings));
                begin();
            }
        } finally {
            lock.unlock();
        }
    }

    private void begin() {
        Edition last = edition;
        List<Resource> resources = Resources.of(current, InstantSource.system());
        Renderings renderings = new Renderings(resources);
        LiveInformation live = new LiveInformation(() -> current);
        Differences differences = new Differences();
        UpdateStreams streams = new UpdateStreams(STREAMS, renderings, live, differences, this::id, System::nanoTime);
        Tips tips = new Tips(TIPS, renderings, live, differences, this::id, System::nanoTime);
        edition = new Edition(
                new AltoService(() -> current, resources, List.of(streams.route(), tips.route())), live, streams, tips);
        if (last != null) {
            last.live.close();
        }
    }

    private String id() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private void signal() {
        lock.lock();
        try {
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isOld() {
        return !ofFiles && network.current().version() != current.version();
    }

    /** Makes a version of each snapshot, or of the last of several. */
    private void follow() {
        try {
            while (true) {
                Ranking next = next();
                if (next == null) {
                    return;
                }
                long begun = System.nanoTime();
                publish(TopologyMaps.of(next, settings));
                rest(REST * (System.nanoTime() - begun));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Ranking next() throws InterruptedException {
        lock.lock();
        try {
            while (!closed && !isOld()) {
                moved.await();
            }
            return closed ? null : network.current();
        } finally {
            lock.unlock();
        }
    }

    private void publish(Information next) {
        lock.lock();
        try {
            if (!ofFiles) {
                current = next;
                edition().live.published();
            }
        } finally {
            lock.unlock();
        }
    }

    private void rest(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (left > 0 && !closed) {
                left = moved.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The version in force. */
    Information current() {
        return current;
    }

    /** Who tells it. */
    Edition edition() {
        Edition now = edition;
        if (now == null) {
            throw new IllegalStateException("nothing is told yet");
        }
        return now;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
        Edition last = edition;
        if (last != null) {
            last.live.close();
        }
        if (maker != null) {
            maker.interrupt();
        }
    }
}
