package io.guidepost.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Places of a lease go when it ends; renewals cost no write. */
final class LeasesTest {
    private static final String PLACE = "{\"places\":[{\"place\":\"192.0.2.1:80\"}]}";

    @TempDir
    private Path folder;

    private static String lease(LocalApi.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isLessThan(300);
        return answer.text("lease", "id");
    }

    private static void gone(LocalApi api, Watcher watcher, String name) throws Exception {
        Watcher.Event event = watcher.next();
        assertThat(event.type() + event.data()).startsWith("delete").contains('"' + name + '"');
        assertThat(api.call("GET", "/v1/names/" + name, "").status()).isEqualTo(404);
    }

    @Test
    void placesGoWhenTheirLeaseIsNotRenewed() throws Exception {
        try (LocalApi api = LocalApi.inMemory(); Watcher watcher = api.watch("")) {
            watcher.upTo("ready");
            String id = lease(api.call("PUT", "/v1/names/one?lease=30s", PLACE));
            lease(api.call("PUT", "/v1/names/two?lease=" + id, PLACE));
            api.call("PUT", "/v1/names/other", PLACE);
            assertThat(watcher.next().data()).contains("one");
            assertThat(watcher.next().data()).contains("two");
            assertThat(watcher.next().data()).contains("other");
            long writes = api.store.status().writes();
            for (int i = 0; i < 10; i++) {
                api.pass(20);
                assertThat(api.call("POST", "/v1/leases/" + id + ":renew", "").json()).containsEntry("names", 2L);
            }
            assertThat(api.store.status().writes()).as("renewals are not written").isEqualTo(writes);
            // What another client put there is not the lease's.
            api.call("PATCH", "/v1/names/two", "{\"add\":[{\"place\":\"192.0.2.2:80\"}]}");
            assertThat(watcher.next().data()).contains("192.0.2.2:80");
            api.pass(31);
            Watcher.Event first = watcher.next();
            Watcher.Event second = watcher.next();
            assertThat(first.type() + second.type()).contains("delete", "put");
            assertThat(api.call("GET", "/v1/names/two", "").body()).contains("192.0.2.2:80").doesNotContain("192.0.2.1:80");
            assertThat(api.call("GET", "/v1/names/other", "").status()).isEqualTo(200);
            assertThat(api.call("POST", "/v1/leases/" + id + ":renew", "").status()).isEqualTo(404);
            assertThat(api.call("PUT", "/v1/names/one?lease=" + id, PLACE).status()).isEqualTo(404);
        }
    }

    @Test
    void aLeaseThatAClientEndsTakesItsPlacesAlong() throws Exception {
        try (LocalApi api = LocalApi.inMemory()) {
            String id = lease(api.call("PUT", "/v1/names/one?lease=30s", PLACE));
            // Put anew without the lease, it is no longer the lease's.
            lease(api.call("PUT", "/v1/names/kept?lease=" + id, PLACE));
            api.call("PUT", "/v1/names/kept", PLACE);
            assertThat(api.call("DELETE", "/v1/leases/" + id, "").status()).isEqualTo(204);
            assertThat(api.call("GET", "/v1/names/one", "").status()).isEqualTo(404);
            assertThat(api.call("GET", "/v1/names/kept", "").status()).isEqualTo(200);
            assertThat(api.service.leaseCount()).isZero();
        }
    }

    @Test
    void aLeaseOfARefusedWriteIsForgotten() throws Exception {
        try (LocalApi api = LocalApi.inMemory()) {
            api.call("PUT", "/v1/names/one", PLACE);
            assertThat(api.call("PUT", "/v1/names/one?lease=30s", PLACE, "if-none-match", "*").status()).isEqualTo(412);
            assertThat(api.service.leaseCount()).isZero();
        }
    }

    @Test
    void afterARestartALeaseCountsAnew() throws Exception {
        StoreOptions options = StoreOptions.in(folder).withDurability(RecordStore.Durability.OS);
        String id;
        try (LocalApi api = new LocalApi(options, 1 << 20, WriterTokens.NONE)) {
            id = lease(api.call("PUT", "/v1/names/one.two.three.four.five.six?lease=30s", PLACE));
            api.pass(29);
        }
        try (LocalApi api = new LocalApi(options, 1 << 20, WriterTokens.NONE); Watcher watcher = api.watch("")) {
            assertThat(watcher.upTo("ready")).hasSize(2);
            api.pass(29);
            assertThat(api.call("POST", "/v1/leases/" + id + ":renew", "").status()).isEqualTo(200);
            api.pass(31);
            gone(api, watcher, "one.two.three.four.five.six");
        }
    }
}
