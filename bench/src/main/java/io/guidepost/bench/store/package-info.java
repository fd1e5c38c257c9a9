/** Scenes of the record store: many records, writes, start-up, against the storage engine alone. */
@NullMarked
package io.guidepost.bench.store;

import org.jspecify.annotations.NullMarked;
