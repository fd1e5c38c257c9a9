package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PrivateKeyFile;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.replication.HandleMirror;
import io.guidepost.handle.replication.MirrorSettings;
import io.guidepost.handle.replication.TlsUpstream;
import io.guidepost.handle.replication.TransactionLog;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mirror follows a whole server over its TCP port, through the challenge and into TLS. */
class MirrorsTest {
    @TempDir
    private Path folder;

    @Test
    void aMirrorGetsWhatTheServerHas() throws Exception {
        TransactionLog log = TransactionLog.ofOnePrimary();
        try (HandleTestServer server =
                        HandleTestServer.start(folder, "handle.replication-admins=" + HandleDemo.BY_KEY);
                RecordStore store = EmbeddedStore.open(StoreOptions.inMemory().withJournal(log))) {
            log.open(store);
            HandleRecords records = new HandleRecords(store, false);
            SiteRecord site = SiteRecord.read(Files.readAllBytes(folder.resolve("handle/siteinfo.bin")));
            TlsUpstream origin = new TlsUpstream(
                    server.server().handleTcpAddresses().getFirst(),
                    PublicKeyRecord.read(site.servers().getFirst().publicKey()).key(),
                    HandleDemo.BY_KEY,
                    PrivateKeyFile.read(Files.readAllBytes(folder.resolve("handle/admpriv.bin")), null, false).key(),
                    TlsUpstream.TIMEOUT_MILLIS_USUAL,
                    InstantSource.system(),
                    new SecureRandom());
            try (HandleMirror mirror = new HandleMirror(
                    new MirrorSettings(
                            "source", MirrorSettings.ALL, MirrorSettings.ALL, false, Duration.ofMinutes(1), MirrorSettings.PAUSE_MAX),
                    origin, records, new HomedPrefixes(store), log, InstantSource.system())) {
                mirror.pull();
                assertThat(records.find(Handle.of("1234/library")).orElseThrow().values()).hasSize(3);
                assertThat(new HomedPrefixes(store).all()).contains("0.NA/1234");
            }
        }
    }
}
