package io.guidepost.handle.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.HomedPrefixes;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.embedded.EmbeddedStore;
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
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A database server of the test's own, on the loopback interface, and the tables of handles that are moved out of it. */
final class DatabaseStand {
    private static final int RECORDS = 5000;
    private static final long START_SECONDS_MAX = 60;

    private final Path folder;
    private final Path driver;
    private final Properties login;

    /**
     * One in a folder, into which anybody may write from then on.
     *
     * @param driver of JDBC, a .jar
     */
    DatabaseStand(Path folder, Path driver, String user, String password) throws IOException {
        this.folder = folder;
        this.driver = driver;
        this.login = new Properties();
        login.setProperty("user", user);
        login.setProperty("password", password);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            return free.getLocalPort();
        }
    }

    /** Database servers do not run as root: then they are nobody's. */
    private Process start(Path program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        }
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    private Path log() {
        return folder.resolve("log");
    }

    /** Runs a program to its end. */
    void run(Path program, String... arguments) throws Exception {
        assertThat(start(program, arguments).waitFor()).as(Files.readString(log())).isZero();
    }

    /** Runs the server, makes the tables by statements, fills them, and moves them in. */
    void moveIn(String url, List<String> tables, boolean bytes, Path server, String... arguments) throws Exception {
        Process process = start(server, arguments);
        URL[] jars = {driver.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(jars, ClassLoader.getPlatformClassLoader())) {
            try (Connection connection = connectWhenItIsThere(url, loader, process)) {
                try (Statement statement = connection.createStatement()) {
                    for (String each : tables) {
                        statement.execute(each);
                    }
                    statement.execute("insert into nas values ('0.NA/10.5')");
                }
                fill(connection, bytes);
            }
            moveIn(url, loader);
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private Connection connect(String url, ClassLoader loader) throws SQLException {
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
                    throw new AssertionError(Files.readString(log()), e);
                }
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    private static void fill(Connection connection, boolean bytes) throws SQLException {
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

    private void moveIn(String url, ClassLoader loader) throws IOException {
        List<String> told = new ArrayList<>();
        ImportReport report = new ImportReport(told::add);
        try (RecordStore store = EmbeddedStore.open(StoreOptions.inMemory());
                SqlTableReader source = SqlTableReader.open(url, login, SqlTableReader.Statements.CUSTOMARY, loader)) {
            HandleRecords records = new HandleRecords(store, false);
            HomedPrefixes homes = new HomedPrefixes(store);
            new HandleImport(records, homes, false, report).run(source, (_, _) -> {});
            assertThat(told).isEmpty();
            assertThat(report.get(ImportReport.Count.CREATED)).isEqualTo(RECORDS);
            assertThat(homes.all()).containsExactly("0.NA/10.5");
            HandleRecord one = records.find(Handle.of("10.5/r-4711")).orElseThrow();
            assertThat(one.values()).hasSize(2);
            assertThat(new String(one.values().getFirst().data(), StandardCharsets.UTF_8)).isEqualTo("http://e.x/ü/4711");
            assertThat(one.values().getLast().references()).hasSize(2);
            assertThat(one.values().getLast().permissions()).isEqualTo(Permissions.SECRET);
        }
    }
}
