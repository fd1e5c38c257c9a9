package io.guidepost.handle.service;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Whom the bounds for one sender hold for: an address of IPv4, or the first 64 bits of one of IPv6, as whoever has one of
 * those has them all.
 *
 * @param bits of the address
 * @param six whether it is of IPv6
 */
record QuotaNetwork(long bits, boolean six) {
    static QuotaNetwork of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet6Address ? new QuotaNetwork(bytes.getLong(), true) : new QuotaNetwork(bytes.getInt(), false);
    }

    static QuotaNetwork of(HandleRequest call) {
        InetAddress address = call.peer().getAddress();
        return address == null ? new QuotaNetwork(0, false) : of(address);
    }
}
