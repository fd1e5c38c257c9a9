package io.guidepost.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watchers see every change, in its name's order, and begin again where they cannot. */
final class NameWatchTest {
    @TempDir
    private Path folder;

    private static String put(LocalApi api, String name, int port) throws IOException {
        LocalApi.Answer answer = api.call("PUT", "/v1/names/" + name, "{\"places\":[{\"place\":\"192.0.2.1:" + port + "\"}]}");
        assertThat(answer.status()).as(answer.body()).isLessThan(300);
        return answer.tag();
    }

    private static int port(Watcher.Event event) {
        return event.type().equals("delete") ? 0 : Integer.parseInt(event.data().replaceAll(".*192[.]0[.]2[.]1:([0-9]+)\".*", "$1"));
    }

    private static String name(Watcher.Event event) {
        return event.data().replaceAll(".*\"name\":\"([^\"]*)\".*", "$1");
    }

    @Test
    void aWatcherSeesItsPrefixAndNothingElse() throws Exception {
        try (LocalApi api = LocalApi.inMemory()) {
            put(api, "orders.a", 1);
            put(api, "payments.a", 1);
            try (Watcher orders = api.watch("&prefix=orders."); Watcher all = api.watch("")) {
                assertThat(orders.upTo("ready")).hasSize(2);
                assertThat(all.upTo("ready")).hasSize(3);
                put(api, "payments.b", 2);
                put(api, "orders.b", 3);
                api.call("DELETE", "/v1/names/orders.a", "");
                assertThat(List.of(orders.next(), orders.next())).extracting(each -> each.type() + name(each))
                        .containsExactly("putorders.b", "deleteorders.a");
                // What was written just before the snapshot may be told once more, as it is now.
                Watcher.Event first = all.next();
                first = name(first).equals("payments.a") ? all.next() : first;
                assertThat(List.of(first, all.next(), all.next())).extracting(NameWatchTest::name)
                        .containsExactly("payments.b", "orders.b", "orders.a");
            }
        }
    }

    @Test
    void whatOtherDoorsWriteIsSeenToo() throws Exception {
        try (LocalApi api = LocalApi.inMemory(); Watcher watcher = api.watch("")) {
            watcher.upTo("ready");
            api.store.put(
                    new io.guidepost.names.Record(
                            Name.of(Guid.ofAscii("printer")),
                            0,
                            List.of(io.guidepost.names.Binding.of(io.guidepost.names.Locator.parse("192.0.2.1:9"))),
                            List.of()),
                    0);
            assertThat(name(watcher.next())).isEqualTo("printer");
            assertThat(api.call("GET", "/v1/names?prefix=pri", "").body()).contains("\"printer\"");
            api.store.delete(Name.of(Guid.ofAscii("printer")));
            assertThat(watcher.next().type()).isEqualTo("delete");
        }
    }

    @Test
    void aWatcherThatIsTooSlowBeginsAgain() throws Exception {
        try (LocalApi api = new LocalApi(StoreOptions.inMemory(), 64 << 10, WriterTokens.NONE); Watcher watcher = api.watch("")) {
            watcher.upTo("ready");
            watcher.stall();
            for (int i = 1; i <= 500; i++) {
                put(api, "name-" + i % 7, i);
            }
            assertThat(api.service.historyBytes()).isLessThanOrEqualTo(64 << 10);
            watcher.go();
            List<Watcher.Event> events = watcher.upTo("reset");
            assertThat(events.getLast().data()).contains("too slow");
            List<Watcher.Event> snapshot = watcher.upTo("ready");
            assertThat(snapshot).hasSize(8);
            assertThat(snapshot.subList(0, 7)).allMatch(each -> port(each) > 500 - 7);
            put(api, "name-1", 501);
            Watcher.Event event = watcher.next();
            // What changed while the snapshot was read may be told once more, as it is now.
            while (port(event) != 501) {
                assertThat(port(event)).isGreaterThan(500 - 7);
                event = watcher.next();
            }
            assertThat(api.service.counts().get(NamingCount.RESETS_SLOW)).isEqualTo(1);
        }
    }

    @Test
    void aPositionOfAnotherHistoryIsRefused() throws Exception {
        try (LocalApi api = LocalApi.inMemory()) {
            put(api, "a", 1);
            put(api, "a", 2);
            String position = api.call("GET", "/v1/names", "").text("position");
            String other = position.replaceAll("-.*", "-1234");
            try (Watcher here = api.watch("&since=" + position); Watcher elsewhere = api.watch("", "last-event-id", other)) {
                assertThat(here.next().type()).isEqualTo("ready");
                assertThat(elsewhere.next().type()).isEqualTo("reset");
                assertThat(elsewhere.next().type()).isEqualTo("put");
            }
        }
    }

