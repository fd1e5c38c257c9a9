package io.guidepost.packet.dpdk;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.PartialChecksums;

/**
 * Translates checksum states between rows and mbufs: flags, and for sending the lengths of the headers. Belongs to one
 * queue.
 *
 * <pre>
 *  tx_offload of struct rte_mbuf, 64 bits from the lowest:  7 bytes of Ethernet  9 bytes of IP  8 bytes of UDP or TCP
 * </pre>
 */
final class MbufChecksums {
    private static final int ETHERNET_BYTES_MAX = (1 << DpdkAbi23.MBUF_L2_BITS) - 1;
    private static final int IP_BYTES_MAX = (1 << DpdkAbi23.MBUF_L3_BITS) - 1;

    private static final int IPV6_BYTES = 40;

    private final boolean udp;
    private final boolean tcp;
    private final boolean searches;
    private final boolean byDevice;
    private final PartialChecksums partial = new PartialChecksums();
    private final HeaderParser headers = new HeaderParser();

    /**
     * Creates the translation of a queue.
     *
     * @param offloads flags of rte_eth_txmode given to the device
     * @param searches whether the driver passes a kernel's frames without their checksum state
     * @param byDevice whether rows carry the state; if not, partial checksums are completed on arrival
     */
    MbufChecksums(long offloads, boolean searches, boolean byDevice) {
        this.byDevice = byDevice;
        this.udp = (offloads & DpdkAbi23.TX_OFFLOAD_UDP) != 0;
        this.tcp = (offloads & DpdkAbi23.TX_OFFLOAD_TCP) != 0;
        this.searches = searches;
    }

    /** Has the partial checksums of an outgoing burst completed: by the device, or in software where it cannot. */
    void leave(Burst burst) {
        for (int i = 0; i < burst.count(); i++) {
            if (TransportChecksum.isPartial(burst.checksum(i)) && !tell(burst, i)) {
                InternetChecksum.complete(burst, i);
            }
        }
    }

    private boolean tell(Burst burst, int index) {
        boolean read = (udp || tcp) && headers.read(burst, index);
        int protocol = headers.protocol();
        if (!read || (protocol == HeaderParser.UDP ? !udp : protocol != HeaderParser.TCP || !tcp)) {
            return false;
        }
        long ethernet = headers.networkOffset();
        long ip = headers.transportOffset() - ethernet;
        long transport = (long) headers.payloadOffset() - headers.transportOffset();
        boolean same = headers.transportOffset() == TransportChecksum.start(burst.checksum(index));
        // Some drivers recompute the pseudo header, and mistake an IPv6 extension header for the transport.
        boolean plain = headers.isIpv4() || ip == IPV6_BYTES;
        if (!same || !plain || ethernet > ETHERNET_BYTES_MAX || ip > IP_BYTES_MAX) {
            return false;
        }
        long mbuf = burst.handle(index);
        long flags = (protocol == HeaderParser.UDP ? DpdkAbi23.MBUF_TX_UDP : DpdkAbi23.MBUF_TX_TCP)
                | (headers.isIpv4() ? DpdkAbi23.MBUF_TX_IPV4 : DpdkAbi23.MBUF_TX_IPV6);
        Memory.put64Le(mbuf + DpdkAbi23.MBUF_OL_FLAGS, flags);
        Memory.put64Le(
                mbuf + DpdkAbi23.MBUF_TX_OFFLOAD,
                ethernet | ip << DpdkAbi23.MBUF_L2_BITS | transport << DpdkAbi23.MBUF_L2_BITS + DpdkAbi23.MBUF_L3_BITS);
        return true;
    }

    /** Sets a row's checksum state from a received mbuf. */
    void take(Burst burst, int index, long mbuf) {
        int said = Memory.i32Le(mbuf + DpdkAbi23.MBUF_OL_FLAGS) & DpdkAbi23.MBUF_RX_L4_PARTIAL;
        if (said == DpdkAbi23.MBUF_RX_L4_RIGHT) {
            burst.checksum(index, TransportChecksum.RIGHT);
        } else if (said == DpdkAbi23.MBUF_RX_L4_WRONG) {
            burst.checksum(index, TransportChecksum.WRONG);
        } else if (said == DpdkAbi23.MBUF_RX_L4_PARTIAL || searches) {
            partial.find(burst, index);
        }
        if (!byDevice) {
            InternetChecksum.complete(burst, index);
        }
    }
}
