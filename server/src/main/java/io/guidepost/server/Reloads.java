package io.guidepost.server;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.proximity.oracle.ConsoleBackend;
import io.guidepost.server.alto.AltoHttpService;
import io.guidepost.server.alto.AltoSources;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.Key;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.server.gnrs.PeerServers;
import io.guidepost.server.gnrs.PlacementFiles;
import io.guidepost.server.handle.HandleServices;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.topology.OperatorTopology;
import io.guidepost.server.topology.TopologyFiles;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads configuration and files again while the server answers: what they say is built aside and put in force at once,
 * or, if there is a fault in it, not at all.
 */
final class Reloads {
    private static final Logger LOG = System.getLogger(Reloads.class.getName());

    private final Server.Source source;
    private final PeerServers sites;
    private final OperatorTopology proximity;
    private final @Nullable AltoHttpService altos;
    private final @Nullable HandleServices handles;
    private final List<InetSocketAddress> own;
    private final Configuration started;
    private ReloadReport last;
    private long done;
    private long failed;
    private boolean lastFailed;

    Reloads(
            Configuration started,
            Server.Source source,
            PeerServers sites,
            OperatorTopology proximity,
            @Nullable AltoHttpService altos,
            @Nullable HandleServices handles,
            List<InetSocketAddress> own,
            PlacementFiles.Read first) {
        this.started = started;
        this.source = source;
        this.sites = sites;
        this.proximity = proximity;
        this.altos = altos;
        this.handles = handles;
        this.own = own;
        this.last = new ReloadReport(true, Instant.now(), first.millis(), first.summary(), List.of(), List.of());
    }

    /** Does it; one at a time. */
    synchronized ReloadReport run() {
        long begun = System.nanoTime();
        try {
            Configuration next = source.load();
            List<String> restart = started.changed(next).stream()
                    .filter(each -> !each.live())
                    .map(Key::name)
                    .toList();
            PlacementFiles.Read read = PlacementFiles.read(next, own);
            TopologyFiles.Read topology = TopologyFiles.read(next);
            Optional<AltoSnapshot> maps = AltoSources.read(next);
            SslContext tls = handles == null ? null : handles.tls(next);
            // Nothing is put in force before everything was found right.
            sites.load(read);
            proximity.load(topology);
            if (altos != null) {
                altos.load(maps);
            }
            if (handles != null) {
                handles.load(tls);
            }
            last = new ReloadReport(true, Instant.now(), millis(begun), read.summary(), List.of(), restart);
            done++;
            lastFailed = false;
            LOG.log(Logger.Level.INFO, "reloaded in {0} ms: {1}", last.millis(), last.placement());
        } catch (ConfigurationException e) {
            refuse(begun, e.faults());
        } catch (IOException e) {
            refuse(begun, List.of(e.getClass().getSimpleName() + ": " + e.getMessage()));
        }
        return last;
    }

    /** Reads the files of the topology alone, as they are named now; what was read, for people. */
    synchronized String topology(ConsoleBackend.Part part) throws ConfigurationException, IOException {
        Configuration next = source.load();
        if (next.get(TopologyKeys.PROXIMITY_FILES).isEmpty()) {
            throw new IOException("there are no files to read: name them in proximity.files");
        }
        TopologyFiles.Read read = TopologyFiles.read(next);
        proximity.load(read, part);
        return read.summary().get("routers") + " routers, " + read.summary().get("prefixes") + " prefixes";
    }

    private synchronized void refuse(long begun, List<String> faults) {
        last = new ReloadReport(false, Instant.now(), millis(begun), last.placement(), faults, List.of());
        failed++;
        lastFailed = true;
        LOG.log(Logger.Level.WARNING, "reload refused, the old files stay in force: {0}", faults.getFirst());
    }

    private static long millis(long begun) {
        return (System.nanoTime() - begun) / 1_000_000;
    }

    /** What the last one, or the start, found. */
    synchronized ReloadReport last() {
        return last;
    }

    synchronized void write(Exposition out) {
        out.counter("guidepost_reloads", "Reloads by what became of them.")
                .sample(done, "outcome", "done")
                .sample(failed, "outcome", "failed");
        out.gauge("guidepost_reload_failed", "1 if the last reload was refused and older files are in force.")
                .sample(lastFailed ? 1 : 0);
        out.gauge("guidepost_reload_time_seconds", "When the last reload or the start was, seconds since 1970.")
                .sample(last.at().toEpochMilli() / 1e3);
        out.gauge("guidepost_placement_entries", "What the placement in force is made of.");
        last.placement().forEach((name, value) -> {
            if (value instanceof Number number) {
                out.sample(number.doubleValue(), "what", name);
            }
        });
    }
}
