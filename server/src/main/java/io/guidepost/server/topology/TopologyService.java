package io.guidepost.server.topology;

import io.guidepost.proximity.oracle.ConsoleBackend;
import io.guidepost.proximity.oracle.NicPairs;
import io.guidepost.proximity.oracle.OracleConsole;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RoutingDefects;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.FileCheck;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.server.config.ValueKind;
import io.guidepost.server.feed.FeedService;
import io.guidepost.server.metrics.Exposition;
import io.guidepost.server.service.ServerContext;
import io.guidepost.server.service.Service;
import io.guidepost.server.service.Staged;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The operator's topology in the server: read from files, changed while it is asked, ranked by. */
public final class TopologyService implements Service {
    private static final Logger LOG = System.getLogger(TopologyService.class.getName());

    private final ServerContext context;
    private final LiveNetwork network;
    private final FeedService feeds;
    private final OracleConsole console;
    private volatile TopologyFiles.Read last = TopologyFiles.NOTHING;
    private volatile Defects defects = new Defects(-1, new RoutingDefects(0, 0, 0, 0, List.of()));

    /** What the network of a snapshot has. */
    private record Defects(long version, RoutingDefects found) {}

    /**
     * Makes it.
     *
     * @param feeds what routers tell, which files do not replace
     */
    public TopologyService(ServerContext context, FeedService feeds) {
        this.context = context;
        this.network = context.network();
        this.feeds = feeds;
        this.console = new OracleConsole(network, new OracleControls(context, this));
    }

    /** Reads its files, as {@link #stage} does. */
    public static void check(FileCheck files) {
        files.read(TopologyKeys.PROXIMITY_FILES, () -> TopologyFiles.read(files.configuration()));
    }

    @Override
    public void bind() throws ConfigurationException, IOException {
        stage(context.configuration()).apply();
    }

    @Override
    public Staged stage(Configuration next) throws ConfigurationException, IOException {
        TopologyFiles.Read read = TopologyFiles.read(next);
        return () -> load(read);
    }

    /** Reads the files alone, as they are named now; what was read, for people. */
    String reload(ConsoleBackend.Part part) throws ConfigurationException, IOException {
        return context.reloads().part(next -> {
            if (next.get(TopologyKeys.PROXIMITY_FILES).isEmpty()) {
                throw new IOException("there are no files to read: name them in proximity.files");
            }
            TopologyFiles.Read read = TopologyFiles.read(next);
            load(read, part);
            return read.summary().get("routers") + " routers, " + read.summary().get("prefixes") + " prefixes";
        });
    }

    /** What the files said when they were read last. */
    TopologyFiles.Read files() {
        return last;
    }

    /** Puts what files said in place of all that there is; it is in force when this returns. */
    private void load(TopologyFiles.Read read) {
        feeds.replace(read.network(), read.function());
        feeds.readFilesAgain();
        settle();
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
        defects().lines().forEach(each -> LOG.log(Logger.Level.WARNING, "{0}", each));
    }

    /** What keeps prefixes from being ranked; searched once for each snapshot. */
    private RoutingDefects defects() {
        Defects known = defects;
        long version = network.current().version();
        if (known.version != version) {
            known = new Defects(version, network.read(RoutingDefects::of));
            defects = known;
        }
        return known.found;
    }

    /**
     * Reads the files of a configuration and finds what keeps their prefixes from being ranked.
     *
     * @throws ConfigurationException with the faults of the files
     */
    public static RoutingDefects defects(Configuration configuration) throws ConfigurationException, IOException {
        return RoutingDefects.of(TopologyFiles.read(configuration).network());
    }

    /** Puts a part of what files said in place of the same part of what there is. */
    private void load(TopologyFiles.Read read, ConsoleBackend.Part part) {
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

    /** Waits until the last change is in force. An interrupted thread does not wait: the change comes into force all the same. */
    private void settle() {
        try {
            network.settle();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void pages(AdminPort port) {
        port.getGuarded("/topology", _ -> AdminPort.json(200, json()))
                .getGuarded("/topology/graph", _ -> AdminPort.json(200, TopologyGraph.json(network.current(), last.functionText())))
                .getGuarded("/oracle", this::complete)
                .post("/oracle", this::execute)
                .getGuarded("/rank", query -> RankExplanations.page(network, query));
    }

    private HttpResponse execute(String line) {
        OracleConsole.Answer answer = console.execute(line.strip());
        return HttpResponse.of(answer.error() == 0 ? 200 : 422, "text/plain; charset=utf-8", answer.text());
    }

    private HttpResponse complete(String query) {
        return query.startsWith("complete=")
                ? AdminPort.json(
                        200,
                        console.complete(URLDecoder.decode(query.substring("complete=".length()), StandardCharsets.UTF_8)))
                : AdminPort.error(400, "say what is to be completed: /oracle?complete=LINE");
    }

    private Map<String, Object> json() {
        Ranking ranking = network.current();
        return JsonWriter.object(
                "version", ranking.version(),
                "routers", ranking.topology().routers().size(),
                "links", new NicPairs(ranking.topology()).links(),
                "paths", ValueKind.dashed(ranking.topology().routing()),
                "prefixes", ranking.prefixes(),
                "places", ranking.places(),
                "bytes", ranking.bytes(),
                "files", last.summary(),
                "function", last.functionText(),
                "defects", defects().counts(),
                "defect-lines", defects().lines(),
                "warnings", last.warnings());
    }

    @Override
    public void write(Exposition out) {
        Ranking ranking = network.current();
        out.gauge("guidepost_topology_version", "Snapshot of the topology in force, counted from the start.")
                .sample(ranking.version());
        out.gauge("guidepost_topology_entries", "What the snapshot in force is made of.")
                .sample(ranking.topology().routers().size(), "what", "routers")
                .sample(ranking.prefixes(), "what", "prefixes")
                .sample(ranking.places(), "what", "places");
        out.gauge("guidepost_topology_defects", "What keeps prefixes from being ranked; /topology has the names.");
        defects().counts().forEach((what, count) -> out.sample(count, "what", what));
        out.gauge(
                        "guidepost_topology_ranks_dropped",
                        "Ranks of routers forgotten for want of room, since a snapshot last had other ranks than the one before.")
                .sample(ranking.ranksDropped());
        out.gauge("guidepost_topology_bytes", "Memory of what ranking looks at.").sample(ranking.bytes());
    }

    @Override
    public void close() {
        network.close();
    }
}
