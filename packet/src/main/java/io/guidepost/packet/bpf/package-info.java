/** Programs in the kernel (eBPF): an assembler, the calls that load and attach them, and flows whose addresses the kernel changes. */
package io.guidepost.packet.bpf;
