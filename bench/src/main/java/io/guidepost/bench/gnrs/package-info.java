/** Scenes of GNRS: throughput, latency, floods, placement, several servers. */
@NullMarked
package io.guidepost.bench.gnrs;

import org.jspecify.annotations.NullMarked;
