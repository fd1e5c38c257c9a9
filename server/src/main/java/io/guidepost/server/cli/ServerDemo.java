package io.guidepost.server.cli;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.server.Server;
import io.guidepost.server.cli.support.ClientOptions;
import io.guidepost.server.cli.support.TemporaryFolder;
import io.guidepost.server.handle.ServerIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The room of a demonstration: a temporary folder, settings for it, and sample records.
 *
 * @param keys is done when the administrator's keys are in the folder: they take a fifth of a second, in which the server starts
 */
record ServerDemo(TemporaryFolder folder, int sites, CompletableFuture<Void> keys) {
    private static final Duration LEASE = Duration.ofMinutes(10);

    /** More would not fit the screen. */
    static final int SITES_MAX = 9;

    /** Blocks of 2^24 addresses of which each belongs to an AS of its own number, but for every fifth: a hole. */
    private static final int BLOCKS = 224;

    private static final int HOLE = 5;

    private static final String HANDLE = "handle";
    private static final String ZONE = "names.example";

    /** Port 53 is root's, and 5353 that of names on the local link. */
    private static final int DNS_PORT = 5053;

    /** Makes the folder, and for several servers the tables by which they share the records. */
    static ServerDemo make(int sites, int port) throws IOException {
        TemporaryFolder room = TemporaryFolder.make("guidepost-demo");
        ServerDemo demo = new ServerDemo(
                room, sites, sites == 1 ? makeKeys(room.path().resolve(HANDLE)) : CompletableFuture.completedFuture(null));
        if (sites > 1) {
            StringBuilder prefixes = new StringBuilder("# prefix AS\n");
            StringBuilder bindings = new StringBuilder("# AS address port\n");
            StringBuilder members = new StringBuilder("# name address:port\n");
            for (int as = 1; as < BLOCKS; as++) {
                String server = "127.0.0." + (as % sites + 1);
                prefixes.append(as % HOLE == 0 ? "" : as + ".0.0.0/8 " + as + "\n");
                bindings.append(as).append(' ').append(server).append(' ').append(port).append('\n');
            }
            for (int i = 1; i <= sites; i++) {
                members.append("site-").append(i).append(" 127.0.0.").append(i).append(':').append(port).append('\n');
            }
            Files.writeString(demo.file("prefixes"), prefixes);
            Files.writeString(demo.file("as-bindings"), bindings);
            Files.writeString(demo.file("members"), members);
        } else {
            new TopologyDemo(demo.file("topology")).write();
        }
        return demo;
    }

