package io.guidepost.alto;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The client that sent a request.
 *
 * @param address of the client, behind trusted proxies
 */
public record AltoCaller(Address address) {
    private static final int IPV4_BYTES = 4;

    /** Converts an address of the Java library. */
    public static AltoCaller of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return new AltoCaller(
                bytes.remaining() == IPV4_BYTES
                        ? new Address(Addresses.IPV4_HIGH, Addresses.ipv4Low(bytes.getInt()))
                        : new Address(bytes.getLong(), bytes.getLong()));
    }
}
