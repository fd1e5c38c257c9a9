package io.guidepost.scaffold.wire;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * Where a host receives carried packets: an address and a UDP port. In 18 bytes on the wire, IPv4 in its mapped form.
 *
 * @param high high half of the address, as in {@link Addresses}
 * @param low low half of it
 * @param port 1 to 65,535
 */
public record HostLocator(long high, long low, int port) {
    /** Bytes on the wire and in records. */
    public static final int BYTES = 18;

    /** Reads one; its bytes are there. */
    public static HostLocator read(MemorySegment segment, long at) {
        return new HostLocator(
                segment.get(Memory.LONG, at),
                segment.get(Memory.LONG, at + Long.BYTES),
                Short.toUnsignedInt(segment.get(ControlMessage.SHORT, at + 2 * Long.BYTES)));
    }

    /** Writes it; there is room. */
    public void write(MemorySegment segment, long at) {
        segment.set(Memory.LONG, at, high);
        segment.set(Memory.LONG, at + Long.BYTES, low);
        segment.set(ControlMessage.SHORT, at + 2 * Long.BYTES, (short) port);
    }

    /** Returns the locator of a socket's address. */
    public static HostLocator of(InetSocketAddress address) {
        return new HostLocator(Addresses.high(address.getAddress()), Addresses.low(address.getAddress()), address.getPort());
    }

    /** Returns the address of a socket. */
    public InetSocketAddress toSocketAddress() {
        return new InetSocketAddress(Addresses.toInetAddress(high, low), port);
    }

    @Override
    public String toString() {
        return AddressText.of(toSocketAddress());
    }
}
