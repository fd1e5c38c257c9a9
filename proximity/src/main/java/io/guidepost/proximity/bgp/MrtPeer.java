package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;

/**
 * A peer of the collector that wrote an MRT file.
 *
 * @param address of its session
 * @param as its AS number
 * @param identifier BGP identifier, an IPv4 address; 0 if the file does not have it
 */
public record MrtPeer(Address address, long as, int identifier) {}
