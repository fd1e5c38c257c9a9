package io.guidepost.gnrs;

import static io.guidepost.gnrs.GnrsDoorStand.LOOPBACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.gnrs.wire.GnrsMessage.Code;
import io.guidepost.gnrs.wire.GnrsOption;
import io.guidepost.gnrs.wire.GnrsOptionType;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random writes, look-ups and steps of the clock, against a model that is a map and says the semantics plainly. */
class GnrsModelTest {
    private static final int NAMES = 12;
    private static final int STEPS = 20_000;
    private static final int BINDINGS_MAX = 20;

    private final Map<Guid, Map<Locator, Binding>> model = new HashMap<>();
    private long now = 1_700_000_000_000L;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theDoorDoesWhatTheModelSays(long seed) {
        run(new GnrsDoorStand(settings()), seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void withTheRealStoreToo(long seed) throws IOException {
        StoreOptions options = StoreOptions.inMemory()
                .withStepped(true)
                .withClock(() -> Instant.ofEpochMilli(now))
                .withRandom(new SplittableRandom(seed)::nextLong);
        try (EmbeddedStore store = EmbeddedStore.open(options)) {
            run(new GnrsDoorStand(settings(), store, () -> commit(store)), seed);
        }
    }

    private static void commit(EmbeddedStore store) {
        for (int moved = store.work(); moved > 0; ) {
            moved = store.work();
        }
    }

    private static GnrsSettings settings() {
        GnrsSettings d = GnrsDoorStand.open();
        return new GnrsSettings(BINDINGS_MAX, d.answerBytesMax(), 3, d.trusted(), d.writers(), 0, 0, 0, 0, 64, 64, d.advertised());
    }

    private void run(GnrsDoorStand stand, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        now = stand.now;
        for (int step = 0; step < STEPS; step++) {
            String where = "seed " + seed + ", step " + step;
            Guid guid = name(random.nextInt(NAMES));
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    List<Binding> bindings = bindings(random, 4);
                    GnrsMessage answer =
                            stand.one(LOOPBACK, GnrsMessage.Insert.of(step, GnrsMessage.noOrigin(), guid, bindings));
                    assertThat(((GnrsMessage.Response) answer).code()).as(where).isEqualTo(insert(guid, bindings));
                }
                case 2 -> {
                    List<Binding> bindings = bindings(random, 22);
                    GnrsMessage answer =
                            stand.one(LOOPBACK, GnrsMessage.Update.of(step, GnrsMessage.noOrigin(), guid, bindings));
                    assertThat(((GnrsMessage.Response) answer).code()).as(where).isEqualTo(update(guid, bindings));
                }
                case 3 -> {
                    now += random.nextInt(3000);
                    stand.now = now;
                }
                case 4 -> stand.store.cold = random.nextInt(4) == 0;
                default -> {
                    boolean follow = random.nextBoolean();
                    GnrsMessage.LookupResponse answer = (GnrsMessage.LookupResponse) stand.one(
                            LOOPBACK,
                            new GnrsMessage.Lookup(
                                    step,
                                    GnrsMessage.noOrigin(),
                                    guid,
                                    List.of(GnrsOption.accept(60_000), GnrsOption.recursion(follow))));
                    List<Binding> expected = follow ? followed(guid) : held(guid);
                    check(answer, expected, where + ", " + guid + (follow ? " followed" : ""));
                }
            }
        }
    }

    private static void check(GnrsMessage.LookupResponse answer, List<Binding> expected, String where) {
        assertThat(answer.code()).as(where).isEqualTo(Code.SUCCESS);
        if (expected.size() <= 15) {
            assertThat(answer.bindings()).as(where).isEqualTo(expected);
            assertThat(answer.total()).as(where).isEmpty();
        } else {
            assertThat(answer.locators())
                    .as(where)
                    .isEqualTo(expected.stream().map(Binding::locator).toList());
            assertThat(answer.option(GnrsOptionType.TTL)).as(where).isEmpty();
        }
    }

