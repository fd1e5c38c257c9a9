package io.guidepost.handle.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.AdminRecord;
import io.guidepost.handle.AdminRight;
import io.guidepost.handle.Handle;
import io.guidepost.handle.Permissions;
import io.guidepost.handle.ValueReference;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.Homes;
import io.guidepost.handle.record.Records;
import io.guidepost.store.EmbeddedStore;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables in a PostgreSQL of the test's own, on the loopback interface. Needs the Debian packages postgresql and
 * libpostgresql-jdbc-java, and skips without.
 */
class PostgresTest {
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final Path DRIVER = Path.of("/usr/share/java/postgresql.jar");
    private static final int RECORDS = 5000;
    private static final long START_SECONDS_MAX = 60;

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

    /** It does not run as root: then it is nobody's. */
    private static List<String> command(Path program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        }
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private static Connection connect(String url, ClassLoader loader) throws SQLException {
        Properties login = new Properties();
        login.setProperty("user", "hs");
        for (Driver each : ServiceLoader.load(Driver.class, loader)) {
            if (each.acceptsURL(url)) {
                return each.connect(url, login);
            }
        }
        throw new SQLException("no driver");
    }

    private Connection connectWhenItIsThere(String url, ClassLoader loader, Process server) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (true) {
            try {
                return connect(url, loader);
            } catch (SQLException e) {
                if (!server.isAlive() || System.nanoTime() > until) {
                    throw new AssertionError(Files.readString(folder.resolve("log")), e);
                }
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    private static void fill(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table nas (na " + text + " not null, primary key(na))");
            statement.execute("create table handles (handle " + text + " not null, idx int4 not null, type " + text
                    + ", data bytea, ttl_type int2, ttl int4, timestamp int4, refs text, admin_read bool,"
                    + " admin_write bool, pub_read bool, pub_write bool, primary key(handle, idx))");
            statement.execute("insert into nas values ('0.NA/10.5')");
        }
        boolean bytes = text.equals("bytea");
        connection.setAutoCommit(false);
        byte[] admin = new AdminRecord(AdminRight.ALL, new ValueReference(Handle.of("0.NA/10.5"), 300)).write();
        try (PreparedStatement insert =
                connection.prepareStatement("insert into handles values (?,?,?,?,?,?,?,?,?,?,?,?)")) {
            for (int i = 0; i < RECORDS; i++) {
                for (int index : new int[] {1, 100}) {
                    put(insert, 1, "10.5/R-" + i, bytes);
                    insert.setInt(2, index);
                    put(insert, 3, index == 1 ? "URL" : "HS_ADMIN", bytes);
                    insert.setBytes(4, index == 1 ? ("http://e.x/ü/" + i).getBytes(StandardCharsets.UTF_8) : admin);
                    insert.setInt(5, index == 1 ? 0 : 1);
                    insert.setInt(6, 86_400);
                    insert.setInt(7, 1_700_000_000);
                    insert.setString(8, index == 1 ? "" : "1:10.5/two\t2:10.5/three");
                    insert.setBoolean(9, true);
                    insert.setBoolean(10, true);
                    insert.setBoolean(11, index == 1);
                    insert.setBoolean(12, false);
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
        connection.commit();
    }

    private static void put(PreparedStatement insert, int column, String text, boolean bytes) throws SQLException {
        if (bytes) {
            insert.setBytes(column, text.getBytes(StandardCharsets.UTF_8));
        } else {
            insert.setString(column, text);
        }
    }

    /** Existing servers make columns of bytes; those who write the tables themselves often have columns of text. */
    @ParameterizedTest
    @ValueSource(strings = {"bytea", "text"})
    void tablesAreMovedIn(String text) throws Exception {
        Path programs = programs();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(start(command(programs.resolve("initdb"), "-D", "data", "-A", "trust", "-U", "hs", "-E", "UTF8", "--no-sync"))
                        .waitFor())
                .as(Files.readString(folder.resolve("log")))
                .isZero();
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            port = free.getLocalPort();
        }
        Process server = start(command(
                programs.resolve("postgres"),
                "-D", "data", "-h", "127.0.0.1", "-p", Integer.toString(port),
                "-c", "unix_socket_directories=", "-c", "fsync=off"));
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        URL[] jars = {DRIVER.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader())) {
            try (Connection connection = connectWhenItIsThere(url, loader, server)) {
                fill(connection, text);
            }
            moveIn(url, loader);
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    private static void moveIn(String url, ClassLoader loader) throws IOException {
        List<String> told = new ArrayList<>();
        ImportReport report = new ImportReport(told::add);
        Properties login = new Properties();
        login.setProperty("user", "hs");
        try (RecordStore store = EmbeddedStore.open(StoreOptions.inMemory());
                SqlReader source = SqlReader.open(url, login, SqlReader.Statements.CUSTOMARY, loader)) {
            Records records = new Records(store, false);
            Homes homes = new Homes(store);
            new Import(records, homes, false, report).run(source, (_, _) -> {});
            assertThat(told).isEmpty();
            assertThat(report.createdCount()).isEqualTo(RECORDS);
            assertThat(homes.all()).containsExactly("0.NA/10.5");
            HandleRecord one = records.find(Handle.of("10.5/r-4711")).orElseThrow();
            assertThat(one.values()).hasSize(2);
            assertThat(new String(one.values().getFirst().data(), StandardCharsets.UTF_8)).isEqualTo("http://e.x/ü/4711");
            assertThat(one.values().getLast().references()).hasSize(2);
            assertThat(one.values().getLast().permissions()).isEqualTo(Permissions.SECRET);
        }
    }
}
