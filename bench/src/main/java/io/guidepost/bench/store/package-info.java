/** Scenes of the record store: many records, writes, start-up, against the storage engine alone. */
package io.guidepost.bench.store;
