package io.guidepost.lab.prove;

import io.guidepost.base.FaultyFile;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.placement.AsBindings;
import io.guidepost.names.Guid;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.PrefixTableFile;
import io.guidepost.server.cli.support.ProgressLine;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Several servers on the loopback addresses, one of them killed and one cut off while clients write through all: what
 * was acknowledged must be found through every one of them in the end, and nothing that was removed.
 */
final class ProveSitesCommand implements AutoCloseable {
    /** What the run is to be. */
    record Plan(int sites, long writes, long seed, String durability, NetworkPartition cut, int port) {}

    /** Something that was done, when, and after how many acknowledged writes. */
    record Event(String what, String node, double seconds, long writes) {}

    /**
     * What was found through one server in the end.
     *
     * @param through look-ups that it may pass on
     * @param own look-ups of its own copies alone; SILENT are those that it has none of
     */
    record Found(Map<AcknowledgedWrites.Verdict, Long> through, Map<AcknowledgedWrites.Verdict, Long> own) {}

    private static final int WRITERS = 4;

    /** Requests of one turn of a writer. */
    private static final int BATCH = 256;

    private static final long LOOK_NANOS = 1_000_000;
    private static final long AGREE_SECONDS_MAX = 600;

    /** Longer than anything is remembered of other servers' records. */
    private static final long FORGOTTEN_MILLIS = 1500;

    private final Plan plan;
    private final Path folder;
    private final List<ServerNode> nodes = new ArrayList<>();
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final List<AcknowledgedWrites> ledgers = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLongArray acknowledged;
    private final AtomicLongArray refused;
    private final List<Event> events = new ArrayList<>();
    private final List<Found> found = new ArrayList<>();
    private final long began = System.nanoTime();
    private double writeSeconds;
    private double agreeSeconds;

