package io.guidepost.proximity.bgp;

/** How the exit of a route is found. */
public sealed interface RouteExitRule {
    /** All routes of the peer leave at one router; where the topology does not have it, it is added without links. */
    record Fixed(RouteExit exit) implements RouteExitRule {}

    /**
     * Each route leaves at the router that its next hop names, as a route reflector tells of routes whose routers put
     * themselves in as next hop. Routes whose next hop is no router of the topology lead nowhere.
     *
     * @param nic index of the card that they hang on
     */
    record NextHop(int nic) implements RouteExitRule {}
}