    private static CompletableFuture<Void> makeKeys(Path folder) {
        return CompletableFuture.runAsync(() -> {
            try {
                new ServerIdentity(folder, null, new SecureRandom()).administrator();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, task -> Thread.ofPlatform().daemon(true).name("guidepost-demo-keys").start(task));
    }

    /** Waits for what this has begun; what went wrong there goes wrong again where the keys are needed. */
    private void awaitKeys() {
        keys.handle((_, _) -> null).join();
    }

    private Path file(String name) {
        return folder.path().resolve(name);
    }

    /** What a demonstration sets for one of its servers, from 0; options of the command override it. */
    List<String> settings(int site) {
        if (sites == 1) {
            List<String> settings = new ArrayList<>(List.of(
                    "gnrs.listen=127.0.0.1,::1",
                    "store.folder=" + file("store"),
                    "admin.backup-folder=" + file("backups"),
                    "handle.listen=127.0.0.1,::1",
                    "handle.folder=" + file(HANDLE),
                    "scaffold.folder=" + file("scaffold"),
                    "names.enabled=true",
                    "names.listen=127.0.0.1,::1",
                    "names.folder=" + file("alto"),
                    "dns.enabled=true",
                    "dns.listen=127.0.0.1,::1",
                    "dns.port=" + DNS_PORT,
                    "dns.zone=" + ZONE));
            settings.addAll(HandleDemo.settings());
            settings.addAll(new TopologyDemo(file("topology")).settings());
            return settings;
        }
        return List.of(
                "gnrs.listen=127.0.0." + (site + 1),
                "workers.count=1",
                "admin.address=127.0.0." + (site + 1),
                "store.folder=" + file("site-" + (site + 1)),
                "admin.backup-folder=" + file("backups-" + (site + 1)),
                "placement.prefix-file=" + file("prefixes"),
                "placement.binding-file=" + file("as-bindings"),
                "placement.replicas=2",
                "sites.file=" + file("members"),
                "sites.compare-millis=5000");
    }

    void fill(Server server) throws IOException {
        awaitKeys();
        if (server.handleRecords().isPresent()) {
            HandleDemo.fill(server);
        }
        try {
            put(server, "printer", Binding.of(Locator.parse("10.1.2.3:4444")), Binding.of(Locator.parse("10.1.2.4:4444")));
            put(server, "alice", Binding.of(Locator.parse("guid:alice-phone")), Binding.of(Locator.parse("guid:alice-desk")));
            put(server, "alice-phone", ending(Locator.parse("192.0.2.17:5060")));
            put(server, "alice-desk", Binding.of(Locator.parse("[2001:db8::17]:5060")));
            put(server, "mirrors", mirrors());
            put(server, "library", Binding.of(Locator.parse("https://library.example/catalogue")));
        } catch (Malformed e) {
            throw new AssertionError("the samples are written in this class", e);
        }
    }

    private static Binding[] mirrors() throws Malformed {
        List<Binding> mirrors = new ArrayList<>();
        for (String each : TopologyDemo.MIRRORS) {
            mirrors.add(Binding.of(Locator.parse(each + ":80")));
        }
        return mirrors.toArray(Binding[]::new);
    }

    private static Binding ending(Locator locator) {
        return new Binding(locator, LEASE.toMillis() / 10, System.currentTimeMillis() + LEASE.toMillis());
    }

    private void put(Server server, String name, Binding... bindings) throws IOException {
        if (sites > 1) {
            try (GnrsClient client = GnrsClient.open(server.gnrsAddresses().getFirst())) {
                client.insert(Guid.ofAscii(name), List.of(bindings));
            }
        } else {
            Record record = new Record(Name.of(Guid.ofAscii(name)), Record.ABSENT, List.of(bindings), List.of());
            server.store().put(record, Record.ABSENT);
        }
    }

    /** What to type next. */
    String hints(Server server) {
        int port = server.gnrsAddresses().getFirst().getPort();
        String where = port == ClientOptions.PORT ? "" : " --server 127.0.0.1:" + port;
        String several = sites == 1 ? "" : """
                  ./guidepost sites                   (who keeps what, and how it answers)
                  ./guidepost where printer           (why those two keep it, and what they have)
                  ./guidepost get printer --server 127.0.0.%d:%d
                """.formatted(sites, port);
        return """

                Try in another terminal:
                %3$s  ./guidepost get printer%1$s
                  ./guidepost get alice%1$s       (alice is bound to two other names: the chain is followed)
                  ./guidepost put visitor 192.0.2.99:7000 --ttl 60s%1$s
                %6$s%4$s%5$s
                Ctrl-C ends the demonstration and deletes %2$s
                """.formatted(
                        where,
                        folder.path(),
                        several,
                        server.handleHttpAddresses().isEmpty() ? "" : HandleDemo.hints(server),
                        server.altoAddresses().isEmpty() ? "" : TopologyDemo.hints(server, where),
                        server.namesAddresses().isEmpty() || server.dnsAddresses().isEmpty() ? "" : ways(server));
    }

    private static String ways(Server server) {
        return """
                  curl http://127.0.0.1:%d/v1/names/printer     (the same in JSON)
                  dig +short @127.0.0.1 -p %d printer.%s     (and as a name of DNS)
                """.formatted(server.namesAddresses().getFirst().getPort(), server.dnsAddresses().getFirst().getPort(), ZONE);
    }

    void delete() {
        awaitKeys();
        folder.delete();
    }
}
