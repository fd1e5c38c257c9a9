/** Storage engines under the store: RocksDB with one write-ahead log, and memory for tests. */
@NullMarked
package io.guidepost.store.engine;

import org.jspecify.annotations.NullMarked;
