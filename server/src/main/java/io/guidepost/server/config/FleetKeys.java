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
            "Nodes of the cluster of which one must answer at the start; the others are learnt from it. Needed with store.engine ="
                    + " cassandra.");
    public static final Key<String> DATA_CENTRE = row("fleet.data-centre",
            ValueKind.text("letters, digits and . _ -", "[A-Za-z0-9._-]{1,128}"), "datacenter1",
            "Data centre whose nodes are asked, as the cluster calls it.");
    public static final Key<String> KEYSPACE = row("fleet.keyspace",
            ValueKind.text("1 to 48 letters, digits and underscores", "[A-Za-z0-9_]{1,48}"), "guidepost",
            "Keyspace of the tables, which guidepost fleet schema makes.");
    public static final Key<String> USER = row("fleet.user",
            ValueKind.text("letters, digits and . _ @ -", "[A-Za-z0-9._@-]{0,128}"), "",
            "User of the cluster; empty = it is asked without authentication.");
    public static final Key<Path> PASSWORD_FILE = row("fleet.password-file",
            PathKinds.file(), Path.of(""),
            "File whose first line is the password of that user.");
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

    private FleetKeys() {}

    private static <T> Key<T> row(String name, ValueKind<T> kind, Object standard, String sentence) {
        Key<T> key = new Key<>(name, kind, standard, false, sentence);
        ROWS.add(key);
        return key;
    }
}
