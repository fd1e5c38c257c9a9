package io.guidepost.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.NameForm;
import io.guidepost.names.NamedValues;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import io.guidepost.store.RecordStore.Outcome;
import io.guidepost.store.StoreOptions;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Texts of names in their order, whichever front end wrote the names. */
final class NameTextsTest {
    private static final long NOW = 1_800_000_000_000L;

    private final ClusterModel cluster = new ClusterModel(7);
    private final AtomicLong now = new AtomicLong(NOW);

    private FleetStore open() {
        StoreOptions options =
                StoreOptions.inMemory().withIndexBytesMax(16 << 20).withClock(() -> Instant.ofEpochMilli(now.get()));
        return FleetStore.of(cluster.frontEnd(), FleetContractTest.settings(0), options, System::nanoTime, CacheInvalidations.NONE);
    }

    private static void write(RecordStore store, NameForm name, Optional<String> text, boolean append, Binding... places) {
        byte[] key = Name.of(name.guid()).key();
        byte[] image = RecordImage.write(key, 0, List.of(places), NamedValues.of(text, List.of(places), Map.of()));
        CompletableFuture<Outcome> told = new CompletableFuture<>();
        assertThat(store.submit(key, new PlacesStoreTest.Asked(image, append), (outcome, _) -> told.complete(outcome))).isTrue();
        assertThat(told.join()).isNotEqualTo(Outcome.FAILED);
    }

    private static void put(RecordStore store, String text) throws Exception {
        NameForm name = NameForm.parse(text);
        Optional<String> kept = NameForm.word(name.guid()).isPresent() ? Optional.empty() : name.text();
        write(store, name, kept, true, place(0));
    }

    private static void delete(RecordStore store, String text) throws Exception {
        write(store, NameForm.parse(text), Optional.empty(), false);
    }

    private static Binding place(long expiryMillis) {
        return new Binding(Locator.of(new InetSocketAddress("192.0.2.1", 7000)), 0, expiryMillis);
    }

    private static List<String> texts(RecordStore store, String prefix, String after, int most) throws Exception {
        List<String> found = new ArrayList<>();
        store.scan(Name.textKey(prefix), after.isEmpty() ? null : Name.textKey(after), entry -> {
            byte[] each = entry.name().key();
            found.add(Name.text(each));
            return found.size() < most;
        });
        return found;
    }

    @Test
    void aNameIsListedWhileItHasPlaces() throws Exception {
        String hashed = "orders.prod.eu-west-1.example";
        try (FleetStore one = open(); FleetStore other = open()) {
            put(one, "orders.word");
            put(other, hashed);
            put(one, "café");
            assertThat(texts(one, "", "", 9)).containsExactly("café", hashed, "orders.word");
            assertThat(texts(other, "orders.", "", 9)).containsExactly(hashed, "orders.word");
            assertThat(texts(other, "orders.", hashed, 9)).containsExactly("orders.word");
            delete(one, hashed);
            delete(other, "orders.word");
            assertThat(texts(one, "orders.", "", 9)).isEmpty();
            byte[] key = Name.textKey(hashed);
            assertThat(cluster.frontEnd().listed(KeyLists.bucket(key), key, 1)).as("taken from the list").isEmpty();
            put(other, hashed);
            write(one, NameForm.parse(hashed), Optional.empty(), true, place(NOW + 1000));
            assertThat(texts(one, "o", "", 9)).containsExactly(hashed);
            now.addAndGet(1000);
            assertThat(texts(one, "o", "", 9)).as("its place has ended").isEmpty();
        }
    }

    @Test
    void aTextThatIsNotThatOfItsGuidIsNotListed() throws Exception {
        try (FleetStore store = open()) {
            NameForm name = NameForm.parse("a name of some words");
            write(store, name, Optional.of("a name of other words"), true, place(0));
            write(store, NameForm.parse("a third name, untold"), Optional.empty(), true, place(0));
            assertThat(texts(store, "", "", 9)).isEmpty();
        }
    }

    /** Names of both kinds and GUIDs of none, of many pages, read from any text on. */
    @Test
    void pagesFollowEachOther() throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Set<String> all = new HashSet<>();
        try (FleetStore store = open()) {
            for (int i = 0; i < 1200; i++) {
                // Words of at most 20 characters stand between longer texts, which are hashed.
                String letter = Character.toString('a' + random.nextInt(26));
                String text = (random.nextBoolean() ? "orders." : "é.") + letter.repeat(random.nextInt(30)) + random.nextInt(1000);
                if (random.nextInt(5) == 0 && all.remove(text)) {
                    delete(store, text);
                } else {
                    put(store, text);
                    all.add(text);
                }
            }
            for (String prefix : List.of("", "orders.", "orders.xxxxxxxxxxxxxxx", "é.x", "z")) {
                List<String> wanted = all.stream().filter(each -> each.startsWith(prefix))
                        .sorted((a, b) -> Arrays.compareUnsigned(Name.textKey(a), Name.textKey(b)))
                        .toList();
                assertThat(texts(store, prefix, "", Integer.MAX_VALUE)).as("seed %d: %s", seed, prefix).isEqualTo(wanted);
                for (int i = 0; i < 20 && !wanted.isEmpty(); i++) {
                    int at = random.nextInt(wanted.size());
                    int most = random.nextInt(1, 400);
                    assertThat(texts(store, prefix, wanted.get(at), most)).as("seed %d: %s from %d", seed, prefix, at)
                            .isEqualTo(wanted.subList(at + 1, Math.min(wanted.size(), at + 1 + most)));
                }
            }
        }
    }
}
