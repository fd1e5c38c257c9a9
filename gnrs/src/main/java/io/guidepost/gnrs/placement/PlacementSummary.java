package io.guidepost.gnrs.placement;

/**
 * The inputs of a placement in numbers, for metrics and for the operator who loads a table.
 *
 * @param prefixes different prefixes of the table; in compatible mode, different bases
 * @param ases ASes that announce a prefix
 * @param unboundAses those of them without a server: in compatible mode their replicas are missing, else their prefixes
 *     count as not announced
 * @param servers different servers that the other ASes are bound to
 * @param announcedShare the share of all IPv4 addresses that lie in a prefix of an AS with a server, 0 to 1
 * @param allHere whether every AS of the table is bound to this server, so that every GUID is placed here
 */
public record PlacementSummary(
        int prefixes, int ases, int unboundAses, int servers, double announcedShare, boolean allHere) {}
