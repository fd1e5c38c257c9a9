package io.guidepost.lab.dmap;

import io.guidepost.gnrs.placement.AsBindings;
import io.guidepost.lab.asgraph.AsGraph;
import io.guidepost.lab.asgraph.WeightedSampler;
import io.guidepost.lab.dmap.StudyResult.Assumed;
import io.guidepost.lab.dmap.StudyResult.Chosen;
import io.guidepost.lab.dmap.StudyResult.Churned;
import io.guidepost.lab.dmap.StudyResult.Closeness;
import io.guidepost.names.Guid;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The evaluation of the DMap paper (Vu et al., "DMap: A Shared Hosting Scheme for Dynamic Identifier to Locator
 * Mappings in the Global Internet", ICDCS 2012) with Guidepost's placement, and the improvements of Guidepost's
 * look-ups.
 *
 * <p>Every AS of the graph has one server. Names are inserted and looked up from ASes in proportion to the addresses
 * that they announce, because the paper's numbers of end hosts are not published; or, for comparison, from all ASes
 * alike.
 */
public final class DmapStudy {
    private static final LatencyModel PAPER = new LatencyModel(true, 0);
    private static final List<LookupMethod> COMPARED = List.of(LookupMethod.LEAST_HOPS, LookupMethod.SHORTEST_PATH, LookupMethod.GUIDEPOST);

    /** The percentages of prefixes that change. */
    private static final int[] CHURN_PERCENTS = {0, 2, 4, 6, 8, 10};

    /** The share of look-ups from the AS that inserted the name, in the row that assumes locality. */
    private static final double LOCALITY = 0.2;

    private static final int STORAGE_STEP = 10;
    private static final int STORAGE_STEPS = 3;

    private final AsGraph graph;
    private final Prefixes prefixes;
    private final StudySettings settings;
    private final Progress progress;
    private final AsBindings bindings;
    private final Guid[] guids;
    private final long[] space;

    private DmapStudy(AsGraph graph, Prefixes prefixes, StudySettings settings, Progress progress) {
        this.graph = graph;
        this.prefixes = prefixes;
        this.settings = settings;
        this.progress = progress;
        this.bindings = DeployedPlacement.bindings(graph);
        this.guids = ReplicaNodes.guids(settings.seed(), settings.guids());
        this.space = AddressSpace.of(PrefixTable.of(prefixes), graph);
    }

    /** Receives the progress of a study, on any of its threads. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Reports the progress of a part.
         *
         * @param part the current part
         * @param fraction from 0 to 1
         */
        void at(String part, double fraction);
    }

    /**
     * Runs a study; it takes from seconds to a minute.
     *
     * @throws IllegalArgumentException if no prefix belongs to an AS of the graph
     */
    public static StudyResult run(AsGraph graph, Prefixes prefixes, StudySettings settings, Progress progress) {
        return new DmapStudy(graph, prefixes, settings, progress).run();
    }

    private StudyResult run() {
        progress.at("placing names", 0);
        List<DeployedPlacement> placements = new ArrayList<>();
        for (int k = 1; k <= settings.replicasMax(); k++) {
            placements.add(DeployedPlacement.of(prefixes, bindings, k));
        }
        ReplicaNodes places = ReplicaNodes.of(guids, placements);
        double[] addresses = Arrays.stream(space).asDoubleStream().toArray();
        StudyWorkload bySpace = workload(addresses, 0);
        StudyWorkload local = workload(addresses, LOCALITY);
        double[] alike = new double[graph.size()];
        Arrays.fill(alike, 1);
        StudyWorkload byAs = workload(alike, 0);

        LatencyModel inner = new LatencyModel(true, settings.intraMicros());
        LatencyModel half = new LatencyModel(false, 0);
        List<LatencyModel> assumed = List.of(PAPER, inner, half);
        List<NetworkNoise> weathers = weathers();
        List<Experiment> experiments = new ArrayList<>();
        assumed.forEach(each -> experiments.add(new NearestReplica(places, each)));
        experiments.add(choices(places, bySpace, PAPER, settings.weather(), LookupMethod.ALL));
        weathers.forEach(each -> experiments.add(choices(places, bySpace, PAPER, each, COMPARED)));
        experiments.add(choices(places, bySpace, inner, settings.weather(), COMPARED));
        List<LatencyStatistics[]> found = sweep(bySpace, experiments, "looking names up");
        List<LatencyStatistics[]> alikeFound = sweep(
                byAs,
                List.of(new NearestReplica(places, PAPER), choices(places, byAs, PAPER, settings.weather(), COMPARED)),
                "looking names up from all ASes alike");
        List<LatencyStatistics[]> localFound = sweep(
                local,
                List.of(choices(places, local, PAPER, settings.weather(), COMPARED)),
                "looking names up where they were inserted");

        String within = String.format(Locale.ROOT, "%.1f ms within an AS", settings.intraMicros() / 1e3);
        List<Closeness> closest = List.of(
                new Closeness("demand by addresses", List.of(found.get(0))),
                new Closeness("demand by addresses, " + within, List.of(found.get(1))),
                new Closeness("demand by addresses, latencies there and back", List.of(found.get(2))),
                new Closeness("demand alike in all ASes", List.of(alikeFound.get(0))));
        List<Assumed> sensitivity = new ArrayList<>();
        sensitivity.add(new Assumed("as above", above(found.get(3))));
        for (int i = 0; i < weathers.size(); i++) {
            sensitivity.add(new Assumed(difference(weathers.get(i)), chosen(COMPARED, found.get(4 + i))));
        }
        sensitivity.add(new Assumed(within, chosen(COMPARED, found.get(4 + weathers.size()))));
        sensitivity.add(new Assumed("demand alike in all ASes", chosen(COMPARED, alikeFound.get(1))));
        sensitivity.add(new Assumed("1 in 5 from where it was inserted", chosen(COMPARED, localFound.get(0))));
        return new StudyResult(
                settings,
                input(placements.getLast(), places),
                closest,
                chosen(LookupMethod.ALL, found.get(3)),
                sensitivity,
                churn(bySpace),
                loads());
    }

    private List<LatencyStatistics[]> sweep(StudyWorkload workload, List<Experiment> experiments, String part) {
        return LookupSweep.run(graph, workload, experiments, settings.threads(), done -> progress.at(part, done));
    }

    private StudyWorkload workload(double[] ends, double locality) {
        return StudyWorkload.draw(
                settings.seed() + 1,
                WeightedSampler.of(ends),
                locality,
                graph.size(),
                WeightedSampler.mandelbrotZipf(
                        settings.guids(), StudySettings.POPULARITY_ALPHA, StudySettings.POPULARITY_Q),
                settings.guids(),
                settings.lookups());
    }

    private SelectionPolicies choices(
            ReplicaNodes places, StudyWorkload workload, LatencyModel distances, NetworkNoise weather, List<LookupMethod> methods) {
        PeerEstimates servers = new PeerEstimates(settings.seed() + 2, graph.size(), weather);
        return new SelectionPolicies(
                places, settings.replicas(), workload, distances, weather, methods, servers, settings.seed() + 3);
    }

    /** Returns the noise settings in which one assumption after the other is changed. */
    private List<NetworkNoise> weathers() {
        NetworkNoise now = settings.weather();
        return List.of(
                NetworkNoise.CALM,
                new NetworkNoise(
                        now.jitter() / 3, now.slowExchanges(), now.slowServers(), now.slowFactor(), now.down(),
                        now.timeoutMillis()),
                new NetworkNoise(
                        Math.min(3, 2 * now.jitter()), now.slowExchanges(), now.slowServers(), now.slowFactor(),
                        now.down(), now.timeoutMillis()),
                new NetworkNoise(now.jitter(), 0, 0, 1, 0, now.timeoutMillis()),
                new NetworkNoise(now.jitter(), 0.05, 0.05, now.slowFactor(), now.down(), now.timeoutMillis()),
                new NetworkNoise(
                        now.jitter(), now.slowExchanges(), now.slowServers(), now.slowFactor(), 0.05,
                        now.timeoutMillis()));
    }

    private String difference(NetworkNoise other) {
        NetworkNoise now = settings.weather();
        if (other.equals(NetworkNoise.CALM)) {
            return "no noise";
        }
        if (other.jitter() != now.jitter()) {
            return String.format(Locale.ROOT, "jitter %.1f", other.jitter());
        }
        if (other.slowExchanges() != now.slowExchanges()) {
            return other.slowExchanges() == 0 ? "no server slow or down" : "5 % slow";
        }
        return "5 % down";
    }

    private static List<Chosen> chosen(List<LookupMethod> methods, LatencyStatistics[] tallies) {
        List<Chosen> chosen = new ArrayList<>();
        for (int i = 0; i < tallies.length; i++) {
            chosen.add(new Chosen(methods.get(i), tallies[i]));
        }
        return chosen;
    }

    private static List<Chosen> above(LatencyStatistics[] all) {
        return chosen(LookupMethod.ALL, all).stream()
                .filter(each -> COMPARED.contains(each.method()))
                .toList();
    }

    private StudyResult.Input input(DeployedPlacement placement, ReplicaNodes places) {
        int fewer = 0;
        for (int i = 0; i < guids.length; i++) {
            fewer += places.count(i, settings.replicas()) < settings.replicas() ? 1 : 0;
        }
        return new StudyResult.Input(
                graph.size(),
                graph.links(),
                placement.placement().summary().prefixes(),
                placement.placement().summary().servers(),
                placement.placement().summary().announcedShare(),
                (double) fewer / guids.length);
    }

    private List<Churned> churn(StudyWorkload workload) {
        List<Experiment> experiments = new ArrayList<>();
        for (ChurnExperiment.Change change : ChurnExperiment.Change.values()) {
            for (int percent : CHURN_PERCENTS) {
                int all = ChurnExperiment.Change.values().length * CHURN_PERCENTS.length;
                progress.at("placing names by changed tables", (double) experiments.size() / all);
                experiments.add(new ChurnExperiment(
                        changed(change, percent, false), changed(change, percent, true), settings.replicas(), PAPER));
            }
        }
        List<LatencyStatistics[]> found = sweep(workload, experiments, "looking names up after changes of the table");
        List<Churned> points = new ArrayList<>();
        for (ChurnExperiment.Change change : ChurnExperiment.Change.values()) {
            for (int percent : CHURN_PERCENTS) {
                LatencyStatistics[] rows = found.get(points.size());
                points.add(new Churned(name(change), percent / 100.0, rows[0], rows[1], rows[2]));
            }
        }
        return points;
    }

    private static String name(ChurnExperiment.Change change) {
        return change == ChurnExperiment.Change.BOTH ? "withdrawn and announced" : change.name().toLowerCase(Locale.ROOT);
    }

    private ReplicaNodes changed(ChurnExperiment.Change change, int percent, boolean isAfter) {
        Prefixes table = ChurnExperiment.table(prefixes, settings.seed() + 4, change, percent / 100.0, isAfter);
        return ReplicaNodes.of(guids, DeployedPlacement.of(table, bindings, settings.replicas()), settings.replicas());
    }

    private List<StorageLoad> loads() {
        List<StorageLoad> loads = new ArrayList<>();
        int count = settings.storageGuids();
        for (int i = 0; i < STORAGE_STEPS && count > 0; i++) {
            int stored = count;
            loads.addFirst(StorageLoad.count(
                    settings.seed() + 5,
                    stored,
                    settings.replicas(),
                    prefixes,
                    bindings,
                    space,
                    settings.threads(),
                    done -> progress.at("storing " + stored + " names", done)));
            count /= STORAGE_STEP;
        }
        return loads;
    }
}
