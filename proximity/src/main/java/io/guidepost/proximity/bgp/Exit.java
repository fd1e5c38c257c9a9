package io.guidepost.proximity.bgp;

import io.guidepost.proximity.Address;

/**
 * Where traffic leaves for the prefixes that a peer tells.
 *
 * @param router id of the router
 * @param nic index of the card that they hang on
 */
public record Exit(Address router, int nic) {}
