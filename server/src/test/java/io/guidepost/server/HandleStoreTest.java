package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleValue;
import io.guidepost.handle.record.Edit;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.Records;
import io.guidepost.store.EmbeddedStore;
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
                store.records().change(handle, (_, _) -> new Edit.Next.Written(record, true));
            }
        }
        HandleDerivations derived = HandleDerivations.of(configuration);
        try (EmbeddedStore store =
                EmbeddedStore.open(StoreSettings.of(configuration).withDerivation(derived.all()))) {
            derived.transactions().open(store);
            assertThat(derived.transactions().settled().transactionId())
                    .as("home, create, update")
                    .isEqualTo(3);
            List<Handle> found = new ArrayList<>();
            derived.index().find(new Records(store, false), "URL", "http://e.x/2", null, found::add);
            assertThat(found).containsExactly(handle);
        }
    }
}
