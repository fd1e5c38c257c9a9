/** Scenes of SCAFFOLD: outages, throughput and latency between hosts in namespaces, and its machines alone. */
package io.guidepost.bench.scaffold;
