package io.guidepost.alto;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import java.net.InetAddress;

/**
 * The client that sent a request.
 *
 * @param address of the client, behind trusted proxies
 */
public record AltoCaller(Address address) {
    /** Converts an address of the Java library. */
    public static AltoCaller of(InetAddress address) {
        return new AltoCaller(new Address(Addresses.high(address), Addresses.low(address)));
    }
}
