package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.server.RunningServer;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.StoreConfiguration;
import io.guidepost.store.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written without a server is there for mirrors and searches too. */
class HandleStoreTest {
    @TempDir
    private Path folder;

    @Test
    void changesAreLoggedAndIndexedWithoutAServer() throws Exception {
        Configuration configuration = RunningServer.configuration(folder);
        Handle handle = Handle.of("1234/a");
        for (String url : List.of("http://e.x/1", "http://e.x/2")) {
            try (HandleStore store = HandleStore.open(configuration)) {
                store.homes().home(Handle.of("0.NA/1234"));
                HandleRecord record = new HandleRecord(handle, List.of(HandleValue.of(1, "URL", url)));
                store.records().change(handle, (_, _) -> new RecordEdit.Next.Written(record, true));
            }
        }
        HandleDerivations derived = HandleDerivations.of(configuration);
        try (EmbeddedStore store =
                EmbeddedStore.open(derived.with(StoreConfiguration.of(configuration)))) {
            derived.transactions().open(store);
            assertThat(derived.transactions().settled().transactionId())
                    .as("home, create, update")
                    .isEqualTo(3);
            List<Handle> found = new ArrayList<>();
            derived.index().find(new HandleRecords(store, false), "URL", "http://e.x/2", null, found::add);
            assertThat(found).containsExactly(handle);
        }
    }
}
