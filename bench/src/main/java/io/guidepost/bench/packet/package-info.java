/** Scenes of the packet framework: AF_XDP and DPDK against C programs, firewall, frames. */
@NullMarked
package io.guidepost.bench.packet;

import org.jspecify.annotations.NullMarked;
