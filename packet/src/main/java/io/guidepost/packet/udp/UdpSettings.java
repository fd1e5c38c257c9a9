package io.guidepost.packet.udp;

import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketLimits;
import java.net.Inet6Address;
import java.net.InetSocketAddress;

/**
 * What a UDP port shall be.
 *
 * @param local address and port number to bind; number 0 takes any that is free
 * @param queues sockets that share the address, one for each worker, 1 to 256
 * @param backEnd the way to the kernel
 * @param trains whether datagrams of one peer may be handled together; the channel back end never does
 * @param burstMax datagrams in a burst, 1 to 1024
 * @param datagramBytesMax longest datagram that is received or sent, 1 to 65,535; longer ones that arrive are dropped
 *     as {@link Drop#TRUNCATED}
 * @param receiveBufferBytes memory that the kernel may hold datagrams in until they are read, of each queue
 * @param sendBufferBytes memory that the kernel may hold datagrams in until they have left, of each queue
 */
public record UdpSettings(
        InetSocketAddress local,
        int queues,
        UdpBackEnd backEnd,
        SegmentationOffload trains,
        int burstMax,
        int datagramBytesMax,
        int receiveBufferBytes,
        int sendBufferBytes) {
    /** Checks ranges. */
    public UdpSettings {
        check("queues", queues, 1, PacketLimits.QUEUES_MAX);
        check("burstMax", burstMax, 1, PacketLimits.BURST_MAX);
        check("datagramBytesMax", datagramBytesMax, 1, PacketLimits.DATAGRAM_BYTES_MAX);
        check("receiveBufferBytes", receiveBufferBytes, 1, Integer.MAX_VALUE / 2);
        check("sendBufferBytes", sendBufferBytes, 1, Integer.MAX_VALUE / 2);
        if (local.isUnresolved()) {
            throw new IllegalArgumentException("the host " + local.getHostString() + " is not known; use an address");
        }
    }

    /** Returns whether the address is one of IPv6. */
    boolean ipv6() {
        return local.getAddress() instanceof Inet6Address;
    }

    /** Returns whether every address of the host is meant. */
    boolean wildcard() {
        return local.getAddress().isAnyLocalAddress();
    }

    /** Returns one queue at an address, and everything else as is best for most. */
    public static UdpSettings of(InetSocketAddress local) {
        return new UdpSettings(
                local,
                1,
                UdpBackEnd.BEST,
                SegmentationOffload.AUTO,
                64,
                PacketLimits.DATAGRAM_BYTES_MAX,
                PacketLimits.RECEIVE_BUFFER_BYTES,
                PacketLimits.SEND_BUFFER_BYTES);
    }

    /** Returns the same with another number of queues. */
    public UdpSettings withQueues(int number) {
        return new UdpSettings(
                local, number, backEnd, trains, burstMax, datagramBytesMax, receiveBufferBytes, sendBufferBytes);
    }

    /** Returns the same by another way. */
    public UdpSettings withBackEnd(UdpBackEnd way) {
        return new UdpSettings(
                local, queues, way, trains, burstMax, datagramBytesMax, receiveBufferBytes, sendBufferBytes);
    }

    /** Returns the same with another rule for trains. */
    public UdpSettings withTrains(SegmentationOffload rule) {
        return new UdpSettings(
                local, queues, backEnd, rule, burstMax, datagramBytesMax, receiveBufferBytes, sendBufferBytes);
    }

    /** Returns the same with bursts of another size. */
    public UdpSettings withBurstMax(int datagrams) {
        return new UdpSettings(
                local, queues, backEnd, trains, datagrams, datagramBytesMax, receiveBufferBytes, sendBufferBytes);
    }

    /** Returns the same with another longest datagram. */
    public UdpSettings withDatagramBytesMax(int bytes) {
        return new UdpSettings(
                local, queues, backEnd, trains, burstMax, bytes, receiveBufferBytes, sendBufferBytes);
    }

    /** Returns the same with other buffers of the kernel. */
    public UdpSettings withBuffers(int receiveBytes, int sendBytes) {
        return new UdpSettings(local, queues, backEnd, trains, burstMax, datagramBytesMax, receiveBytes, sendBytes);
    }

    private static void check(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be " + min + " to " + max);
        }
    }
}
