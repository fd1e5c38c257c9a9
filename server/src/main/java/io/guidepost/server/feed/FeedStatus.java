package io.guidepost.server.feed;

import io.guidepost.base.Counters;
import io.guidepost.proximity.bgp.RibPeer;
import io.guidepost.proximity.policy.ImportRefusal;
import io.guidepost.web.JsonWriter;
import java.util.Collection;
import java.util.Map;

/**
 * How one feed stands.
 *
 * @param feed its name: kind, and address or file
 * @param up whether it tells
 * @param state in a word or two
 * @param reason why it ended last, or what was wrong last; may be empty
 * @param router where its routes leave, in words
 * @param routesIpv4 how many it told
 * @param routesIpv6 how many it told
 * @param messages since the start
 * @param updates messages with routes among them
 * @param faults messages that were taken only in part, or not at all
 * @param refused routes that were announced and not imported, by reason
 * @param sessions how often a session began
 */
record FeedStatus(
        String feed,
        boolean up,
        String state,
        String reason,
        String router,
        long routesIpv4,
        long routesIpv6,
        long messages,
        long updates,
        long faults,
        Map<String, Long> refused,
        long sessions) {
    /** Sums what the import policy refused of several peers, by reason. */
    static Map<String, Long> refused(Collection<RibPeer> peers) {
        return Counters.sum(ImportRefusal.class, peers.stream().map(RibPeer::refusals).toList());
    }

    Map<String, Object> json() {
        return JsonWriter.object(
                "feed", feed, "up", up, "state", state, "reason", reason, "router", router, "routes-ipv4", routesIpv4,
                "routes-ipv6", routesIpv6, "messages", messages, "updates", updates, "faults", faults,
                "refused", refused, "sessions", sessions);
    }
}
