/**
 * Ports of DPDK 22.11: network cards polled from user space, and its software devices. See
 * {@link io.guidepost.packet.dpdk.Dpdk}.
 */
package io.guidepost.packet.dpdk;
