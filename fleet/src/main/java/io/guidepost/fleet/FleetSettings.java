package io.guidepost.fleet;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a front end reaches its cluster.
 *
 * @param contactPoints nodes of which one must answer at the start; the others are learnt from it
 * @param dataCentre whose nodes are asked
 * @param keyspace where the tables are
 * @param user of the cluster; empty = no authentication
 * @param password of that user
 * @param authority file with the certificates, in PEM, that those of the nodes are signed with; empty = no TLS
 * @param consistency the quorum
 * @param staleMillis how old an answer may be that the cluster is not asked for; 0 = it is always asked
 */
public record FleetSettings(
        List<InetSocketAddress> contactPoints,
        String dataCentre,
        String keyspace,
        String user,
        String password,
        Optional<Path> authority,
        Consistency consistency,
        long staleMillis) {
    /** Of which replicas a quorum must answer. */
    public enum Consistency {
        /** Of those in the data centre: a front end goes on when the others are away, and does not see what they decide. */
        LOCAL_QUORUM,
        /** Of those in all data centres. */
        QUORUM
    }
}
