package io.guidepost.fleet;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

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
 *  places                                    of names (GUIDs); merged by the cluster, never compared and set
 *    key      blob   partition key
 *    place    blob   clustering key          type 16, length 16 and value of a locator
 *    said     blob                           of that place, see PlaceCell
 *    cleared  bigint static                  stamp of the last UPDATE
 *    text     blob   static                  of the name, if it is known
 *                                            timestamps: 2 × stamp + 1; of the deletion that an UPDATE makes 2 × stamp
 *
 *  listed                                    never compared and set; timestamps are versions and stamps of records
 *    bucket   int    partition key           namespace × 64 + the low six bits of CRC-32C of the key
 *    key      blob   clustering key
 *    by_row, by_places  set&lt;tinyint>         lives, see KeyLists.life: a key is listed as long as one of these cells lives
 * </pre>
 *
 * A name is its row in the table of records with its places. Places have a table of their own since schema 2: what schema 1
 * wrote of names stands in their rows, and is merged with what is written now. What schemas before 3 listed stays listed, also
 * when the record is deleted.
 *
 * <p>A key is listed before its record is made, and removed from the list after its record. So each record is listed, and what is listed
 * is checked against the records when it is read.
 */
public final class FleetSchema {
    /** Number of this layout, which the comment of the table of records says. */
    public static final int VERSION = 3;

    static final String COMMENT = "Guidepost fleet, schema " + VERSION;

    /** What the versions before say: they have all of this one but columns of the lists, and the first has no table of places. */
    static final Set<String> EARLIER = Set.of("Guidepost fleet, schema 1", "Guidepost fleet, schema 2");

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
                "CREATE TABLE IF NOT EXISTS " + quoted(keyspace) + ".places (key blob, place blob, said blob, cleared bigint static,"
                        + " text blob static, PRIMARY KEY (key, place))" + options,
                "CREATE TABLE IF NOT EXISTS " + quoted(keyspace)
                        + ".listed (bucket int, key blob, by_row set<tinyint>, by_places set<tinyint>,"
                        + " PRIMARY KEY (bucket, key))"
                        + options);
    }

    /** Returns the statements that make earlier tables those of this schema, behind {@link #tables}; nothing that they hold is lost. */
    public static List<String> moves(String keyspace) {
        // The comment of the table of records comes last: until then all of it can be repeated.
        return List.of(
                "ALTER TABLE " + quoted(keyspace) + ".listed ADD IF NOT EXISTS (by_row set<tinyint>, by_places set<tinyint>)",
                "ALTER TABLE " + quoted(keyspace) + ".records WITH comment = '" + COMMENT + "'");
    }

    /**
     * Makes keyspace and tables where they are missing, and moves those of an earlier schema, whose servers must have ended.
     *
     * @param keyspace the statement that makes it
     * @return whether tables were moved
     * @throws IOException in one line, if the cluster does not answer, or refuses, or the tables are of a later version
     */
    public static boolean create(FleetSettings settings, String keyspace) throws IOException {
        try (CqlSession session = FleetSession.connect(settings)) {
            execute(session, List.of(keyspace));
            execute(session, tables(settings.keyspace()));
            boolean moves = EARLIER.contains(String.valueOf(FleetSession.comment(session, settings)));
            if (moves) {
                execute(session, moves(settings.keyspace()));
            }
            FleetSession.check(session, settings);
            return moves;
        } catch (DriverException e) {
            throw new IOException(FleetSession.reason(e), e);
        }
    }

    private static void execute(CqlSession session, List<String> statements) {
        for (String each : statements) {
            session.execute(SimpleStatement.newInstance(each).setTimeout(Duration.ofMillis(FleetLimits.SCHEMA_MILLIS)));
        }
    }

    static String quoted(String keyspace) {
        return '"' + keyspace.replace("\"", "\"\"") + '"';
    }
}
