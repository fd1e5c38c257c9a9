package io.guidepost.server.config;

/** Where the records are. */
public enum StoreEngine {
    /** In files of this server. */
    ROCKSDB,
    /** In a cluster of Apache Cassandra, which any number of servers share. */
    CASSANDRA
}
