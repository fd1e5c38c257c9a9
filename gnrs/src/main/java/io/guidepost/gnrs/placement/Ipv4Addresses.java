package io.guidepost.gnrs.placement;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** IPv4 addresses as 32-bit numbers, and as the library has them. */
public final class Ipv4Addresses {
    private Ipv4Addresses() {}

    public static Inet4Address ipv4(int address) {
        byte[] bytes = {(byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address};
        try {
            return (Inet4Address) InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }
}
