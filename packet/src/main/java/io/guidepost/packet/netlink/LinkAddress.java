package io.guidepost.packet.netlink;

/**
 * An address of an interface of this host.
 *
 * @param device name of the interface
 * @param deviceIndex the kernel's number of the interface; a later one of its name has another
 * @param high high half of the address, as in {@link io.guidepost.base.Addresses}
 * @param low low half of it
 * @param prefixBits of the network that it is of: 32 of IPv4, or 128, if it stands alone
 * @param up whether the interface is up and has its link
 * @param network whether the interface leads to other hosts: no loopback, no tunnel of a program
 */
public record LinkAddress(String device, int deviceIndex, long high, long low, int prefixBits, boolean up, boolean network) {}
