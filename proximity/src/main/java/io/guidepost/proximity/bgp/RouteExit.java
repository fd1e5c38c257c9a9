package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;

/**
 * Where traffic leaves for the prefixes that a peer tells.
 *
 * @param router id of the router
 * @param nic index of the card that they hang on
 */
public record RouteExit(Address router, int nic) {}
