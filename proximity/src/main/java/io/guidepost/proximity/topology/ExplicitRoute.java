package io.guidepost.proximity.topology;

import io.guidepost.base.Address;

/**
 * An explicit route inside the network: traffic for a router leaves by a card.
 *
 * @param nic index of the card
 * @param destination id of the router
 */
public record ExplicitRoute(int nic, Address destination) {}
