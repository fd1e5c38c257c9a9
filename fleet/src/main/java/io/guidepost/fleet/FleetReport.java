package io.guidepost.fleet;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a cluster is like, for its operator.
 *
 * @param lines what was found
 * @param warnings what should be otherwise
 */
public record FleetReport(List<String> lines, List<String> warnings) {
    /** Version from which a compare-and-set is what it is said to be, and what tests run against. */
    private static final int MAJOR_MIN = 5;

    /**
     * Looks at a cluster.
     *
     * @throws IOException in one line, if it does not answer, or its tables are not those of this version
     */
    public static FleetReport of(FleetSettings settings) throws IOException {
        List<String> lines = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        try (CqlSession session = FleetSession.connect(settings)) {
            for (Node each : session.getMetadata().getNodes().values()) {
                nodes(each, lines, warnings);
            }
            FleetSession.check(session, settings);
            lines.add("tables: " + FleetSchema.COMMENT + " in the keyspace " + settings.keyspace());
            replication(session, settings, lines, warnings);
        } catch (DriverException e) {
            throw new IOException(FleetSession.reason(e), e);
        }
        long begun = System.nanoTime();
        try (DriverCql cql = DriverCql.open(settings)) {
            cql.read(FleetStore.PROBE, true);
        }
        lines.add("a quorum answers: connected and read serially in " + (System.nanoTime() - begun) / 1_000_000 + " ms");
        return new FleetReport(List.copyOf(lines), List.copyOf(warnings));
    }

    private static void nodes(Node node, List<String> lines, List<String> warnings) {
        String name = "node " + node.getEndPoint();
        var version = node.getCassandraVersion();
        lines.add(name + ": " + node.getState() + ", version " + version + ", data centre " + node.getDatacenter());
        if (version == null || version.getMajor() < MAJOR_MIN) {
            warnings.add(name + " is of version " + version + ": Guidepost is tested with Cassandra " + MAJOR_MIN);
        }
    }

    private static void replication(CqlSession session, FleetSettings settings, List<String> lines, List<String> warnings) {
        Row row = session.execute(SimpleStatement.newInstance(
                        "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?", settings.keyspace()))
                .one();
        Map<String, String> replication = row == null ? null : row.getMap(0, String.class, String.class);
        if (replication == null) {
            return;
        }
        lines.add("replication: " + replication);
        String dataCentre = session.getMetadata().getNodes().values().stream()
                .filter(each -> each.getDistance() == NodeDistance.LOCAL)
                .map(Node::getDatacenter)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse("");
        String here = replication.getOrDefault(dataCentre, replication.getOrDefault("replication_factor", "0"));
        if (here.equals("0")) {
            warnings.add("the data centre " + dataCentre + " has no replica");
        } else if (here.equals("1") || here.equals("2")) {
            warnings.add(here + " replicas: with one node away, records are not answered; three survive that");
        }
    }
}
