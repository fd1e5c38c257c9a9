package io.guidepost.fleet;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What a cluster is like, for its operator.
 *
 * @param lines what was found
 * @param warnings what should be otherwise
 */
public record FleetReport(List<String> lines, List<Warning> warnings) {
    /**
     * What should be otherwise.
     *
     * @param seen what was found, and why that is bad
     * @param todo what to do about it
     */
    public record Warning(String seen, String todo) {
        @Override
        public String toString() {
            return seen + ": " + todo;
        }
    }

    /** Version from which a compare-and-set is what it is said to be, and what tests run against. */
    private static final int MAJOR_MIN = 5;

    /** The versions of Java that Cassandra 5.0 is released for. */
    private static final Pattern JAVA = Pattern.compile("(11|17)\\b.*");

    /** How far the clocks of a node and a front end may be apart: places end by one, and are dropped by the other. */
    private static final long CLOCK_MILLIS_MAX = 1000;

    /**
     * Looks at a cluster.
     *
     * @throws IOException in one line, if it does not answer, or its tables are not those of this version
     */
    public static FleetReport of(FleetSettings settings) throws IOException {
        List<String> lines = new ArrayList<>();
        List<Warning> warnings = new ArrayList<>();
        try (CqlSession session = FleetSession.connect(settings)) {
            for (Node each : session.getMetadata().getNodes().values()) {
                nodes(each, lines, warnings);
            }
            for (Node each : session.getMetadata().getNodes().values()) {
                if (each.getState() == NodeState.UP && each.getDistance() == NodeDistance.LOCAL) {
                    settings(session, each, warnings);
                    java(session, each, lines, warnings);
                    clock(session, each, lines, warnings);
                }
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

    private static void nodes(Node node, List<String> lines, List<Warning> warnings) {
        String name = "node " + node.getEndPoint();
        var version = node.getCassandraVersion();
        lines.add(name + ": " + node.getState() + ", version " + version + ", data centre " + node.getDatacenter());
        if (version == null || version.getMajor() < MAJOR_MIN) {
            warnings.add(new Warning(name + " is of version " + version, "Guidepost is tested with Cassandra " + MAJOR_MIN));
        }
    }

    static String setting(CqlSession session, Node node, String name) {
        return view(session, node, "settings", name);
    }

    private static String view(CqlSession session, Node node, String view, String name) {
        String query = "SELECT value FROM system_views." + view + " WHERE name = ?";
        Row row = session.execute(SimpleStatement.newInstance(query, name).setNode(node)).one();
        String value = row == null ? null : row.getString(0);
        return value == null || value.equals("null") ? "" : value;
    }

    private static void settings(CqlSession session, Node node, List<Warning> warnings) {
        String most = setting(session, node, "maximum_timestamp_fail_threshold");
        if (!most.isEmpty()) {
            warnings.add(new Warning(
                    "node " + node.getEndPoint() + " refuses timestamps that are more than " + most + " ahead, as those of names are",
                    "take maximum_timestamp_fail_threshold out of its cassandra.yaml"));
        }
        if (setting(session, node, "commitlog_sync").equals("periodic")) {
            warnings.add(new Warning(
                    "node " + node.getEndPoint() + " acknowledges writes before they are on its disk (commitlog_sync: periodic)",
                    "set group or batch"));
        }
    }

    private static void java(CqlSession session, Node node, List<String> lines, List<Warning> warnings) {
        String version = view(session, node, "system_properties", "java.version");
        lines.add("node " + node.getEndPoint() + ": Java " + (version.isEmpty() ? "of a version that it does not say" : version));
        if (!version.isEmpty() && !JAVA.matcher(version).matches()) {
            warnings.add(new Warning("node " + node.getEndPoint() + " runs on Java " + version, "Cassandra 5 is released for 11 and 17"));
        }
    }

    private static void clock(CqlSession session, Node node, List<String> lines, List<Warning> warnings) {
        long before = System.currentTimeMillis();
        Row row = session.execute(SimpleStatement.newInstance("SELECT totimestamp(now()) FROM system.local").setNode(node)).one();
        long after = System.currentTimeMillis();
        Instant there = row == null ? null : row.getInstant(0);
        if (there == null) {
            return;
        }
        long millis = there.toEpochMilli();
        // It looked at its clock at some time between the two.
        long apart = millis < before ? before - millis : Math.max(0, millis - after);
        lines.add("node " + node.getEndPoint() + ": its clock is within " + (apart + after - before) + " ms of this one's");
        if (apart > CLOCK_MILLIS_MAX) {
            warnings.add(new Warning(
                    "node " + node.getEndPoint() + ": its clock is " + apart + " ms " + (millis < before ? "behind" : "ahead of")
                            + " this one's",
                    "keep them in step (chrony)"));
        }
    }

    private static void replication(CqlSession session, FleetSettings settings, List<String> lines, List<Warning> warnings) {
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
            warnings.add(new Warning("the data centre " + dataCentre + " has no replica", "name it in the keyspace's replication"));
        } else if (here.equals("1") || here.equals("2")) {
            warnings.add(new Warning(here + " replicas", "with one node away, records are not answered; three survive that"));
        }
    }
}
