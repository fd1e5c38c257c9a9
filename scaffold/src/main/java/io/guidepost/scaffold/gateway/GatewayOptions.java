package io.guidepost.scaffold.gateway;

import io.guidepost.scaffold.flow.GatewaySettings;
import io.guidepost.scaffold.wire.HostLocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ports of a gateway.
 *
 * @param tun name of the TUN device, up to 15 letters
 * @param mtu of that device: 576 to 65,000; at least 60 less than that of each link
 * @param port UDP port of all own sockets
 * @param routers object routers to join
 * @param addresses own addresses to use; empty for those of all links
 * @param zone names below it are objects
 * @param dns where questions for that zone are answered; null for nowhere
 * @param machine bounds and addresses
 * @param seals whether the packets of all flows are sealed
 * @param labels whether flows are carried by labels where the path has them
 * @param flows file in which flows and the TUN device outlive this process; null if they end with it
 */
public record GatewayOptions(
        String tun,
        int mtu,
        int port,
        List<HostLocator> routers,
        List<InetAddress> addresses,
        String zone,
        @Nullable InetSocketAddress dns,
        GatewaySettings machine,
        boolean seals,
        boolean labels,
        @Nullable Path flows) {
    private static final int MTU_MIN = 576;
    private static final int MTU_MAX = 65_000;

    /** Checks ranges. */
    public GatewayOptions {
        if (mtu < MTU_MIN || mtu > MTU_MAX) {
            throw new IllegalArgumentException("the MTU is " + mtu + "; it must be " + MTU_MIN + " to " + MTU_MAX);
        }
        if (addresses.size() > GatewayLimits.WAYS_MAX) {
            throw new IllegalArgumentException("there are " + addresses.size() + " own addresses; a gateway uses up to "
                    + GatewayLimits.WAYS_MAX);
        }
    }
}
