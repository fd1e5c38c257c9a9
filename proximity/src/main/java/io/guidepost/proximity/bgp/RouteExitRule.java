package io.guidepost.proximity.bgp;

/** Determines the exit of a route. */
public sealed interface RouteExitRule {
    /** All routes of the peer leave at one router; if the topology lacks it, it is added without links. */
    record Fixed(RouteExit exit) implements RouteExitRule {}

    /**
     * Each route leaves at the router that is its next hop, as a route reflector passes on routes with next-hop-self.
     * Routes whose next hop is no router of the topology lead nowhere.
     *
     * @param nic index of the card to which they are attached
     */
    record NextHop(int nic) implements RouteExitRule {}
}
