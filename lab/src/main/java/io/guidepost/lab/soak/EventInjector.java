package io.guidepost.lab.soak;

import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.lab.soak.SoakServer.Listener;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Does to the server what a {@link SoakEvent} is, and checks what must hold meanwhile and behind it. */
final class EventInjector {
    private static final String TOLD = "/health tells a trouble while it is there";
    private static final String WELL = "/health is well where there is no trouble";
    private static final String IN_FORCE = "a reload puts a changed key in force";
    private static final String NOTHING_LOST = "a reload and an upgrade lose no look-up";
    private static final String TTL = "proxidor.ttl-seconds";

    /** Above what the key takes. */
    private static final String FAULTY = "70000";

    private static final long TOLD_SECONDS_MAX = 20;
    private static final long WELL_SECONDS_MAX = 30;
    private static final long FLOOD_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long FLOOD_GAP_NANOS = 1_000_000;
    private static final int FLOOD_BURST = 20;
    private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int STEP_SECONDS_MAX = 600;

    private final SoakServer server;
    private final SoakRun run;
    private final @Nullable SmallFileSystem disk;
    private final @Nullable SteppedClock clock;
    private final BrokenPromises broken;
    private final SplittableRandom random;

    EventInjector(
            SoakServer server, SoakRun run, @Nullable SmallFileSystem disk, @Nullable SteppedClock clock, long seed,
            BrokenPromises broken) {
        this.server = server;
        this.run = run;
        this.disk = disk;
        this.clock = clock;
        this.broken = broken;
        this.random = new SplittableRandom(seed);
    }

    /**
     * What an event was.
     *
     * @param detail what there is to say of it; may be empty
     * @param outages the longest time without an answer, of each kind of request, in milliseconds
     */
    record Done(double second, SoakEvent event, String detail, List<Outage> outages) {
        /** Returns the longest of all. */
        Outage longest() {
            return outages.stream().reduce((a, b) -> a.millis >= b.millis ? a : b).orElse(new Outage("", 0));
        }
    }

    /** How long requests of a kind were not answered. */
    record Outage(String door, long millis) {}

    /** Does it, waits until the server is well again, and looks at all that was written. */
    Done inject(double second, SoakEvent event) throws IOException {
        run.doors().forEach(DoorTally::beginEvent);
        String detail = switch (event) {
            case KILL -> kill();
            case UPGRADE -> upgrade();
            case FAILED_UPGRADE -> failedUpgrade();
            case RELOAD -> reload();
            case REFUSED_RELOAD -> refusedReload();
            case FLOOD -> flood();
            case DISK_FULL -> fillDisk();
            case CLOCK_STEP -> stepClock();
        };
        if (!SoakRun.await(WELL_SECONDS_MAX, () -> troubles().isEmpty())) {
            broken.add(WELL, "behind a " + event.text() + " it tells " + troubles());
        }
        List<Outage> outages = run.doors().stream()
                .map(each -> new Outage(each.name(), each.outageMillis()))
                .toList();
        run.verify(event.text());
        return new Done(second, event, detail, outages);
    }

    /** Returns what the server tells of its troubles; that it does not answer is one. */
    private List<String> troubles() {
        try {
            return server.troubles();
        } catch (IOException e) {
            return List.of("no answer: " + e.getMessage());
        }
    }

    /** Checks that no trouble is told while there is none. */
    void checkHealth() {
        List<String> troubles = troubles();
        if (!troubles.isEmpty()) {
            broken.add(WELL, "with nothing done to it, it tells " + troubles);
        }
    }

    private void awaitTrouble(String trouble, String behind) {
        if (!SoakRun.await(TOLD_SECONDS_MAX, () -> troubles().contains(trouble))) {
            broken.add(TOLD, "behind a " + behind + " it does not tell " + trouble + " but " + troubles());
        }
    }

    private String kill() throws IOException {
        server.kill();
        run.processEnded();
        long begun = System.nanoTime();
        server.start();
        return "answers after " + (System.nanoTime() - begun) / 1_000_000 + " ms";
    }

    private String upgrade() throws IOException {
        long silent = run.looks().silences();
        String refusal = server.upgrade();
        if (!refusal.isEmpty()) {
            broken.add("an upgrade is done", refusal);
        }
        checkNothingLost(silent, "upgrade");
        return "process " + server.pid();
    }

    private void checkNothingLost(long silentBefore, String what) {
        long lost = run.looks().silences() - silentBefore;
        if (lost > 0) {
            broken.add(NOTHING_LOST, lost + " look-ups over GNRS were not answered in the " + what);
        }
    }

    private String failedUpgrade() throws IOException {
        long before = server.pid();
        String kept = Integer.toString(run.proxidor().ttlSeconds());
        server.set(TTL, FAULTY);
        if (server.upgrade().isEmpty()) {
            broken.add("a new process with a faulty configuration does not take over", "process " + server.pid() + " did");
        }
        awaitTrouble("upgrade-failed", "failed upgrade");
        server.set(TTL, kept);
        return "process " + before + " goes on; then " + upgrade();
    }

    private String reload() throws IOException {
        long silent = run.looks().silences();
        int seconds = 60 + random.nextInt(1000);
        server.set(TTL, Integer.toString(seconds));
        server.hangUp();
        if (!SoakRun.await(TOLD_SECONDS_MAX, () -> run.proxidor().ttlSeconds() == seconds)) {
            broken.add(IN_FORCE, TTL + " is " + seconds + ", and answers say " + run.proxidor().ttlSeconds());
        }
        checkNothingLost(silent, "reload");
        return TTL + " = " + seconds;
    }

    private String refusedReload() throws IOException {
        server.set(TTL, FAULTY);
        server.hangUp();
        awaitTrouble("reload-refused", "refused reload");
        return reload();
    }

    /** Look-ups of one network, faster than its share. */
    private String flood() throws IOException {
        InetSocketAddress from = new InetSocketAddress(InetAddress.ofLiteral("127.9.9." + (1 + random.nextInt(250))), 0);
        InetSocketAddress to = server.address(Listener.GNRS);
        long sent = 0;
        try (DatagramSocket socket = new DatagramSocket(from)) {
            Locator origin = Locator.of((InetSocketAddress) socket.getLocalSocketAddress());
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < FLOOD_NANOS) {
                for (int i = 0; i < FLOOD_BURST; i++) {
                    byte[] look = new GnrsMessage.Lookup((int) sent++, origin, Guid.ofAscii("flood"), List.of()).write();
                    socket.send(new DatagramPacket(look, look.length, to));
                }
                LockSupport.parkNanos(FLOOD_GAP_NANOS);
            }
        }
        return sent + " datagrams of " + from.getAddress().getHostAddress();
    }

    private String fillDisk() throws IOException {
        if (disk == null) {
            throw new IllegalStateException("a full disk was planned without one");
        }
        disk.fill();
        awaitTrouble("failing", "full disk");
        LockSupport.parkNanos(HELD_NANOS);
        disk.makeRoom();
        return "";
    }

    private String stepClock() throws IOException {
        if (clock == null) {
            throw new IllegalStateException("a step of the clock was planned without one");
        }
        long step = random.nextInt(-STEP_SECONDS_MAX, STEP_SECONDS_MAX) - clock.seconds();
        run.lease().excuse();
        clock.step(step);
        LockSupport.parkNanos(HELD_NANOS);
        return (step < 0 ? "" : "+") + step + " s";
    }
}