    @Test
    void watchersThatComeAgainAfterRestartsSeeEachChangeInOrder() throws Exception {
        restarts(4);
    }

    @Test
    @Tag("long")
    void watchersThatComeAgainAfterManyRestartsSeeEachChangeInOrder() throws Exception {
        restarts(200);
    }

    /** Writers and watchers over a store that is opened again and again; each watcher goes on from the event that it had. */
    private void restarts(int rounds) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        StoreOptions options = StoreOptions.in(folder).withDurability(RecordStore.Durability.OS);
        Map<String, Integer> wrote = new TreeMap<>();
        List<Map<String, Integer>> seen = Stream.<Map<String, Integer>>generate(TreeMap::new).limit(3).toList();
        String[] positions = {"", "", ""};
        int next = 1;
        for (int round = 0; round < rounds; round++) {
            try (LocalApi api = new LocalApi(options, 1 << 20, WriterTokens.NONE)) {
                List<Watcher> watchers = new ArrayList<>();
                for (int i = 0; i < positions.length; i++) {
                    Watcher watcher = positions[i].isEmpty() ? api.watch("") : api.watch("", "last-event-id", positions[i]);
                    watchers.add(watcher);
                }
                int writes = random.nextInt(1, 30);
                for (int i = 0; i < writes; i++) {
                    String name = "name-of-a-service-" + random.nextInt(5);
                    boolean removes = random.nextInt(4) == 0 && wrote.getOrDefault(name, 0) > 0;
                    if (removes) {
                        assertThat(api.call("DELETE", "/v1/names/" + name, "").status()).isEqualTo(204);
                    } else {
                        put(api, name, next);
                    }
                    wrote.put(name, removes ? -next : next);
                    next++;
                }
                put(api, "mark", next);
                for (int i = 0; i < positions.length; i++) {
                    // Some leave in the middle of what they could read.
                    boolean all = random.nextBoolean() || round == rounds - 1;
                    int most = all ? Integer.MAX_VALUE : random.nextInt(writes);
                    String what = "seed %d, round %d, watcher %d".formatted(seed, round, i);
                    positions[i] = read(watchers.get(i), seen.get(i), positions[i], next, most, what);
                    watchers.get(i).close();
                }
                next++;
            }
        }
        for (Map<String, Integer> each : seen) {
            wrote.forEach((name, port) ->
                    assertThat(each.getOrDefault(name, 0)).as("seed %d: %s", seed, name).isEqualTo(Math.max(port, 0)));
        }
    }

    /** Reads events up to the mark of a round, or a number of them; each must be newer than what was seen of its name. */
    private static String read(Watcher watcher, Map<String, Integer> seen, String since, int mark, int most, String what)
            throws InterruptedException {
        String position = since;
        for (int i = 0; i < most; i++) {
            Watcher.Event event = watcher.next();
            if (event.type().equals("reset")) {
                // Where no change was told yet there is none to go on from.
                assertThat(since).as(what).endsWith("-0");
                seen.clear();
            }
            if (!event.id().isEmpty()) {
                position = event.id();
            }
            if (event.type().equals("put") || event.type().equals("delete")) {
                // A change may come twice, but no earlier one behind a later one; ports only grow.
                String newest = "newest " + name(event);
                if (event.type().equals("put")) {
                    assertThat(port(event)).as(what + " " + event).isGreaterThanOrEqualTo(seen.getOrDefault(newest, 0));
                    seen.put(newest, port(event));
                }
                seen.put(name(event), port(event));
            }
            if (name(event).equals("mark") && port(event) == mark) {
                return position;
            }
        }
        return position;
    }

    /** Ten thousand watchers share one history: each costs its stack and a place, whatever is written. */
    @Test
    @Tag("long")
    void tenThousandWatchersHaveBoundedMemory() throws Exception {
        int watchers = 10_000;
        try (LocalApi api = new LocalApi(StoreOptions.inMemory(), 8 << 20, WriterTokens.NONE)) {
            List<Watcher> all = new ArrayList<>();
            for (int i = 0; i < watchers; i++) {
                all.add(api.watch("&prefix=service-" + i + "."));
            }
            for (Watcher each : all) {
                each.upTo("ready");
            }
            for (int i = 0; i < watchers; i++) {
                put(api, "service-" + i + ".a", 1 + i % 60_000);
            }
            for (int i = 0; i < watchers; i++) {
                assertThat(port(all.get(i).next())).isEqualTo(1 + i % 60_000);
            }
            assertThat(api.service.historyBytes()).isLessThanOrEqualTo(8 << 20);
            assertThat(api.service.counts().get(NamingCount.EVENTS_SENT)).isEqualTo(watchers);
            all.forEach(Watcher::close);
        }
    }
}
