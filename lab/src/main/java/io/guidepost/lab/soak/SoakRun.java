package io.guidepost.lab.soak;

import io.guidepost.client.GuidepostException;
import io.guidepost.client.NameClient;
import io.guidepost.client.NameWatcher;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.lab.soak.SoakServer.Listener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The clients of all doors of a server, what they wrote, and what they must find. */
final class SoakRun implements AutoCloseable {
    static final String ANSWERS = "every door answers behind an event";

    /** Names of each kind: few enough to be looked at all, through each door, behind each event. */
    private static final int NAMES_MAX = 200;

    private static final long ANSWER_SECONDS_MAX = 20;
    private static final long TOLD_SECONDS_MAX = 20;
    private static final long LOOK_NANOS = 20_000_000;

    /** Requests a second that say little of how long nothing was answered. */
    private static final double SELDOM = 1;

    private static final String PREFIX = "soak-";

    private final SoakServer server;
    private final BrokenPromises broken;
    private final WriteLedger names;
    private final WriteLedger handles;
    private final List<DoorTally> tallies = new ArrayList<>();
    private final List<DoorTally> doors = new ArrayList<>();
    private final List<SteadyClient> clients = new ArrayList<>();
    private final List<AutoCloseable> closed = new ArrayList<>();

    /** What looks behind an event, by the name of the door. */
    private final Map<String, LedgerAccess> ofNames = new LinkedHashMap<>();

    private final Map<String, LedgerAccess> ofHandles = new LinkedHashMap<>();
    private final List<WatchCheck> watches = new ArrayList<>();
    private final NearnessCheck proxidor;
    private final LeaseCheck lease;
    private final DoorTally looks;
    private volatile boolean ending;

    /**
     * Starts clients of a server that runs.
     *
     * @param perSecond requests of all together
     */
    SoakRun(SoakServer server, double perSecond, long seed, BrokenPromises broken) throws IOException {
        this.server = server;
        this.broken = broken;
        int count = (int) Math.min(NAMES_MAX, perSecond);
        names = new WriteLedger(IntStream.range(0, count).mapToObj(each -> PREFIX + each).toList(), false, broken);
        handles = new WriteLedger(IntStream.range(0, count).mapToObj(each -> "1234/SOAK-" + each).toList(), true, broken);
        ofNames.put("GNRS", keep(gnrs()));
        ofNames.put("names over HTTP", keep(http()));
        ofNames.put("DNS", keep(dns()));
        ofHandles.put("Handle over UDP", keep(handle(SiteInterface.Transport.UDP)));
        ofHandles.put("Handle over TCP", keep(handle(SiteInterface.Transport.TCP)));
        ofHandles.put("Handle over HTTP", keep(handle(SiteInterface.Transport.HTTP)));
        ofHandles.put("handles by name over HTTP", keep(http()));
        proxidor = keep(NearnessCheck.overProxidor(server.address(Listener.PROXIDOR), broken));
        NearnessCheck alto = keep(NearnessCheck.overAlto(server.address(Listener.ALTO), broken));
        lease = keep(new LeaseCheck(server.address(Listener.NAMES), broken));
        SplittableRandom random = new SplittableRandom(seed);
        looks = looking("GNRS look-up", 0.30 * perSecond, names, gnrs(), random.split());
        looking("names over HTTP, read", 0.10 * perSecond, names, http(), random.split());
        looking("DNS query", 0.08 * perSecond, names, dns(), random.split());
        looking("Handle over UDP, resolution", 0.10 * perSecond, handles, handle(SiteInterface.Transport.UDP), random.split());
        looking("Handle over TCP, resolution", 0.06 * perSecond, handles, handle(SiteInterface.Transport.TCP), random.split());
        looking("Handle over HTTP, resolution", 0.04 * perSecond, handles, handle(SiteInterface.Transport.HTTP), random.split());
        writing("GNRS write", 0.10 * perSecond, names, gnrs(), random.split());
        writing("names over HTTP, write", 0.06 * perSecond, names, http(), random.split());
        writing("Handle over TCP, change", 0.04 * perSecond, handles, handle(SiteInterface.Transport.TCP), random.split());
        writing("Handle over HTTP, change", 0.02 * perSecond, handles, handle(SiteInterface.Transport.HTTP), random.split());
        begin("Proxidor", 0.06 * perSecond, proxidor);
        begin("ALTO", 0.04 * perSecond, alto);
        begin("lease", SELDOM, lease);
        begin("admin, /health", SELDOM, server::troubles);
        watch();
        watch();
    }

    private <T extends AutoCloseable> T keep(T closeable) {
        closed.addFirst(closeable);
        return closeable;
    }

    private LedgerAccess gnrs() throws IOException {
        return new GnrsAccess(server.address(Listener.GNRS));
    }

