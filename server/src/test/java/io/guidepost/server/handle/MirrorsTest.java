package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.SiteRecord;
import io.guidepost.handle.key.KeyFile;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.record.Homes;
import io.guidepost.handle.record.Records;
import io.guidepost.handle.replication.Mirror;
import io.guidepost.handle.replication.MirrorSettings;
import io.guidepost.handle.replication.RemoteOrigin;
import io.guidepost.handle.replication.Transactions;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.store.EmbeddedStore;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mirror follows a whole server over its TCP port, through the challenge and into TLS. */
class MirrorsTest {
    @TempDir
    private Path folder;

    @Test
    void aMirrorGetsWhatTheServerHas() throws Exception {
        Transactions log = Transactions.ofOnePrimary();
        try (HandleServer server =
                        HandleServer.start(folder, "handle.replication-admins=" + HandleDemo.BY_KEY);
                RecordStore store = EmbeddedStore.open(StoreOptions.inMemory().withDerivation(log))) {
            log.open(store);
            Records records = new Records(store, false);
            SiteRecord site = SiteRecord.read(Files.readAllBytes(folder.resolve("handle/siteinfo.bin")));
            RemoteOrigin origin = new RemoteOrigin(
                    server.server().handleTcpAddresses().getFirst(),
                    PublicKeyRecord.read(site.servers().getFirst().publicKey()).key(),
                    HandleDemo.BY_KEY,
                    KeyFile.read(Files.readAllBytes(folder.resolve("handle/admpriv.bin")), null, false).key(),
                    RemoteOrigin.TIMEOUT_MILLIS_USUAL,
                    InstantSource.system(),
                    new SecureRandom());
            try (Mirror mirror = new Mirror(
                    MirrorSettings.of("source"), origin, records, new Homes(store), log, InstantSource.system())) {
                mirror.pull();
                assertThat(records.find(Handle.of("1234/library")).orElseThrow().values()).hasSize(3);
                assertThat(new Homes(store).all()).contains("0.NA/1234");
            }
        }
    }
}
