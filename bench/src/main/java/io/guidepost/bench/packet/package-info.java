/** Scenes of the packet framework: AF_XDP and DPDK against C programs, firewall, frames. */
package io.guidepost.bench.packet;
