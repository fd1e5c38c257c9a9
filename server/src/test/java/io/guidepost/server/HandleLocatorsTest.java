package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsException;
import io.guidepost.handle.Handle;
import io.guidepost.handle.record.GuidDerivation;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.names.Binding;
import io.guidepost.names.Locator;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was written as a handle is found through the GNRS door. */
class HandleLocatorsTest {
    private static final Handle HANDLE = Handle.of("10.5/thing");

    @TempDir
    private Path folder;

    private void put(Handle handle, HandleValue... values) throws IOException {
        StoreOptions options = StoreOptions.in(folder.resolve("store")).withDerivation(new GuidDerivation(false));
        try (EmbeddedStore store = EmbeddedStore.open(options)) {
            HandleRecord record = new HandleRecord(handle, List.of(values));
            new HandleRecords(store, false).change(handle, (current, now) -> new RecordEdit.Next.Written(record, false));
        }
    }

    @Test
    void thePlacesOfAHandleAreThoseOfItsGuid() throws Exception {
        put(
                HANDLE,
                HandleValue.of(1, "URL", "https://www.example.org/thing"),
                HandleValue.of(2, "INET_HOST", "192.0.2.1:80"),
                HandleValue.of(100, "EMAIL", "me@example.org"));
        long day = 86_400_000;
        Binding url = new Binding(Locator.of(URI.create("https://www.example.org/thing")), day, 0);
        Binding host = new Binding(Locator.of(new InetSocketAddress("192.0.2.1", 80)), day, 0);
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = server.client()) {
            assertThat(client.lookup(HANDLE.guid()).bindings()).containsExactly(url, host);
            // They follow the handle alone.
            assertThatThrownBy(() -> client.delete(HANDLE.guid())).isInstanceOf(GnrsException.class);
            assertThat(client.lookup(Handle.of("10.5/THING").guid()).bindings()).containsExactly(url, host);
        }
    }

    @Test
    void anAliasIsAChain() throws Exception {
        put(HANDLE, HandleValue.of(1, "INET_HOST", "192.0.2.1:80"));
        Handle alias = Handle.of("10.5/alias");
        put(alias, HandleValue.of(1, "HS_ALIAS", "10.5/Thing"));
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = server.client()) {
            assertThat(client.lookup(alias.guid(), false).bindings())
                    .extracting(Binding::locator)
                    .containsExactly(Locator.of(HANDLE.guid()));
            assertThat(client.lookup(alias.guid(), true).bindings())
                    .extracting(Binding::locator)
                    .contains(Locator.of(new InetSocketAddress("192.0.2.1", 80)));
        }
    }
}
