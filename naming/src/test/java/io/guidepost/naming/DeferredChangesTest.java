package io.guidepost.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import io.guidepost.web.DeferredReply;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes that an event loop begins: when they are answered, what wakes the loop, and what needs a thread. */
final class DeferredChangesTest {
    private static final String PLACE = "{\"places\":[{\"place\":\"192.0.2.1:80\"}]}";

    /** The fewest that a store's queue may have. */
    private static final int QUEUE_MAX = 64;

    private final List<Supplier<HttpResponse>> ready = new ArrayList<>();
    private int wakeUps;
    private EmbeddedStore store;
    private NamesApi api;
    private NameDirectory names;

    /** An event loop, whose replies are all woken by one object. */
    private final Runnable wake = () -> wakeUps++;

    private final DeferredReply reply = new DeferredReply() {
        @Override
        public void ready(Supplier<HttpResponse> response) {
            ready.add(response);
        }

        @Override
        public Runnable wake() {
            return wake;
        }
    };

    @BeforeEach
    void open() throws IOException {
        names = new NameDirectory(LocalApi.settings(WriterTokens.NONE, "127.0.0.0/8"), 1 << 20, () -> 0);
        store = EmbeddedStore.open(names.store(StoreOptions.inMemory().withStepped(true).withQueueMax(QUEUE_MAX)));
        names.open(store, SiteGateway.ALONE, () -> Ranking.EMPTY, InstantSource.system(), new SplittableRandom(7));
        api = new NamesApi(names);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private boolean begin(String method, String target, String body, String... headers) {
        HttpRequest request = LocalApi.request(method, target, body, headers);
        return api.begin(request, reply);
    }

    private List<Integer> answered() {
        List<Integer> statuses = ready.stream().map(each -> each.get().status()).toList();
        ready.clear();
        return statuses;
    }

    @Test
    void aGroupIsAnsweredWhenItIsDurableWithOneWakeUp() throws IOException {
        assertThat(begin("PUT", "/v1/names/a", PLACE)).isTrue();
        assertThat(begin("PATCH", "/v1/names/b", "{\"add\":[{\"place\":\"192.0.2.1:80\"}]}")).isTrue();
        assertThat(begin("PUT", "/v1/names/a", PLACE, "if-none-match", "*")).isTrue();
        assertThat(begin("DELETE", "/v1/names/c", "")).isTrue();
        assertThat(ready).as("none is durable yet").isEmpty();
        while (ready.size() < 4) {
            store.work();
        }
        assertThat(wakeUps).isEqualTo(1);
        LocalApi.Answer first = LocalApi.read(ready.getFirst().get());
        assertThat(first.body()).contains("\"a\"", "192.0.2.1:80", first.tag().replace("\"", ""));
        assertThat(answered()).containsExactly(201, 201, 412, 404);
    }

    @Test
    void whatIsRefusedIsAnsweredWithoutTheCommitter() {
        assertThat(begin("PUT", "/v1/names/a", "{\"places\":[]}")).isTrue();
        assertThat(begin("PUT", "/v1/names/a", PLACE, "origin", "https://example.org")).isTrue();
        assertThat(begin("PUT", "/v1/names/a%0Ab", PLACE)).isTrue();
        assertThat(answered()).containsExactly(400, 401, 400);
        assertThat(wakeUps).isEqualTo(3);
        assertThat(names.counts().get(NamingCount.DENIED_UNAUTHORIZED)).isEqualTo(1);
    }

    @Test
    void whatWouldWaitNeedsAThread() throws IOException {
        assertThat(begin("GET", "/v1/names/a", "")).isFalse();
        assertThat(begin("PUT", "/v1/names", PLACE)).isFalse();
        assertThat(begin("POST", "/v1/names:batch", "{\"operations\":[]}")).isFalse();
        assertThat(begin("PUT", "/v1/names/a", PLACE + " ".repeat(NamingLimits.LOOP_BODY_BYTES_MAX))).isFalse();
        for (int i = 0; i < QUEUE_MAX; i++) {
            assertThat(begin("PUT", "/v1/names/name-" + i, PLACE)).isTrue();
        }
        int leases = names.leaseCount();
        assertThat(begin("PUT", "/v1/names/too-many?lease=30s", PLACE)).as("the queue of the store is full").isFalse();
        assertThat(names.leaseCount()).isEqualTo(leases);
        while (ready.size() < QUEUE_MAX) {
            store.work();
        }
        assertThat(answered()).containsOnly(201);
    }

    @Test
    void aLeaseOfARefusedChangeIsForgotten() throws IOException {
        assertThat(begin("PUT", "/v1/names/a?lease=30s", PLACE, "if-match", "*")).isTrue();
        assertThat(names.leaseCount()).isEqualTo(1);
        while (ready.isEmpty()) {
            store.work();
        }
        assertThat(answered()).containsExactly(412);
        assertThat(names.leaseCount()).isZero();
    }
}
