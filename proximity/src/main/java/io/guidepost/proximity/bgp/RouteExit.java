package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;

/**
 * The exit by which traffic leaves for the prefixes of a peer.
 *
 * @param router id of the router
 * @param nic index of the card to which they are attached
 */
public record RouteExit(Address router, int nic) {}
