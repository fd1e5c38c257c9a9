package io.guidepost.fleet;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a front end reaches its cluster.
 *
 * @param contactPoints nodes of which one must answer at first; the others are learnt from it. All are of one data centre, whose nodes
 *     are asked
 * @param keyspace where the tables are
 * @param user of the cluster; empty = no authentication
 * @param password of that user
 * @param authority file with the certificates, in PEM, that those of the nodes are signed with; empty = no TLS
 * @param consistency the quorum
 * @param staleMillis how old an answer may be that the cluster is not asked for; 0 = it is always asked
 * @param serveStaleMillis how old an answer may be while the cluster does not answer (RFC 8767); 0 = none is given
 */
public record FleetSettings(
        List<InetSocketAddress> contactPoints,
        String keyspace,
        String user,
        String password,
        Optional<Path> authority,
        Consistency consistency,
        long staleMillis,
        long serveStaleMillis) {
    /** Of which replicas a quorum must answer. */
    public enum Consistency {
        /** Of those in the data centre: a front end goes on when the others are away, and does not see what they decide. */
        LOCAL_QUORUM,
        /** Of those in all data centres. */
        QUORUM
    }
}
