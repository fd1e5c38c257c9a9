/** A {@code RecordStore} on Apache Cassandra: one row for each record, compare-and-set, lists, and a cache of bounded staleness. */
package io.guidepost.fleet;
