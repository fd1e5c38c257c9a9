package io.guidepost.handle.transfer;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tables in which existing servers keep handles in a relational database, and which many sites write
 * themselves.
 *
 * <pre>
 *  nas      na                     prefix handles that the server is responsible for
 *  handles  handle                 folded or not
 *           idx, type, data        the value; data may be a text or bytes
 *           ttl_type, ttl          0 relative, 1 absolute; seconds
 *           timestamp              seconds since 1970
 *           refs                   index:handle, separated by tabs
 *           admin_read, admin_write, pub_read, pub_write
 * </pre>
 *
 * The rows of a record must be consecutive: the statement orders them.
 */
public final class SqlTableReader implements ImportSource {
    /** Rows that a driver fetches at a time, where it supports that. */
    private static final int FETCH_ROWS = 1000;

    /**
     * The SQL statements.
     *
     * @param prefixes selects prefix handles as its first column
     * @param values selects the columns of values by name, ordered by handle
     */
    public record Statements(String prefixes, String values) {
        /** The statements for the tables of existing servers. */
        public static final Statements CUSTOMARY = new Statements(
                "select na from nas order by na",
                "select handle, idx, type, data, ttl_type, ttl, timestamp, refs, admin_read, admin_write, pub_read,"
                        + " pub_write from handles order by handle, idx");
    }

    private final String identity;
    private final Connection connection;
    private final Statement prefixStatement;
    private final PreparedStatement valueStatement;
    private final ResultSet prefixes;
    private final ResultSet values;
    private boolean prefixesEnded;
    private boolean valuesEnded;
    private @Nullable Row ahead;
    private long row;

    /** One row: a value of a handle, or its fault. */
    private record Row(long number, byte[] handle, @Nullable HandleValue value, String fault) {}

    private SqlTableReader(String url, Connection connection, Statements statements) throws SQLException {
        this.identity = url + " " + statements;
        this.connection = connection;
        // Some drivers read all rows into memory unless they are in a transaction.
        connection.setAutoCommit(false);
        this.prefixStatement = connection.createStatement();
        this.prefixes = prefixStatement.executeQuery(statements.prefixes());
        this.valueStatement = connection.prepareStatement(
                statements.values(), ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY);
        this.valueStatement.setFetchSize(url.startsWith("jdbc:mysql:") ? Integer.MIN_VALUE : FETCH_ROWS);
        this.values = valueStatement.executeQuery();
        this.ahead = readRow();
    }

    /**
     * Connects and starts the query.
     *
     * @param url for JDBC
     * @param login user and password under their usual names, if the URL lacks them
     * @param drivers class path of the driver: the JDK finds only those of its own class path
     * @throws IOException if there is no driver, no connection, or no such table
     */
    public static SqlTableReader open(String url, Properties login, Statements statements, ClassLoader drivers)
            throws IOException {
        try {
            Connection connection = connect(url, login, drivers);
            try {
                return new SqlTableReader(url, connection, statements);
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw wrapped(e);
        }
    }

    private static Connection connect(String url, Properties login, ClassLoader drivers)
            throws SQLException, IOException {
        for (Driver each : ServiceLoader.load(Driver.class, drivers)) {
            if (each.acceptsURL(url)) {
                Connection connection = each.connect(url, login);
                if (connection != null) {
                    return connection;
                }
            }
        }
        throw new IOException("no JDBC driver is there for " + url + ": name the driver's .jar with --driver");
    }

    private static IOException wrapped(SQLException e) {
        return new IOException("the database says: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public Optional<ImportItem> next() throws IOException {
        try {
            if (!prefixesEnded) {
                if (prefixes.next()) {
                    return Optional.of(prefix());
                }
                prefixesEnded = true;
            }
            return record();
        } catch (SQLException e) {
            throw wrapped(e);
        }
    }

    private ImportItem prefix() throws SQLException {
        String where = "nas, row " + prefixes.getRow();
        Handle handle = Handle.of(new String(bytes(prefixes, 1), StandardCharsets.UTF_8));
        return handle.isPrefixHandle()
                ? new ImportItem.Of(where, new ImportStep.Home(handle))
                : new ImportItem.Faulty(where, "a prefix handle is 0.NA/ and a prefix, not '" + handle + "'");
    }

    private Optional<ImportItem> record() throws SQLException {
        Row first = ahead;
        if (first == null) {
            return Optional.empty();
        }
        String where = "handles, row " + first.number;
        List<HandleValue> found = new ArrayList<>();
        String fault = "";
        Row each = first;
        while (each != null && Arrays.equals(each.handle, first.handle)) {
            if (each.value != null) {
                found.add(each.value);
            } else if (fault.isEmpty()) {
                fault = each.fault;
                where = "handles, row " + each.number;
            }
            each = readRow();
        }
        ahead = each;
        String name = new String(first.handle, StandardCharsets.UTF_8);
        if (!fault.isEmpty()) {
            return Optional.of(new ImportItem.Faulty(where, name + ": " + fault));
        }
        try {
            return Optional.of(new ImportItem.Of(where, new ImportStep.Put(new HandleRecord(Handle.parse(name), found))));
        } catch (Malformed e) {
            return Optional.of(new ImportItem.Faulty(where, name + ": " + e.reason()));
        } catch (IllegalArgumentException e) {
            return Optional.of(new ImportItem.Faulty(where, name + ": " + e.getMessage()));
        }
    }

    private @Nullable Row readRow() throws SQLException {
        if (valuesEnded || !values.next()) {
            valuesEnded = true;
            return null;
        }
        row++;
        byte[] handle = bytes(values, values.findColumn("handle"));
        try {
            return new Row(row, handle, value(), "");
        } catch (Malformed e) {
            return new Row(row, handle, null, e.reason());
        } catch (IllegalArgumentException e) {
            return new Row(row, handle, null, String.valueOf(e.getMessage()));
        }
    }

    private HandleValue value() throws SQLException, Malformed {
        int index = values.getInt("idx");
        if (index <= 0) {
            throw new Malformed("an index is above 0, not " + index, 0);
        }
        int bits = (values.getBoolean("admin_read") ? 8 : 0)
                | (values.getBoolean("admin_write") ? 4 : 0)
                | (values.getBoolean("pub_read") ? 2 : 0)
                | (values.getBoolean("pub_write") ? 1 : 0);
        long seconds = values.getLong("ttl");
        Ttl ttl = values.getInt("ttl_type") == 1 ? new Ttl.Until(seconds) : new Ttl.Relative(seconds);
        return new HandleValue(
                index,
                new String(bytes(values, values.findColumn("type")), StandardCharsets.UTF_8),
                bytes(values, values.findColumn("data")),
                new Permissions(bits),
                ttl,
                values.getLong("timestamp"),
                ValueReference.parseAll(
                        new String(bytes(values, values.findColumn("refs")), StandardCharsets.UTF_8), "\t"));
    }

    /** Returns a column of text or bytes as bytes: the type differs from site to site. */
    private static byte[] bytes(ResultSet from, int column) throws SQLException {
        Object value = from.getObject(column);
        return switch (value) {
            case null -> new byte[0];
            case byte[] bytes -> bytes;
            case String text -> text.getBytes(StandardCharsets.UTF_8);
            case Blob _ -> from.getBytes(column);
            case Clob _ -> {
                String text = from.getString(column);
                yield text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
            }
            default -> value.toString().getBytes(StandardCharsets.UTF_8);
        };
    }

    @Override
    public void close() throws IOException {
        try (connection;
                prefixStatement;
                valueStatement) {
            connection.rollback();
        } catch (SQLException e) {
            throw wrapped(e);
        }
    }
}
