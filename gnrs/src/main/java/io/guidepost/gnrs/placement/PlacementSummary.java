package io.guidepost.gnrs.placement;

/**
 * What a placement was made of: numbers for metrics and for whoever loads a table.
 *
 * @param prefixes different prefixes of the table; in compatible mode, different bases
 * @param ases ASes that announce something
 * @param unboundAses those of them that have no server: in compatible mode replicas at them are missing, else their prefixes
 *     count as not announced
 * @param servers different servers that the other ASes are bound to
 * @param announcedShare which share of all IPv4 addresses lies in a prefix of an AS with a server, 0 to 1
 * @param allHere whether every AS of the table is bound to this server, so that every GUID is placed here
 */
public record PlacementSummary(
        int prefixes, int ases, int unboundAses, int servers, double announcedShare, boolean allHere) {}
