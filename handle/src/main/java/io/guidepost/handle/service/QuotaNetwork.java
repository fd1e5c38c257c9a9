package io.guidepost.handle.service;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The source network of a sender, for quotas: an IPv4 address, or the first 64 bits of an IPv6 address, as one customer
 * has all of those.
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
