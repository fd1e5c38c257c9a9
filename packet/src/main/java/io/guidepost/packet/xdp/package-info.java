/**
 * Ports over AF_XDP: our eBPF program takes frames of an interface before the kernel's network stack sees them, into
 * packet memory that both sides have mapped.
 *
 * <pre>
 *             fill: free pieces                       tx: frames to send
 *   queue  ---------------------&gt;  kernel, one     ---------------------&gt;  kernel
 *          &lt;---------------------  socket a queue  &lt;---------------------
 *             rx: frames that came                    completion: sent, free again
 * </pre>
 *
 * <p>Everything is done with the kernel's calls, no library is needed: bpf(2) for maps, program and link; socket,
 * setsockopt and mmap for queues (linux/if_xdp.h). It needs Linux 5.9 on x86-64 or aarch64, and root or the capabilities
 * CAP_BPF, CAP_NET_ADMIN and CAP_NET_RAW.
 */
package io.guidepost.packet.xdp;
