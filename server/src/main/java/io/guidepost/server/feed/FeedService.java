package io.guidepost.server.feed;

import io.guidepost.base.AddressText;
import io.guidepost.proximity.bgp.BgpSessionSettings;
import io.guidepost.proximity.bgp.Rib;
import io.guidepost.proximity.policy.ImportPolicy;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.rpki.VrpTable;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.service.HealthCondition;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.Staged;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The routers that tell of prefixes, and the files of MRT, all brought into one network: a thread follows what they tell, and
 * changes the network once for many messages. Caches of the RPKI tell which of their routes are refused. Each connection has a
 * virtual thread. Thread-safe.
 */
public final class FeedService implements Service {
    private static final Logger LOG = System.getLogger(FeedService.class.getName());

    private interface Taker {
        void take(Socket socket) throws IOException, InterruptedException;
    }

    private final FeedSettings settings;
    private final FeedSink intake;
    private final Map<InetAddress, BgpFeed> bgp = new LinkedHashMap<>();
    private final List<BmpFeed> bmp = new CopyOnWriteArrayList<>();
    private final List<MrtFeed> mrt = new ArrayList<>();
    private final List<RtrFeed> rpki = new ArrayList<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Object reading = new Object();
    private final AtomicBoolean rereadWaits = new AtomicBoolean();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private @Nullable ServerSocket bgpPort;
    private @Nullable ServerSocket bmpPort;

    /** Makes it; nothing is open or read yet. */
    public FeedService(FeedSettings settings, LiveNetwork live) {
        this.settings = settings;
        this.intake = new FeedSink(live, settings.grace());
    }

    /** Reads the passwords of sessions. */
    public static void check(FileCheck files) {
        files.configuration().get(TopologyKeys.BGP_PEERS).forEach(each -> files.read(TopologyKeys.BGP_PEERS, each::check));
    }

    /**
     * Opens all ports and begins to read all files, if any are named.
     *
     * @throws IOException in one line, if a port cannot be had or there is no such file
     */
    @Override
    public void takeAlone() throws IOException {
        if (settings.isAny()) {
            open();
            begin();
        }
    }

    private void open() throws IOException {
        for (Path each : settings.mrtFiles()) {
            if (!Files.isReadable(each)) {
                throw new NoSuchFileException("proximity.mrt-files: there is no file " + each + " that can be read");
            }
            mrt.add(new MrtFeed(each, settings.routers(), intake));
        }
        for (BgpPeer each : settings.bgpPeers()) {
            BgpSessionSettings own = new BgpSessionSettings(
                    settings.as(), settings.identifier(), FeedSettings.HOLD_SECONDS, each.as(), each.allowOwnAs());
            ImportPolicy policy = each.policy();
            intake.rib.peer(each.label(), each.rule()).ifPresent(routes -> {
                routes.policy(policy);
                bgp.put(each.address(), new BgpFeed(each, own, intake, routes));
            });
        }
        settings.rpkiCaches().forEach(each -> rpki.add(new RtrFeed(each, intake, this::validate)));
        bgpPort = bind(settings.bgpListen(), "proximity.bgp-listen");
        bmpPort = bind(settings.bmpListen(), "proximity.bmp-listen");
        for (BgpFeed each : bgp.values()) {
            if (bgpPort != null && each.peer().connectPort() == 0) {
                each.peer().sign((InetSocketAddress) bgpPort.getLocalSocketAddress());
            }
        }
    }

    private static @Nullable ServerSocket bind(Optional<InetSocketAddress> address, String key) throws IOException {
        if (address.isEmpty()) {
            return null;
        }
        ServerSocket port = new ServerSocket();
        try {
            port.setReuseAddress(true);
            port.bind(address.get());
            return port;
        } catch (IOException e) {
            port.close();
            throw new IOException(
                    address.get() + " cannot be had (" + e.getMessage() + "): stop what has it (ss -ltnp), or set " + key, e);
        }
    }

    private void begin() {
        thread("guidepost-feeds", intake::follow);
        if (!mrt.isEmpty()) {
            thread("guidepost-mrt", this::readFiles);
        }
        if (bgpPort != null) {
            accept("guidepost-bgp", bgpPort, this::takeBgp);
        }
        if (bmpPort != null) {
            accept("guidepost-bmp", bmpPort, this::takeBmp);
        }
        bgp.values().stream()
                .filter(each -> each.peer().connectPort() > 0)
                .forEach(each -> thread(each.peer().label(), each::connect));
        rpki.forEach(each -> thread(each.label(), each::connect));
    }

    /** Validates all routes anew, when a cache has told something. */
    private synchronized void validate() {
        intake.rib.vrps(VrpTable.union(rpki.stream().map(RtrFeed::table).toList()));
    }

