package io.guidepost.proximity.topology;

import io.guidepost.base.Address;
import org.jspecify.annotations.Nullable;

/**
 * A network card of a router, with the one link that leaves by it. Two routers are linked where their cards name each
 * other: the own address of each is the peer address of the other, and both are up.
 *
 * @param index from 0
 * @param own its address, by which routes may name the router too; null if it has none
 * @param peer the address at the other end; null if it leads to no other router
 * @param up whether it works
 * @param link attributes of the outgoing direction; null if they are unknown, and then there is no link
 */
public record Nic(int index, @Nullable Address own, @Nullable Address peer, boolean up, @Nullable TopologyLink link) {}
