package io.guidepost.lab.simulation;

import io.guidepost.base.Malformed;
import io.guidepost.lab.events.EventScheduler;
import io.guidepost.names.Binding;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.PlaceAttributes;
import io.guidepost.naming.NameDirectory;
import io.guidepost.naming.NameSettings;
import io.guidepost.naming.SiteGateway;
import io.guidepost.naming.WriterTokens;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One server whose names are watched, over kills and hand-over, out of a seed: writers change names of three prefixes, and watchers
 * come, read some events, leave in the middle and go on from the last that they had. The directory of names and its streams are the
 * real ones; disk and clock are not.
 *
 * <p>In the end each watcher must have seen every change of its prefix that is on the disk since its last snapshot, in their order, and
 * know what the store has. Every change that was acknowledged is on the disk.
 */
public final class WatchRun {
    /** What is wrong on purpose. */
    interface Defects {
        Defects NONE = new Defects() {};

        /** Returns what hears of changes while the server runs. */
        default RecordStore.Observer observer(RecordStore.Observer real) {
            return real;
        }

        /** Returns the changes that a server finds of before its start. */
        default List<RecordStore.ChangeEvent> before(List<RecordStore.ChangeEvent> real) {
            return real;
        }
    }

    private static final long EPOCH_MILLIS = 1_800_000_000_000L;
    private static final int STEPS = 400;
    private static final int WATCHERS = 4;

    /** Few bytes of history in some runs, so that watchers must begin again. */
    private static final long TIGHT_BYTES = 1024;

    private static final List<String> PREFIXES = List.of("", "orders.", "orders.a-long-name-of-a-service.", "web");
    private static final List<String> NAMES = Stream.of("orders.", "orders.a-long-name-of-a-service.", "web", "other-")
            .flatMap(prefix -> Stream.of("one", "two", "three").map(prefix::concat))
            .toList();

    private final long seed;
    private final Defects defects;
    private final EventScheduler world;
    private final SplittableRandom random;
    private final SimulatedStore store;
    private final long historyBytes;
    private final List<SimulatedWatcher> watchers = new ArrayList<>();
    private final Set<String> acknowledged = new HashSet<>();
    private NameDirectory names;
    private int port;
    private int kills;
    private int handovers;

    private WatchRun(long seed, Defects defects) throws IOException {
        this.seed = seed;
        this.defects = defects;
        this.world = new EventScheduler(seed);
        this.random = world.random();
        this.store = new SimulatedStore(world, world.random(), this::wallMillis, new InjectedDefects());
        this.historyBytes = random.nextInt(4) == 0 ? TIGHT_BYTES : 1 << 20;
        for (int i = 0; i < WATCHERS; i++) {
            watchers.add(new SimulatedWatcher(PREFIXES.get(i)));
        }
        this.names = start();
    }

    /**
     * The outcome of a seed.
     *
     * @param changes on the disk
     * @param acknowledged writes
     * @param seen events that watchers took
     * @param resets times that a watcher had to begin again
     * @param kills of the server
     * @param handovers to another process
     * @param breaches broken promises; empty if there are none
     */
    public record Outcome(long changes, int acknowledged, int seen, int resets, int kills, int handovers, List<String> breaches) {}

    /** Plays a seed. */
    public static Outcome play(long seed) {
        return play(seed, Defects.NONE);
    }

    static Outcome play(long seed, Defects defects) {
        try {
            return new WatchRun(seed, defects).play();
        } catch (IOException | Malformed e) {
            throw new Violation("seed " + seed, e);
        }
    }

    private long wallMillis() {
        return EPOCH_MILLIS + world.millis();
    }

    /** Starts a process on the disk as it is. */
    private NameDirectory start() throws IOException {
        NameDirectory started = new NameDirectory(
                new NameSettings(List.of(), List.of(), WriterTokens.NONE, false), historyBytes, world::nanos);
        StoreOptions options = started.store(StoreOptions.inMemory());
        RecordStore.Observer observer = options.observer();
        RecordStore.Derivation derivation = options.derivation();
        if (observer == null || derivation == null) {
            throw new IllegalStateException("a directory of names hears of changes");
        }
        store.open(defects.observer(observer), derivation);
        store.before(defects::before);
        started.open(store, SiteGateway.ALONE, () -> Ranking.EMPTY, () -> Instant.ofEpochMilli(wallMillis()), random.split());
        started.begin(store.status().sequence());
        return started;
    }