    private void readFiles() {
        synchronized (reading) {
            mrt.forEach(MrtFeed::run);
        }
    }

    private void thread(String name, Runnable run) {
        Thread thread = Thread.ofVirtual().name(name).unstarted(() -> {
            try {
                run.run();
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
        threads.add(thread);
        thread.start();
    }

    private void accept(String name, ServerSocket port, Taker taker) {
        thread(name, () -> {
            while (!port.isClosed()) {
                try {
                    Socket socket = port.accept();
                    accepted.incrementAndGet();
                    if (threads.size() > FeedLimits.CONNECTIONS_MAX) {
                        refuse(socket);
                    } else {
                        thread(name, () -> serve(socket, taker));
                    }
                } catch (IOException e) {
                    if (!port.isClosed()) {
                        LOG.log(Logger.Level.WARNING, name + ": a connection could not be accepted: " + e.getMessage());
                    }
                }
            }
        });
    }

    private void refuse(Socket socket) throws IOException {
        refused.incrementAndGet();
        socket.close();
    }

    private void serve(Socket socket, Taker taker) {
        try (socket) {
            taker.take(socket);
        } catch (IOException e) {
            LOG.log(Logger.Level.DEBUG, socket + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void takeBgp(Socket socket) throws IOException, InterruptedException {
        BgpFeed feed = bgp.get(socket.getInetAddress());
        if (feed == null || feed.peer().connectPort() > 0 || feed.isDown()) {
            LOG.log(Logger.Level.INFO, "bgp " + AddressText.of(socket.getInetAddress()) + ": refused, as "
                    + (feed == null ? "proximity.bgp-peers does not name it"
                            : feed.isDown() ? "it had announced too many prefixes" : "we connect to it"));
            refuse(socket);
        } else {
            feed.run(socket);
        }
    }

    private void takeBmp(Socket socket) throws InterruptedException {
        BmpFeed feed = new BmpFeed(socket, settings.routers(), intake, this::replaces);
        bmp.add(feed);
        try {
            feed.run();
        } finally {
            bmp.remove(feed);
        }
    }

    /** Ends the connections before of the router that a new one is from. */
    private void replaces(BmpFeed feed) {
        try {
            for (BmpFeed each : bmp) {
                if (each != feed && each.isOf(feed)) {
                    each.end();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where routers connect to for BGP. */
    public Optional<InetSocketAddress> bgpAddress() {
        return Optional.ofNullable(bgpPort).map(port -> (InetSocketAddress) port.getLocalSocketAddress());
    }

    /** Where routers connect to for BMP. */
    public Optional<InetSocketAddress> bmpAddress() {
        return Optional.ofNullable(bmpPort).map(port -> (InetSocketAddress) port.getLocalSocketAddress());
    }

    /** What all feeds told. */
    public Rib rib() {
        return intake.rib;
    }

    /**
     * Replaces the network by one without routes of feeds, and adds those routes in the same step: no reader sees the new
     * network without them.
     */
    public void replace(OperatorNetwork next, RankingFunction by) {
        intake.live.change(old -> {
            intake.rib.fill(next);
            intake.live.replace(next, by);
        });
    }

    /**
     * Has all files of MRT read again. What was read of them before stays in force meanwhile; what they do not say any more goes
     * when all are read, or stays if one of them cannot be.
     */
    public void readFilesAgain() {
        if (mrt.isEmpty() || !rereadWaits.compareAndSet(false, true)) {
            return;
        }
        thread("guidepost-mrt", () -> {
            synchronized (reading) {
                rereadWaits.set(false);
                mrt.forEach(MrtFeed::begin);
                boolean all = true;
                for (MrtFeed each : mrt) {
                    all &= each.run();
                }
                if (all) {
                    mrt.forEach(MrtFeed::end);
                }
                intake.told();
            }
        });
    }

    /** Reads the prefix lists of peers again. */
    @Override
    public Staged stage(Configuration next) throws IOException {
        Map<BgpFeed, ImportPolicy> policies = new LinkedHashMap<>();
        for (BgpFeed each : bgp.values()) {
            policies.put(each, each.peer().policy());
        }
        return () -> policies.forEach(BgpFeed::policy);
    }

    /** How each feed stands. */
    public List<FeedStatus> feeds() {
        List<FeedStatus> all = new ArrayList<>();
        bgp.values().forEach(each -> all.add(each.status()));
        bmp.forEach(each -> all.add(each.status()));
        mrt.forEach(each -> all.add(each.status()));
        rpki.forEach(each -> all.add(each.status()));
        return all;
    }

    @Override
    public List<HealthCondition> conditions() {
        List<HealthCondition> all = new ArrayList<>();
        feeds().stream()
                .filter(each -> each.state().equals("failed") || each.state().equals("down"))
                .map(each -> new HealthCondition("feed-failed", each.feed() + " is " + each.state() + ": " + each.reason(), true))
                .forEach(all::add);
        rpki.stream().flatMap(each -> each.condition().stream()).forEach(all::add);
        return all;
    }

    /** The same for the page {@code /feeds} of the admin port. */
    public Map<String, Object> status() {
        return JsonWriter.object(
                "feeds", feeds().stream().map(FeedStatus::json).toList(),
                "routes", intake.rib.routes(),
                "routes-bytes", intake.rib.bytes(),
                "routes-refused", intake.rib.refused(),
                "changes-waiting", intake.rib.touched(),
                "connections-accepted", accepted.get(),
                "connections-refused", refused.get());
    }

    @Override
    public List<Endpoint> endpoints() {
        List<Endpoint> all = new ArrayList<>();
        bgpAddress().ifPresent(each -> all.add(new Endpoint("feeds", Endpoint.Transport.TCP, each, "", "BGP of routers")));
        bmpAddress().ifPresent(each -> all.add(new Endpoint("feeds", Endpoint.Transport.TCP, each, "", "BMP of routers")));
        return all;
    }

    @Override
    public void pages(AdminPort port) {
        port.getGuarded("/feeds", _ -> AdminPort.json(200, status()));
    }

    /** Writes the metrics of all feeds, if there are any. */
    @Override
    public void write(Exposition out) {
        if (!settings.isAny()) {
            return;
        }
        List<FeedStatus> all = feeds();
        out.gauge("guidepost_feed_up", "Whether a feed tells: its session stands, or its file is read.");
        each(out, all, feed -> feed.up() ? 1 : 0);
        out.gauge("guidepost_feed_routes", "Routes that a feed told and that count; of a cache of the RPKI, VRPs.");
        for (FeedStatus each : all) {
            out.sample(each.routesIpv4(), "feed", each.feed(), "family", "ipv4");
            out.sample(each.routesIpv6(), "feed", each.feed(), "family", "ipv6");
        }
        out.counter("guidepost_feed_messages", "Messages of a feed, or records of its file.");
        each(out, all, FeedStatus::messages);
        out.counter("guidepost_feed_updates", "Messages with routes among them.");
        each(out, all, FeedStatus::updates);
        out.counter("guidepost_feed_faults", "Messages that were taken only in part, or not at all.");
        each(out, all, FeedStatus::faults);
        out.counter("guidepost_feed_imports_refused", "Routes of a feed that its import policy does not take, by reason.");
        all.forEach(each -> each.refused().forEach((reason, number) -> out.sample(number, "feed", each.feed(), "reason", reason)));
        out.counter("guidepost_feed_sessions", "How often a session with a feed began.");
        each(out, all, FeedStatus::sessions);
        out.gauge("guidepost_feeds_routes", "Routes of all feeds.").sample(intake.rib.routes());
        out.gauge("guidepost_feeds_routes_bytes", "Memory that they take.").sample(intake.rib.bytes());
        out.counter("guidepost_feeds_routes_refused", "Routes not taken, as there are too many routes, ways or exits.")
                .sample(intake.rib.refused());
        out.gauge("guidepost_feeds_changes_waiting", "Changes that the network does not have yet.")
                .sample(intake.rib.touched());
        out.counter("guidepost_feeds_connections", "Connections of routers accepted.").sample(accepted.get());
        out.counter("guidepost_feeds_connections_refused", "Connections closed at once: the router is unknown, or there were too many.")
                .sample(refused.get());
    }

    private static void each(Exposition out, List<FeedStatus> all, ToLongFunction<FeedStatus> number) {
        all.forEach(each -> out.sample(number.applyAsLong(each), "feed", each.feed()));
    }

    /** Tells the peers that it ends, and closes all. What was told stays in the network. */
    @Override
    public void giveUp() {
        closed(bgpPort);
        closed(bmpPort);
    }

    @Override
    public void close() {
        intake.close();
        closed(bgpPort);
        closed(bmpPort);
        bgp.values().forEach(BgpFeed::wake);
        bmp.forEach(BmpFeed::close);
        rpki.forEach(RtrFeed::wake);
        long until = System.nanoTime() + FeedLimits.END.toNanos();
        for (Thread each : List.copyOf(threads)) {
            try {
                each.join(java.time.Duration.ofNanos(Math.max(1, until - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void closed(@Nullable ServerSocket port) {
        try {
            if (port != null) {
                port.close();
            }
        } catch (IOException e) {
            LOG.log(Logger.Level.DEBUG, "a port did not close: " + e.getMessage());
        }
    }
}
