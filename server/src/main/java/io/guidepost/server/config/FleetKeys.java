package io.guidepost.server.config;

import io.guidepost.fleet.FleetSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The rows of {@link ConfigurationKeys} for records in a cluster. */
public final class FleetKeys {
    static final List<Key<?>> ROWS = new ArrayList<>();

    public static final Key<List<InetSocketAddress>> CONTACT_POINTS = row("fleet.contact-points",
            ValueKind.list(AddressKinds.addressWithPort(), "addresses with ports, such as \"192.0.2.1:9042\""),
            List.of(),
            "Nodes of the cluster of which one must answer at first; the others are learnt from it. All are of one data centre, whose nodes"
                    + " are asked. Needed with store.engine = cassandra.");
    public static final Key<String> KEYSPACE = row("fleet.keyspace",
            ValueKind.text("1 to 48 letters, digits and underscores", "[A-Za-z0-9_]{1,48}"), "guidepost",
            "Keyspace of the tables, which guidepost fleet schema makes.");
    public static final Key<Path> LOGIN_FILE = row("fleet.login-file",
            PathKinds.file(), Path.of(""),
            "File whose first line is a user of the cluster and the password, as user:password; empty = it is asked without"
                    + " authentication.");
    public static final Key<Path> AUTHORITY = row("fleet.tls-authority",
            PathKinds.file(), Path.of(""),
            "Certificates in PEM that those of the nodes are signed with: an authority of the cluster's own, as names are not"
                    + " compared. Empty = the cluster is reached without TLS.");
    public static final Key<FleetSettings.Consistency> CONSISTENCY = row("fleet.consistency",
            ValueKind.choice(FleetSettings.Consistency.class), FleetSettings.Consistency.LOCAL_QUORUM,
            "Replicas that decide: a quorum of those in the data centre, or of all. Servers in two data centres need quorum.");
    public static final Key<Long> STALE_MILLIS = row("fleet.stale-millis",
            ValueKind.whole(0, 3_600_000), 1000L,
            "How old an answer may be for which the cluster is not asked, in milliseconds; 0 = it is always asked.");
    public static final Key<Long> SERVE_STALE_MILLIS = row("fleet.serve-stale-millis",
            // Three days, as RFC 8767 has it; ages are counted for twelve.
            ValueKind.whole(0, 259_200_000), 0L,
            "How old an answer may be while the cluster does not answer, in milliseconds (RFC 8767); 0 = such questions fail.");
    public static final Key<List<InetSocketAddress>> FRONT_ENDS = row("fleet.front-ends",
            ValueKind.list(AddressKinds.addressWithPort(), "addresses with ports, such as \"192.0.2.11:5084\""),
            List.of(),
            "All servers of the fleet, the same list at each: a server tells the others by UDP what it wrote, so that they do not answer"
                    + " older, and listens at the first that is an address of its machine. Needs sites.key-file.");

    private FleetKeys() {}

    private static <T> Key<T> row(String name, ValueKind<T> kind, Object standard, String sentence) {
        Key<T> key = new Key<>(name, kind, standard, false, sentence);
        ROWS.add(key);
        return key;
    }
}
