package io.guidepost.lab.simulation;

import io.guidepost.base.Addresses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The addresses of hosts of a simulated network: IPv4 addresses in 10.0.0.0/8, servers first, clients from 10.1.0.0.
 */
final class SimulatedAddresses {
    /** The port on which servers answer clients, and each other. */
    static final int GNRS_PORT = 5001;

    /** The port on which servers receive responses to their anti-entropy. */
    static final int CATCH_UP_PORT = 5002;

    private static final int BASE = 10 << 24;

    private SimulatedAddresses() {}

    static long low(int host) {
        return Addresses.ipv4Low(BASE | host);
    }

    /** Returns the number of a host, or -1 if the address is outside this network. */
    static int host(long high, long low) {
        return Addresses.isIpv4(high, low) && ((int) low & 0xff << 24) == BASE ? (int) low & 0xffffff : -1;
    }

    static InetSocketAddress server(int host) {
        int address = BASE | host;
        byte[] bytes = {(byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address};
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), GNRS_PORT);
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }
}
