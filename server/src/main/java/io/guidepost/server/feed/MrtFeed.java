package io.guidepost.server.feed;

import io.guidepost.base.Malformed;
import io.guidepost.proximity.bgp.AddressFamily;
import io.guidepost.proximity.bgp.MrtPeer;
import io.guidepost.proximity.bgp.MrtReader;
import io.guidepost.proximity.bgp.MrtSummary;
import io.guidepost.proximity.bgp.RibPeer;
import io.guidepost.proximity.bgp.RouteExit;
import io.guidepost.proximity.bgp.RouteExitRule;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** One file of MRT, read at the start and at each reload. */
final class MrtFeed {
    private static final Logger LOG = System.getLogger(MrtFeed.class.getName());

    private final Path file;
    private final RouterDirectory routers;
    private final FeedSink intake;
    private final Map<MrtPeer, RibPeer> peers = new ConcurrentHashMap<>();
    private volatile String state = "waiting";
    private volatile String reason = "";
    private volatile long records;
    private volatile long faults;
    private volatile long messages;
    private volatile long readings;

    MrtFeed(Path file, RouterDirectory routers, FeedSink intake) {
        this.file = file;
        this.routers = routers;
        this.intake = intake;
    }

    private Optional<RibPeer> peer(MrtPeer peer) {
        Optional<RouteExit> exit = routers.find(peer.address(), "AS" + peer.as());
        Optional<RibPeer> routes = exit.flatMap(at -> intake.rib.peer("mrt " + peer.address() + " AS" + peer.as(),
                new RouteExitRule.Fixed(at)));
        routes.ifPresent(each -> peers.put(peer, each));
        return routes;
    }

    /** What was read before counts as told in an earlier session. */
    void begin() {
        peers.values().forEach(RibPeer::established);
    }

    /** What was not told again since {@link #begin} goes. */
    void end() {
        for (RibPeer each : peers.values()) {
            for (AddressFamily family : AddressFamily.values()) {
                each.endOfRib(family);
            }
        }
    }

    /** Reads it; whether to its end. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time reads.
    boolean run() {
        readings++;
        try (InputStream in = Files.newInputStream(file)) {
            state = "reading";
            MrtSummary summary = MrtReader.read(in, this::peer, bytes -> {
                state = "reading, " + (bytes >> 20) + " MiB";
                intake.told();
            });
            state = "read";
            reason = summary.firstFault();
            records += summary.records();
            messages += summary.messages();
            faults += summary.badRecords();
            LOG.log(Logger.Level.INFO, file + ": " + summary.routes() + " routes of " + peers.size() + " peers, "
                    + summary.messages() + " messages replayed");
            return true;
        } catch (IOException | Malformed e) {
            state = "failed";
            faults++;
            reason = String.valueOf(e.getMessage());
            LOG.log(Logger.Level.ERROR, file + ": " + reason);
            return false;
        }
    }

    FeedStatus status() {
        Collection<RibPeer> now = peers.values();
        return new FeedStatus(
                "mrt " + file,
                state.equals("read"),
                state,
                reason,
                now.size() + " routers",
                now.stream().mapToLong(each -> each.routes(AddressFamily.IPV4)).sum(),
                now.stream().mapToLong(each -> each.routes(AddressFamily.IPV6)).sum(),
                records,
                messages,
                faults,
                FeedStatus.refused(now),
                readings);
    }
}