    private Outcome play() throws IOException, Malformed {
        for (int i = 0; i < STEPS; i++) {
            step(random.nextInt(100));
        }
        idle();
        names.turn();
        for (SimulatedWatcher each : watchers) {
            each.read(names, store.sequence(), Integer.MAX_VALUE);
        }
        List<String> breaches = new ArrayList<>();
        for (SimulatedWatcher each : watchers) {
            check(each, breaches);
        }
        Set<String> durable = new HashSet<>();
        store.feed().forEach(each -> durable.add(written(each)));
        acknowledged.stream()
                .filter(each -> !durable.contains(each))
                .forEach(each -> breaches.add(told("acknowledged, and lost: " + each)));
        return new Outcome(
                store.sequence(),
                acknowledged.size(),
                watchers.stream().mapToInt(SimulatedWatcher::taken).sum(),
                watchers.stream().mapToInt(SimulatedWatcher::resets).sum(),
                kills,
                handovers,
                breaches);
    }

    private void step(int drawn) throws IOException, Malformed {
        if (drawn < 45) {
            write(NAMES.get(random.nextInt(NAMES.size())));
        } else if (drawn < 65) {
            world.playMillis(random.nextInt(6));
        } else if (drawn < 80) {
            names.turn();
        } else if (drawn < 97) {
            watchers.get(random.nextInt(WATCHERS)).read(names, store.sequence(), random.nextInt(12));
        } else if (drawn < 99) {
            kills++;
            store.crash();
            names = start();
        } else {
            handovers++;
            idle();
            names = start();
        }
    }

    private void idle() {
        while (!store.isIdle()) {
            world.playMillis(1);
        }
    }

    private void write(String text) throws Malformed {
        NameForm name = NameForm.parse(text);
        boolean removes = random.nextInt(4) == 0;
        List<Binding> places = List.of(Binding.of(SimulatedClient.place(++port)));
        byte[] key = Name.of(name.guid()).key();
        store.submit(
                key,
                (_, current, version, _) -> removes
                        ? current == null ? RecordStore.Change.KEEP : RecordStore.Change.DELETE
                        : RecordImage.write(key, version, places, List.of(PlaceAttributes.text(text))),
                (outcome, version) -> {
                    if (outcome == RecordStore.Outcome.DONE && !removes) {
                        acknowledged.add(Arrays.hashCode(key) + "@" + version);
                    }
                });
    }

    private static String written(RecordStore.ChangeEvent change) {
        byte[] image = change.image();
        return Arrays.hashCode(change.key()) + "@" + (image == null ? 0 : RecordImage.version(MemorySegment.ofArray(image), 0));
    }

    /** Returns the name that a change tells watchers of: its record got places, or its entry is gone; null for other changes. */
    private static @Nullable String subject(RecordStore.ChangeEvent change) throws Malformed {
        byte[] key = change.key();
        if (key[0] == Name.Namespace.NAME_TEXT.code() && change.image() == null) {
            return new String(key, 1, key.length - 1, java.nio.charset.StandardCharsets.UTF_8);
        }
        for (String each : NAMES) {
            if (change.image() != null && Arrays.equals(key, Name.of(NameForm.parse(each).guid()).key())) {
                return each;
            }
        }
        return null;
    }

    private void check(SimulatedWatcher watcher, List<String> breaches) throws Malformed {
        Set<String> there = new HashSet<>();
        List<Long> due = new ArrayList<>();
        for (RecordStore.ChangeEvent each : store.feed()) {
            String name = subject(each);
            if (name == null || !name.startsWith(watcher.prefix())) {
                continue;
            }
            if (each.image() == null) {
                there.remove(name);
            } else {
                there.add(name);
            }
            if (each.sequence() > watcher.floor()) {
                due.add(each.sequence());
            }
        }
        List<Long> seen = watcher.seen().stream().filter(each -> each > watcher.floor()).distinct().toList();
        if (!seen.equals(due)) {
            breaches.add(told("a watcher of '" + watcher.prefix() + "' saw " + seen + " of " + due));
        }
        if (!watcher.known().equals(there)) {
            breaches.add(told("a watcher of '" + watcher.prefix() + "' knows " + watcher.known() + ", and there are " + there));
        }
    }

    private String told(String what) {
        return "seed " + seed + ": " + what;
    }
}
