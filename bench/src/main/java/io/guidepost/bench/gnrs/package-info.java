/** Scenes of GNRS: throughput, latency, floods, placement, several servers. */
package io.guidepost.bench.gnrs;