    private LedgerAccess http() throws IOException {
        return new HttpNamesAccess(server.address(Listener.NAMES));
    }

    private LedgerAccess dns() throws IOException {
        return new DnsAccess(server.address(Listener.DNS));
    }

    private LedgerAccess handle(SiteInterface.Transport transport) throws IOException {
        return new HandleAccess(transport, server.address(switch (transport) {
            case UDP -> Listener.HANDLE_UDP;
            case TCP -> Listener.HANDLE_TCP;
            default -> Listener.HANDLE_HTTP;
        }));
    }

    private DoorTally looking(String door, double perSecond, WriteLedger ledger, LedgerAccess access, SplittableRandom random) {
        keep(access);
        return begin(door, perSecond, () -> access.look(ledger, random, door));
    }

    private void writing(String door, double perSecond, WriteLedger ledger, LedgerAccess access, SplittableRandom random) {
        keep(access);
        begin(door, perSecond, () -> access.write(ledger, random));
    }

    private DoorTally begin(String door, double perSecond, SteadyClient.Request request) {
        DoorTally tally = new DoorTally(door);
        tallies.add(tally);
        if (perSecond != SELDOM) {
            doors.add(tally);
        }
        clients.add(SteadyClient.start(tally, perSecond, broken, request));
        return tally;
    }

    private void watch() throws IOException {
        NameClient client = keep(HttpNamesAccess.open(server.address(Listener.NAMES)));
        NameWatcher watcher = keep(client.watch(PREFIX));
        WatchCheck check = new WatchCheck(names, broken);
        watches.add(check);
        Thread.ofPlatform().daemon(true).name("guidepost-soak-watch").start(() -> {
            try {
                while (!ending) {
                    check.take(watcher.next());
                }
            } catch (GuidepostException refused) {
                if (!ending) {
                    broken.add(WatchCheck.ORDER, "a watch is refused: " + refused.getMessage());
                }
            }
        });
    }

    List<DoorTally> tallies() {
        return tallies;
    }

    /** Returns those of them that are asked all the time. */
    List<DoorTally> doors() {
        return doors;
    }

    List<WatchCheck> watches() {
        return watches;
    }

    NearnessCheck proxidor() {
        return proxidor;
    }

    LeaseCheck lease() {
        return lease;
    }

    /** Returns what became of look-ups over GNRS. */
    DoorTally looks() {
        return looks;
    }

    long answered() {
        return tallies.stream().mapToLong(DoorTally::answered).sum();
    }

    /** Returns how many names it does not know the state of. */
    long doubtful() {
        return names.doubtful() + handles.doubtful();
    }

    /** The server's process has ended, by force. */
    void processEnded() {
        names.processEnded();
        handles.processEnded();
    }

    /** Looks at all names through all doors, and whether watchers were told of them. */
    void verify(String behind) {
        verify(behind, names, ofNames);
        verify(behind, handles, ofHandles);
        for (WatchCheck each : watches) {
            List<String> waiting = new ArrayList<>(each.behind());
            // A name that is being written is behind for a moment, again and again.
            boolean told = await(TOLD_SECONDS_MAX, () -> {
                waiting.retainAll(each.behind());
                return waiting.isEmpty();
            });
            if (!told) {
                broken.add(WatchCheck.ORDER, "behind a " + behind + " a watch is not told of " + waiting.size() + " names, such as "
                        + waiting.getFirst());
            }
        }
    }

    private void verify(String behind, WriteLedger ledger, Map<String, LedgerAccess> doors) {
        doors.forEach((door, access) -> {
            for (String name : ledger.names()) {
                WriteLedger.Look look = ledger.look(name);
                Optional<String> found = readSoon(access, name);
                if (found.isEmpty()) {
                    broken.add(ANSWERS, door + " does not answer within " + ANSWER_SECONDS_MAX + " s behind a " + behind);
                    return;
                }
                ledger.judge(look, door, found.get());
                ledger.settle(look, found.get());
            }
        });
    }

    /** Reads a name, again where it is not answered; empty if it is not answered in time. */
    private static Optional<String> readSoon(LedgerAccess access, String name) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS_MAX);
        do {
            try {
                return Optional.of(access.read(name));
            } catch (IOException notYet) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        } while (System.nanoTime() - end < 0);
        return Optional.empty();
    }

    /** Waits until something is so; false if it is not so in time. */
    static boolean await(long seconds, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return true;
    }

    /** Ends the load, and leaves what looks. */
    void rest() {
        clients.forEach(SteadyClient::close);
        clients.clear();
    }

    @Override
    public void close() {
        ending = true;
        rest();
        for (AutoCloseable each : closed) {
            try {
                each.close();
            } catch (Exception e) {
                // Its sockets are of no more use either way.
            }
        }
    }
}
