package io.guidepost.server.topology;

import io.guidepost.proximity.oracle.ConsoleBackend;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.server.admin.JsonPages;
import io.guidepost.server.config.ValueKind;
import io.guidepost.server.feed.FeedSettings;
import io.guidepost.server.feed.Feeds;
import io.guidepost.server.metrics.Exposition;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operator's topology in the server: read from files, changed while it is asked, ranked by. */
public final class OperatorTopology implements AutoCloseable {
    private static final Logger LOG = System.getLogger(OperatorTopology.class.getName());

    private final LiveNetwork network = new LiveNetwork();
    private @Nullable Feeds feeds;
    private volatile TopologyFiles.Read last = TopologyFiles.NOTHING;

    /** The network, as it is now. */
    public LiveNetwork network() {
        return network;
    }

    /** The snapshot in force. */
    public Supplier<Ranking> rankings() {
        return network::current;
    }

    /**
     * Has the ports where routers tell, and begins to read dumps.
     *
     * @throws IOException in one line, if a port cannot be had
     */
    public void open(FeedSettings settings) throws IOException {
        if (settings.isAny()) {
            feeds = Feeds.open(settings, network);
        }
    }

    /** How those stand who tell. */
    public Map<String, Object> feedsJson() {
        Feeds open = feeds;
        return open == null ? JsonPages.object("feeds", List.of()) : open.status();
    }

    /** Those who tell; empty if there are none. */
    public Optional<Feeds> feeds() {
        return Optional.ofNullable(feeds);
    }

    /** What the files said when they were read last. */
    public TopologyFiles.Read files() {
        return last;
    }

    /** Puts what files said in place of all that there is; it is in force when this returns. */
    public void load(TopologyFiles.Read read) throws IOException {
        replace(read.network(), read.function());
        last = read;
        if (!read.summary().isEmpty()) {
            LOG.log(
                    Logger.Level.INFO,
                    "topology of {0} routers and {1} prefixes read in {2} ms",
                    read.summary().get("routers"),
                    read.summary().get("prefixes"),
                    read.summary().get("millis"));
        }
        read.warnings().forEach(each -> LOG.log(Logger.Level.WARNING, "{0}", each));
    }

    /** Puts a part of what files said in place of the same part of what there is. */
    public void load(TopologyFiles.Read read, ConsoleBackend.Part part) throws IOException {
        if (part == ConsoleBackend.Part.ROUTERS) {
            network.change(now -> now.topology(read.network().topology()));
            settle();
            return;
        }
        if (part == ConsoleBackend.Part.NETWORKS) {
            read.network().topology(network.current().topology());
        }
        load(read);
    }

    private void replace(OperatorNetwork next, RankingFunction function) throws IOException {
        Feeds told = feeds;
        if (told == null) {
            network.replace(next, function);
        } else {
            told.replace(next, function);
            told.readFilesAgain();
        }
        settle();
    }

    private void settle() throws IOException {
        try {
            network.settle();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the topology was ranked");
        }
    }

    /** What is in force, for people. */
    public Map<String, Object> json() {
        Ranking ranking = network.current();
        return JsonPages.object(
                "version", ranking.version(),
                "routers", ranking.topology().routers().size(),
                "links", RankExplanations.links(ranking.topology()),
                "paths", ValueKind.dashed(ranking.topology().routing()),
                "prefixes", ranking.prefixes(),
                "places", ranking.places(),
                "bytes", ranking.bytes(),
                "files", last.summary(),
                "function", last.functionText(),
                "warnings", last.warnings());
    }

    public void write(Exposition out) {
        Ranking ranking = network.current();
        out.gauge("guidepost_topology_version", "Snapshot of the topology in force, counted from the start.")
                .sample(ranking.version());
        out.gauge("guidepost_topology_entries", "What the snapshot in force is made of.")
                .sample(ranking.topology().routers().size(), "what", "routers")
                .sample(ranking.prefixes(), "what", "prefixes")
                .sample(ranking.places(), "what", "places");
        out.gauge(
                        "guidepost_topology_ranks_dropped",
                        "Ranks of routers forgotten for want of room, since a snapshot last had other ranks than the one before.")
                .sample(ranking.ranksDropped());
        out.gauge("guidepost_topology_bytes", "Memory of what ranking looks at.").sample(ranking.bytes());
        if (feeds != null) {
            feeds.write(out);
        }
    }

    @Override
    public void close() {
        if (feeds != null) {
            feeds.close();
        }
        network.close();
    }
}
