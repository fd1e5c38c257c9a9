package io.guidepost.packet.udp;

import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketLimits;
import java.net.Inet6Address;
import java.net.InetSocketAddress;

/**
 * Settings of a UDP port.
 *
 * @param local address and port number to bind; number 0 takes any free one
 * @param queues sockets that share the address, one for each worker, 1 to 256
 * @param backEnd the back end
 * @param segmentationOffload segmentation offload; the channel back end never uses it
 * @param burstMax datagrams in a burst, 1 to 1024
 * @param datagramBytesMax longest datagram, 1 to 65,535; longer ones are dropped as {@link Drop#TRUNCATED}
 * @param receiveBufferBytes kernel receive buffer of each queue
 * @param sendBufferBytes kernel send buffer of each queue
 * @param device interface that datagrams come and go by, whatever the routes say; empty for any. The back end KERNEL alone
 */
public record UdpSettings(
        InetSocketAddress local,
        int queues,
        UdpBackEnd backEnd,
        SegmentationOffload segmentationOffload,
        int burstMax,
        int datagramBytesMax,
        int receiveBufferBytes,
        int sendBufferBytes,
        String device) {
    /** Checks ranges. */
    public UdpSettings {
        PacketLimits.check("queues", queues, 1, PacketLimits.QUEUES_MAX);
        PacketLimits.check("burstMax", burstMax, 1, PacketLimits.BURST_MAX);
        PacketLimits.check("datagramBytesMax", datagramBytesMax, 1, PacketLimits.DATAGRAM_BYTES_MAX);
        PacketLimits.check("receiveBufferBytes", receiveBufferBytes, 1, Integer.MAX_VALUE / 2);
        PacketLimits.check("sendBufferBytes", sendBufferBytes, 1, Integer.MAX_VALUE / 2);
        if (local.isUnresolved()) {
            throw new IllegalArgumentException("the host " + local.getHostString() + " is not known; use an address");
        }
    }

    /** Returns whether the address is IPv6. */
    boolean ipv6() {
        return local.getAddress() instanceof Inet6Address;
    }

    /** Returns whether the port is bound to every address of the host. */
    boolean wildcard() {
        return local.getAddress().isAnyLocalAddress();
    }

    /** Returns one queue at an address, and defaults for the rest. */
    public static UdpSettings of(InetSocketAddress local) {
        return new UdpSettings(
                local,
                1,
                UdpBackEnd.BEST,
                SegmentationOffload.AUTO,
                64,
                PacketLimits.DATAGRAM_BYTES_MAX,
                PacketLimits.RECEIVE_BUFFER_BYTES,
                PacketLimits.SEND_BUFFER_BYTES,
                "");
    }

    /** Returns the same with another number of queues. */
    public UdpSettings withQueues(int number) {
        return new UdpSettings(
                local, number, backEnd, segmentationOffload, burstMax, datagramBytesMax, receiveBufferBytes, sendBufferBytes, device);
    }

    /** Returns the same with another back end. */
    public UdpSettings withBackEnd(UdpBackEnd way) {
        return new UdpSettings(
                local, queues, way, segmentationOffload, burstMax, datagramBytesMax, receiveBufferBytes, sendBufferBytes, device);
    }

    /** Returns the same with another rule for segmentation offload. */
    public UdpSettings withSegmentationOffload(SegmentationOffload rule) {
        return new UdpSettings(
                local, queues, backEnd, rule, burstMax, datagramBytesMax, receiveBufferBytes, sendBufferBytes, device);
    }

    /** Returns the same with bursts of another size. */
    public UdpSettings withBurstMax(int datagrams) {
        return new UdpSettings(
                local, queues, backEnd, segmentationOffload, datagrams, datagramBytesMax, receiveBufferBytes, sendBufferBytes, device);
    }

    /** Returns the same with another longest datagram. */
    public UdpSettings withDatagramBytesMax(int bytes) {
        return new UdpSettings(
                local, queues, backEnd, segmentationOffload, burstMax, bytes, receiveBufferBytes, sendBufferBytes, device);
    }

    /** Returns the same with other kernel buffers. */
    public UdpSettings withBuffers(int receiveBytes, int sendBytes) {
        return new UdpSettings(local, queues, backEnd, segmentationOffload, burstMax, datagramBytesMax, receiveBytes, sendBytes, device);
    }

    /** Returns the same on one interface. */
    public UdpSettings withDevice(String name) {
        return new UdpSettings(
                local, queues, backEnd, segmentationOffload, burstMax, datagramBytesMax, receiveBufferBytes, sendBufferBytes, name);
    }
}
