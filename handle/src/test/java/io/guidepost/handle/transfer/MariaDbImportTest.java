package io.guidepost.handle.transfer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tables in a MariaDB, which stands for MySQL too. Needs the Debian packages mariadb-server-core and libmariadb-java, and
 * skips without.
 */
class MariaDbImportTest {
    private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
    private static final Path DRIVER = Path.of("/usr/share/java/mariadb-java-client.jar");

    @TempDir
    private Path folder;

    /** Existing servers make columns of bytes; those who write the tables themselves often have columns of text. */
    @ParameterizedTest
    @CsvSource({"varbinary, mariadb", "varchar, mariadb", "varbinary, mysql"})
    void tablesAreMovedIn(String text, String scheme) throws Exception {
        Assumptions.assumeTrue(Files.exists(DRIVER), "needs " + DRIVER + " (Debian: libmariadb-java)");
        Assumptions.assumeTrue(Files.isExecutable(SERVER), "needs " + SERVER + " (Debian: mariadb-server-core)");
        DatabaseStand stand = new DatabaseStand(folder, DRIVER, "root", "");
        // A folder is a database: there is nobody whose rights would have to be kept in tables.
        stand.run(Path.of("/bin/mkdir"), "-p", "data/hs");
        int port = DatabaseStand.freePort();
        stand.moveIn(
                "jdbc:" + scheme + "://127.0.0.1:" + port + "/hs",
                List.of(
                        "create table nas (na " + text + "(255) not null, primary key(na)) character set utf8mb4",
                        "create table handles (handle " + text + "(255) not null, idx int4 not null, type " + text
                                + "(255), data blob, ttl_type int2, ttl int4, timestamp int4, refs text, admin_read bool,"
                                + " admin_write bool, pub_read bool, pub_write bool, primary key(handle, idx))"
                                + " character set utf8mb4"),
                text.equals("varbinary"),
                SERVER,
                "--no-defaults",
                "--datadir=" + folder.resolve("data"),
                "--skip-grant-tables",
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--socket=" + folder.resolve("socket"),
                "--innodb-flush-log-at-trx-commit=0",
                "--innodb-buffer-pool-size=16M");
    }
}
