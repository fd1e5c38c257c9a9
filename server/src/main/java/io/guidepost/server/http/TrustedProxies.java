package io.guidepost.server.http;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Looks through trusted proxies at whom they ask for. */
final class TrustedProxies {
    private TrustedProxies() {}

    /**
     * Returns the client: the peer, or if that is a trusted proxy the last one in X-Forwarded-For that is none. What is no
     * numeric address there ends the search, as no trusted proxy vouches for what stands before it.
     */
    static InetSocketAddress clientOf(InetSocketAddress peer, List<String> forwardedFor, List<Prefix> trusted) {
        if (trusted.isEmpty() || forwardedFor.isEmpty() || !isTrusted(peer.getAddress(), trusted)) {
            return peer;
        }
        List<String> hops = new ArrayList<>();
        forwardedFor.forEach(each -> hops.addAll(Arrays.asList(each.split(",", -1))));
        InetSocketAddress who = peer;
        for (String each : hops.reversed()) {
            InetAddress address;
            try {
                address = InetAddress.ofLiteral(each.strip());
            } catch (IllegalArgumentException e) {
                return who;
            }
            who = new InetSocketAddress(address, 0);
            if (!isTrusted(address, trusted)) {
                return who;
            }
        }
        return who;
    }

    private static boolean isTrusted(InetAddress address, List<Prefix> trusted) {
        return trusted.stream().anyMatch(each -> each.contains(Addresses.high(address), Addresses.low(address)));
    }
}
