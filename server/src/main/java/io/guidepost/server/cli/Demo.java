package io.guidepost.server.cli;

import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Malformed;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.server.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The room of a demonstration: a temporary folder, settings for it, and sample records. */
final class Demo {
    private static final Duration LEASE = Duration.ofMinutes(10);

    private final TemporaryFolder folder;

    private Demo(TemporaryFolder folder) {
        this.folder = folder;
    }

    static Demo make() throws IOException {
        return new Demo(TemporaryFolder.make("guidepost-demo"));
    }

    /** What a demonstration sets; options of the command override it. */
    List<String> settings() {
        return List.of("gnrs.listen=127.0.0.1,::1", "store.folder=" + folder.path().resolve("store"));
    }

    /** Writes the sample records. */
    void fill(Server server) throws IOException {
        try {
            put(server, "printer", Binding.of(Locator.parse("10.1.2.3:4444")), Binding.of(Locator.parse("10.1.2.4:4444")));
            put(server, "alice", Binding.of(Locator.parse("guid:alice-phone")), Binding.of(Locator.parse("guid:alice-desk")));
            put(server, "alice-phone", ending(Locator.parse("192.0.2.17:5060")));
            put(server, "alice-desk", Binding.of(Locator.parse("[2001:db8::17]:5060")));
            put(server, "library", Binding.of(Locator.parse("https://library.example/catalogue")));
        } catch (Malformed e) {
            throw new AssertionError("the samples are written in this class", e);
        }
    }

    private static Binding ending(Locator locator) {
        return new Binding(locator, LEASE.toMillis() / 10, System.currentTimeMillis() + LEASE.toMillis());
    }

    private static void put(Server server, String name, Binding... bindings) throws IOException {
        server.store()
                .put(
                        new Record(Name.of(Guid.ofAscii(name)), Record.ABSENT, List.of(bindings), List.of()),
                        Record.ABSENT);
    }

    /** What to type next. */
    String hints(Server server) {
        int port = server.gnrsAddresses().getFirst().getPort();
        String where = port == ClientOptions.PORT ? "" : " --server 127.0.0.1:" + port;
        return """

                Try in another terminal:
                  ./guidepost get printer%1$s
                  ./guidepost get alice --recursive%1$s       (alice is bound to two other names: the chain is followed)
                  ./guidepost put visitor 192.0.2.99:7000 --ttl 60s%1$s

                Ctrl-C ends the demonstration and deletes %2$s
                """.formatted(where, folder.path());
    }

    /** Deletes the folder and all that is in it. */
    void delete() {
        folder.delete();
    }
}
