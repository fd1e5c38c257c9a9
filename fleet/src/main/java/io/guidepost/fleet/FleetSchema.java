package io.guidepost.fleet;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The tables of a fleet.
 *
 * <pre>
 *  records                                   changed by compare-and-set alone, so no statement gives a timestamp:
 *    key      blob   partition key           of ours it would be compared with those of Paxos, and changes be lost silently
 *    version  bigint
 *    change   uuid                           of the change that wrote the row
 *    image    blob                           null: deleted; such a row has a TTL
 *    before   blob                           the image before, until what derives from the change is written
 *    settled  boolean                        whether it is
 *
 *  listed                                    never compared and set; timestamps are versions of records
 *    bucket   int    partition key           namespace × 64 + the low six bits of CRC-32C of the key
 *    key      blob   clustering key
 * </pre>
 *
 * A key is listed before its record is made, and removed from the list after its record. So each record is listed, and what is listed
 * is checked against the records when it is read.
 */
public final class FleetSchema {
    /** Number of this layout, which the comment of the table of records says. */
    public static final int VERSION = 1;

    static final String COMMENT = "Guidepost fleet, schema " + VERSION;

    private FleetSchema() {}

    /**
     * Returns the statement that makes the keyspace.
     *
     * @param replicas of each record in the data centre
     */
    public static String keyspace(String keyspace, String dataCentre, int replicas) {
        return "CREATE KEYSPACE IF NOT EXISTS " + quoted(keyspace) + " WITH replication = {'class': 'NetworkTopologyStrategy', '"
                + dataCentre.replace("'", "''") + "': " + replicas + "}";
    }

    /** Returns the statements that make the tables. */
    public static List<String> tables(String keyspace) {
        String options = " WITH compaction = {'class': 'UnifiedCompactionStrategy'} AND comment = '" + COMMENT + "'";
        return List.of(
                "CREATE TABLE IF NOT EXISTS " + quoted(keyspace) + ".records (key blob PRIMARY KEY, version bigint, change uuid,"
                        + " image blob, before blob, settled boolean)" + options,
                "CREATE TABLE IF NOT EXISTS " + quoted(keyspace) + ".listed (bucket int, key blob, PRIMARY KEY (bucket, key))"
                        + options);
    }

    /**
     * Executes statements of a schema.
     *
     * @throws IOException in one line, if the cluster does not answer, or refuses
     */
    public static void create(FleetSettings settings, List<String> statements) throws IOException {
        try (CqlSession session = FleetSession.connect(settings)) {
            for (String each : statements) {
                session.execute(SimpleStatement.newInstance(each).setTimeout(Duration.ofMillis(FleetLimits.SCHEMA_MILLIS)));
            }
        } catch (DriverException e) {
            throw new IOException(FleetSession.reason(e), e);
        }
    }

    static String quoted(String keyspace) {
        return '"' + keyspace.replace("\"", "\"\"") + '"';
    }
}
