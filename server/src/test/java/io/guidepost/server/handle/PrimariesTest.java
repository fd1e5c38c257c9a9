package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.AddressText;
import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.server.RunningServer;
import io.guidepost.server.Server;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.server.cli.InProcessCommands;
import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that take changes of the same handles side by side, by their configuration alone; and one that fetches anew. */
class PrimariesTest {
    @TempDir
    private Path folder;

    private final List<String> sites = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();

    private Path at(String name, String file) {
        return folder.resolve(name).resolve("handle").resolve(file);
    }

    /** Has a server make its site, with the administrator's key that all have. */
    private void found(String name) throws Exception {
        if (!name.equals("a")) {
            Files.createDirectories(at(name, ""));
            for (String each : List.of("admpriv.bin", "admpub.bin")) {
                Files.copy(at("a", each), at(name, each));
            }
        }
        try (HandleTestServer server = HandleTestServer.start(folder.resolve(name))) {
            ports.add(server.tcpPort());
            sites.add(at(name, "siteinfo.json").toString());
        }
    }

    /** One of them, which follows the others. */
    private HandleTestServer primary(int number, String name) throws Exception {
        List<String> others = new ArrayList<>(sites);
        others.remove(number);
        return HandleTestServer.start(
                folder.resolve(name),
                "handle.tcp-port=" + ports.get(number),
                "handle.replication-admins=" + HandleDemo.BY_KEY,
                "handle.replication-primaries=" + String.join(",", others),
                "handle.mirror-identity=" + HandleDemo.BY_KEY,
                "handle.mirror-key=" + at(name, "admpriv.bin"),
                "handle.mirror-seconds=1");
    }

    private static HandleRecords records(Server server) {
        return server.handleRecords().orElseThrow();
    }

    private static void put(Server server, String handle, String url) throws IOException {
        records(server).change(Handle.of(handle), (current, now) -> new RecordEdit.Next.Written(
                new HandleRecord(Handle.of(handle), List.of(HandleValue.of(1, "URL", url).changedAt(now))),
                current.isPresent()));
    }

    private static void delete(Server server, String handle) throws IOException {
        records(server).change(Handle.of(handle), (_, _) -> new RecordEdit.Next.Deleted());
    }

    private static Optional<String> url(Server server, String handle) {
        try {
            return records(server).find(Handle.of(handle)).map(each -> new String(
                    each.values().getFirst().data(), java.nio.charset.StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void everywhere(List<HandleTestServer> servers, String handle, Optional<String> url) {
        for (HandleTestServer each : servers) {
            assertThat(RunningServer.eventually(() -> url(each.server(), handle).equals(url)))
                    .as(handle + " is " + url + ", not " + url(each.server(), handle))
                    .isTrue();
        }
    }

    /** Has it ask at once, however long it waits because another was not there. */
    private static void wake(HandleTestServer server) {
        String admin = AddressText.of(server.server().adminAddress().orElseThrow());
        assertThat(InProcessCommands.run("handle", "redump", "--admin", admin)).contains("\"sources\": 2");
    }

    @Test
    void whatOneTakesAllHave() throws Exception {
        for (String each : List.of("a", "b", "c")) {
            found(each);
        }
        try (HandleTestServer a = primary(0, "a");
                HandleTestServer b = primary(1, "b")) {
            List<HandleTestServer> all = new ArrayList<>(List.of(a, b));
            wake(a);
            put(a.server(), "1234/of-a", "http://a/1");
            put(b.server(), "1234/of-b", "http://b/1");
            everywhere(all, "1234/of-a", Optional.of("http://a/1"));
            everywhere(all, "1234/of-b", Optional.of("http://b/1"));
            put(b.server(), "1234/of-a", "http://b/2");
            everywhere(all, "1234/of-a", Optional.of("http://b/2"));
            delete(a.server(), "1234/of-b");
            everywhere(all, "1234/of-b", Optional.empty());
            // The third was away, and comes.
            try (HandleTestServer c = primary(2, "c")) {
                all.add(c);
                everywhere(all, "1234/of-a", Optional.of("http://b/2"));
                put(c.server(), "1234/of-c", "http://c/1");
                wake(a);
                wake(b);
                everywhere(all, "1234/of-c", Optional.of("http://c/1"));
            }
        }
    }

    @Test
    void aMirrorTakesNoChangesSoItIsNoPrimary() throws Exception {
        found("a");
        assertThatThrownBy(() -> HandleTestServer.start(
                                folder.resolve("b"),
                                "handle.replication-primaries=" + sites.getFirst(),
                                "handle.mirror-site=" + sites.getFirst())
                        .close())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("handle.replication-primaries")
                .hasMessageContaining("not both");
    }

    @Test
    void redumpPutsRightWhatAMirrorHasWrong() throws Exception {
        try (HandleTestServer source =
                HandleTestServer.start(folder.resolve("a"), "handle.replication-admins=" + HandleDemo.BY_KEY)) {
            try (RunningServer mirror = RunningServer.start(
                    folder.resolve("b"),
                    "handle.enabled=true",
                    "handle.listen=127.0.0.1",
                    "handle.udp-port=-1",
                    "handle.tcp-port=0",
                    "handle.http-port=-1",
                    "handle.folder=" + at("b", ""),
                    "handle.mirror-site=" + at("a", "siteinfo.json"),
                    "handle.mirror-identity=" + HandleDemo.BY_KEY,
                    "handle.mirror-key=" + at("a", "admpriv.bin"),
                    "handle.mirror-seconds=3600")) {
                String library = "https://library.example/catalogue";
                Server server = mirror.server();
                assertThat(RunningServer.eventually(
                                () -> url(server, "1234/library").equals(Optional.of(library))))
                        .isTrue();
                delete(server, "1234/library");
                put(server, "1234/printer", "http://wrong/");
                put(server, "1234/stray", "http://stray/");
                String admin = AddressText.of(server.adminAddress().orElseThrow());
                assertThat(InProcessCommands.run("handle", "redump", "--admin", admin)).contains("\"sources\": 1");
                assertThat(RunningServer.eventually(() -> url(server, "1234/stray").isEmpty())).isTrue();
                assertThat(url(server, "1234/library")).contains(library);
                assertThat(url(server, "1234/printer")).isEqualTo(url(source.server(), "1234/printer"));
            }
        }
    }
}
