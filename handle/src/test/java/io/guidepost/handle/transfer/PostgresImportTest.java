package io.guidepost.handle.transfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables in a PostgreSQL. Needs the Debian packages postgresql and libpostgresql-jdbc-java, and skips without. */
class PostgresImportTest {
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final Path DRIVER = Path.of("/usr/share/java/postgresql.jar");

    @TempDir
    private Path folder;

    private static Path programs() throws IOException {
        Assumptions.assumeTrue(Files.exists(DRIVER), "needs " + DRIVER + " (Debian: libpostgresql-jdbc-java)");
        Assumptions.assumeTrue(Files.isDirectory(VERSIONS), "needs " + VERSIONS + " (Debian: postgresql)");
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            Optional<Path> found = versions.map(each -> each.resolve("bin"))
                    .filter(each -> Files.isExecutable(each.resolve("initdb")))
                    .max(Comparator.naturalOrder());
            Assumptions.assumeTrue(found.isPresent(), "needs initdb below " + VERSIONS);
            return found.orElseThrow();
        }
    }

    /** Existing servers make columns of bytes; those who write the tables themselves often have columns of text. */
    @ParameterizedTest
    @ValueSource(strings = {"bytea", "text"})
    void tablesAreMovedIn(String text) throws Exception {
        Path programs = programs();
        DatabaseStand stand = new DatabaseStand(folder, DRIVER, "hs", "");
        stand.run(programs.resolve("initdb"), "-D", "data", "-A", "trust", "-U", "hs", "-E", "UTF8", "--no-sync");
        int port = DatabaseStand.freePort();
        stand.moveIn(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres",
                List.of(
                        "create table nas (na " + text + " not null, primary key(na))",
                        "create table handles (handle " + text + " not null, idx int4 not null, type " + text
                                + ", data bytea, ttl_type int2, ttl int4, timestamp int4, refs text, admin_read bool,"
                                + " admin_write bool, pub_read bool, pub_write bool, primary key(handle, idx))"),
                text.equals("bytea"),
                programs.resolve("postgres"),
                "-D", "data", "-h", "127.0.0.1", "-p", Integer.toString(port),
                "-c", "unix_socket_directories=", "-c", "fsync=off");
    }
}
