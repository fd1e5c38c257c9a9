package io.guidepost.middlebox.generator;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.linux.MappedMemory;

/**
 * A precomputed frame of one size: each frame is a copy with five fields filled in, and its checksums are the
 * template's partial sums plus the fields (RFC 1071).
 */
final class FrameTemplate {
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int VLAN = 0x8100;
    private static final int UDP = 17;
    private static final int TTL = 64;

    private final long address;
    private final int bytes;
    private final int network;
    private final int transport;
    private final boolean ipv4;
    private final long networkSum;
    private final long transportSum;
    private final boolean verbatim;

    /** Creates a template of a recorded frame. */
    FrameTemplate(long from, int bytes) {
        this.bytes = bytes;
        address = new MappedMemory(bytes).segment().address();
        Memory.copy(from, address, bytes);
        verbatim = true;
        ipv4 = false;
        network = 0;
        transport = 0;
        networkSum = 0;
        transportSum = 0;
    }

    FrameTemplate(TrafficProfile traffic, int size) {
        bytes = size - TrafficProfile.CHECK_BYTES;
        verbatim = false;
        ipv4 = traffic.isIpv4();
        network = traffic.vlan() < 0 ? 14 : 18;
        transport = network + (ipv4 ? 20 : 40);
        address = new MappedMemory(bytes).segment().fill((byte) traffic.pattern()).address();
        ethernet(traffic);
        if (ipv4) {
            Memory.put64(address + network, 0x4500_0000_0000_4000L | (long) (bytes - network) << 32);
            Memory.put64(address + network + 8, (long) (TTL << 8 | UDP) << 48);
            Memory.put32(address + network + 16, 0);
        } else {
            Memory.put64(address + network, 0x6000_0000_0000_0000L | (long) (bytes - transport) << 16 | UDP << 8 | TTL);
            ipv6Address(address + network + 8, Addresses.high(traffic.source()), Addresses.low(traffic.source()));
            ipv6Address(
                    address + network + 24, Addresses.high(traffic.destination()), Addresses.low(traffic.destination()));
        }
        Memory.put64(address + transport, (long) (bytes - transport) << 16);
        ProbePayload.put(address + transport + 8, 0, 0);
        networkSum = InternetChecksum.add(0, address + network, transport - network);
        long pseudo = ipv4 ? 0 : InternetChecksum.add(0, address + network + 8, 32);
        transportSum = InternetChecksum.add(pseudo + UDP + bytes - transport, address + transport, bytes - transport);
    }

    private void ethernet(TrafficProfile traffic) {
        Memory.put64(address, traffic.destinationMac() << 16 | traffic.sourceMac() >>> 32);
        Memory.put32(address + 8, (int) traffic.sourceMac());
        if (traffic.vlan() >= 0) {
            Memory.put32(address + 12, VLAN << 16 | traffic.vlan());
        }
        Memory.put16(address + network - 2, ipv4 ? IPV4 : IPV6);
    }

    /** Writes an address without its low 32 bits, which differ between flows. */
    private static void ipv6Address(long at, long high, long low) {
        Memory.put64(at, high);
        Memory.put64(at + 8, low & 0xffff_ffff_0000_0000L);
    }

    int bytes() {
        return bytes;
    }

    /**
     * Writes a frame.
     *
     * @param source low 32 bits of the source address
     * @param destination low 32 bits of the destination address
     * @param ports source and destination port, the source in the upper half
     */
    void write(long to, int source, int destination, int ports, long head, long nanos) {
        Memory.copy(address, to, bytes);
        if (verbatim) {
            return;
        }
        long addresses = Integer.toUnsignedLong(source) + Integer.toUnsignedLong(destination);
        if (ipv4) {
            Memory.put32(to + network + 12, source);
            Memory.put32(to + network + 16, destination);
            Memory.put16(to + network + 10, InternetChecksum.fold(networkSum + addresses));
        } else {
            Memory.put32(to + network + 20, source);
            Memory.put32(to + network + 36, destination);
        }
        Memory.put32(to + transport, ports);
        ProbePayload.put(to + transport + 8, head, nanos);
        long sum = transportSum + addresses + Integer.toUnsignedLong(ports) + halves(head) + halves(nanos);
        int checksum = InternetChecksum.fold(sum);
        Memory.put16(to + transport + 6, checksum == 0 ? 0xffff : checksum);
    }

    private static long halves(long word) {
        return (word >>> 32) + (word & 0xffff_ffffL);
    }
}