    private Code insert(Guid guid, List<Binding> bindings) {
        Map<Locator, Binding> next = new LinkedHashMap<>();
        live(guid).forEach(each -> next.put(each.locator(), each));
        int before = next.size();
        Map<Locator, Binding> last = new LinkedHashMap<>();
        bindings.forEach(each -> last.put(each.locator(), each));
        next.replaceAll((locator, each) -> last.getOrDefault(locator, each));
        next.values().removeIf(each -> each.expired(now));
        return put(guid, bindings, List.copyOf(last.values()), next, Math.max(before, BINDINGS_MAX));
    }

    private Code update(Guid guid, List<Binding> bindings) {
        return put(guid, bindings, bindings, new LinkedHashMap<>(), BINDINGS_MAX);
    }

    private Code put(Guid guid, List<Binding> asked, List<Binding> bindings, Map<Locator, Binding> next, int most) {
        if (asked.size() > BINDINGS_MAX) {
            return Code.FAILED;
        }
        for (Binding each : bindings) {
            if (!each.expired(now)) {
                next.put(each.locator(), each);
            }
        }
        if (next.size() > most) {
            return Code.FAILED;
        }
        model.put(guid, next);
        return Code.SUCCESS;
    }

    private List<Binding> live(Guid guid) {
        return model.getOrDefault(guid, Map.of()).values().stream()
                .filter(each -> !each.expired(now))
                .toList();
    }

    private List<Binding> held(Guid guid) {
        return live(guid).stream().map(this::clamped).toList();
    }

    private Binding clamped(Binding binding) {
        long ttl = binding.expiryMillis() == 0
                ? binding.ttlMillis()
                : Math.min(binding.ttlMillis(), binding.expiryMillis() - now);
        return new Binding(binding.locator(), ttl, binding.expiryMillis());
    }

    /** A name to visit: the link that led to it, with the least times on the way, and the names on the way. */
    private record Visit(Guid guid, Binding link, List<Guid> way) {}

    private List<Binding> followed(Guid root) {
        Map<Locator, Binding> found = new LinkedHashMap<>();
        Set<Guid> seen = new HashSet<>(Set.of(root));
        Queue<Visit> visits = new ArrayDeque<>();
        visits.add(new Visit(root, Binding.of(Locator.of(root)), List.of(root)));
        while (!visits.isEmpty()) {
            Visit visit = visits.remove();
            List<Binding> bindings = live(visit.guid);
            if (bindings.isEmpty() && visit.way.size() > 1) {
                found.putIfAbsent(visit.link.locator(), clamped(visit.link));
            }
            for (Binding each : bindings) {
                Binding least = new Binding(
                        each.locator(),
                        least(visit.link.ttlMillis(), each.ttlMillis()),
                        least(visit.link.expiryMillis(), each.expiryMillis()));
                boolean link = each.locator().type() == 1 && each.locator().data().length == Guid.BYTES;
                Guid to = link ? Guid.of(each.locator().data()) : root;
                if (!link || visit.way.contains(to)) {
                    found.putIfAbsent(each.locator(), clamped(least));
                } else if (seen.add(to)) {
                    List<Guid> way = new ArrayList<>(visit.way);
                    way.add(to);
                    visits.add(new Visit(to, least, way));
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static long least(long one, long other) {
        return one == 0 ? other : other == 0 ? one : Math.min(one, other);
    }

    private static Guid name(int number) {
        return new Guid(7, 8, number);
    }

    private List<Binding> bindings(SplittableRandom random, int most) {
        List<Binding> bindings = new ArrayList<>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            int place = random.nextInt(30);
            Locator locator = place < 6
                    ? Locator.of(name(random.nextInt(NAMES)))
                    : place < 10
                            ? GnrsDoorTest.place("2001:db8::" + place, place)
                            : GnrsDoorTest.place("10.0.0." + place, place);
            long ttl = random.nextBoolean() ? 0 : random.nextInt(10_000);
            long expiry = random.nextInt(3) == 0 ? 0 : now + random.nextInt(20_000) - 1000;
            bindings.add(new Binding(locator, ttl, expiry));
        }
        return bindings;
    }
}
