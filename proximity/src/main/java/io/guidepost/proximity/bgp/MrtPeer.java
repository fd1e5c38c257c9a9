package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;

/**
 * A router that told a collector what a file of MRT has.
 *
 * @param address of its session
 * @param as its AS number
 * @param identifier of BGP, an IPv4 address; 0 where the file does not say
 */
public record MrtPeer(Address address, long as, int identifier) {}