    ProveSitesCommand(Plan plan, Path prefixes, Path folder) throws IOException, FaultyFile {
        this.plan = plan;
        this.folder = folder;
        this.acknowledged = new AtomicLongArray(plan.sites);
        this.refused = new AtomicLongArray(plan.sites);
        for (int i = 1; i <= plan.sites; i++) {
            addresses.add(new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + i), plan.port));
        }
        List<String> common = settings(prefixes);
        for (int i = 0; i < plan.sites; i++) {
            nodes.add(new ServerNode("site-" + (i + 1), addresses.get(i), common, folder));
        }
    }

    private List<String> settings(Path prefixes) throws IOException, FaultyFile {
        Path bindings = folder.resolve("as-bindings.txt");
        try (BufferedWriter out = Files.newBufferedWriter(bindings, StandardCharsets.US_ASCII)) {
            AsBindings.spread(PrefixTable.of(PrefixTableFile.read(prefixes, AsNotation.PLAIN)), addresses).write(out);
        }
        Path members = folder.resolve("members.txt");
        try (BufferedWriter out = Files.newBufferedWriter(members, StandardCharsets.US_ASCII)) {
            for (int i = 0; i < plan.sites; i++) {
                out.write("site-" + (i + 1) + " " + addresses.get(i).getAddress().getHostAddress() + ":" + plan.port + "\n");
            }
        }
        return List.of(
                "workers.count=1",
                "placement.prefix-file=" + prefixes.toAbsolutePath(),
                "placement.binding-file=" + bindings,
                "placement.replicas=" + plan.sites,
                "sites.file=" + members,
                "sites.compare-millis=2000",
                "store.durability=" + plan.durability,
                "store.memory=256 MiB");
    }

    /** Does it all. */
    void run(ProgressLine progress) throws IOException {
        for (ServerNode each : nodes) {
            event("started in " + each.start() + " ms", each);
        }
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            AcknowledgedWrites ledger = new AcknowledgedWrites(i, plan.seed, null);
            ledgers.add(ledger);
            SiteWriter writer = new SiteWriter(i, BATCH, ledger, addresses, done, acknowledged, refused);
            writers.add(writing(i, writer));
        }
        long writing = System.nanoTime();
        ServerNode killed = nodes.get((int) Math.floorMod(plan.seed, (long) plan.sites));
        ServerNode cut = nodes.get((int) Math.floorMod(plan.seed + 1, (long) plan.sites));
        await(0.15, writers, progress);
        killed.kill();
        event("killed (SIGKILL)", killed);
        await(0.35, writers, progress);
        event("started again in " + killed.start() + " ms", killed);
        await(0.5, writers, progress);
        plan.cut.off(cut.pid(), cut.address().getAddress());
        event(plan.cut.text(), cut);
        await(0.75, writers, progress);
        plan.cut.heal(cut.pid(), cut.address().getAddress());
        event("healed", cut);
        long healed = System.nanoTime();
        await(1, writers, progress);
        finish(writers);
        writeSeconds = seconds(writing);
        event("all writes acknowledged", "");
        agree(progress);
        agreeSeconds = seconds(healed);
        event("no difference, no hint waits", "");
        park(FORGOTTEN_MILLIS);
        for (ServerNode each : nodes) {
            found.add(new Found(look(each, true), look(each, false)));
        }
    }

    private CompletableFuture<Void> writing(int number, SiteWriter writer) {
        return CompletableFuture.runAsync(
                () -> {
                    try (writer) {
                        writer.run(() -> done.get() < plan.writes);
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                each -> Thread.ofPlatform().daemon(true).name("guidepost-writer-" + number).start(each));
    }

    /** Waits until a share of the writes is done, or the writers have ended. */
    private void await(double share, List<CompletableFuture<Void>> writers, ProgressLine progress) throws IOException {
        long enough = (long) (share * plan.writes);
        while (done.get() < enough && writers.stream().noneMatch(CompletableFuture::isDone)) {
            progress.at((double) done.get() / plan.writes, done.get());
            LockSupport.parkNanos(LOOK_NANOS);
        }
        if (writers.stream().anyMatch(CompletableFuture::isCompletedExceptionally)) {
            finish(writers);
        }
    }

    private static void finish(List<CompletableFuture<Void>> writers) throws IOException {
        try {
            writers.forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }

    /** Waits until every server says that nothing differs and no change waits for anyone. */
    private void agree(ProgressLine progress) throws IOException {
        long since = System.nanoTime();
        long end = since + TimeUnit.SECONDS.toNanos(AGREE_SECONDS_MAX);
        for (ServerNode each : nodes) {
            while (!each.calm((System.nanoTime() - since) / 1_000_000)) {
                progress.at(1, done.get());
                if (System.nanoTime() - end > 0) {
                    event("not in line after " + AGREE_SECONDS_MAX + " s", each);
                    return;
                }
                park(100);
            }
        }
    }

    private static void park(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private Map<AcknowledgedWrites.Verdict, Long> look(ServerNode node, boolean recursive) throws IOException {
        Map<AcknowledgedWrites.Verdict, Long> verdicts = new EnumMap<>(AcknowledgedWrites.Verdict.class);
        try (GnrsClient client = GnrsClient.open(node.address(), new GnrsClientSettings(2000, 3, 64))) {
            for (AcknowledgedWrites ledger : ledgers) {
                Iterator<Guid> guids = ledger.guids().iterator();
                Iterator<GnrsRequest> requests = new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return guids.hasNext();
                    }

                    @Override
                    public GnrsRequest next() {
                        return GnrsRequest.lookup(guids.next(), recursive);
                    }
                };
                client.batch(requests, answer -> verdicts.merge(ledger.judge(answer), 1L, Long::sum));
            }
        }
        return verdicts;
    }

    private void event(String what, ServerNode node) {
        event(what, node.name());
    }

    private void event(String what, String node) {
        events.add(new Event(what, node, seconds(began), done.get()));
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** Prints what was seen; true if it is proven. */
    boolean report(PrintWriter out, boolean json) {
        ProveSitesReport report = new ProveSitesReport(
                nodes, events, found, acknowledged, refused, ledgers, writeSeconds, agreeSeconds);
        out.print(json ? report.json() : report.text());
        out.flush();
        return report.proven();
    }

    /** Ends all servers; one that is still stopped must be woken to hear of it. */
    @Override
    public void close() throws IOException {
        for (ServerNode each : nodes) {
            each.close();
        }
    }
}
