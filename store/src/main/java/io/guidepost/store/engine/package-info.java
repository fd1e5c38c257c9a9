/** Storage engines under the store: RocksDB with one write-ahead log, and memory for tests. */
package io.guidepost.store.engine;
