package io.guidepost.packet.dpdk;

/**
 * Offsets, sizes and flags of DPDK's structures in ABI 23, the releases 22.11. {@code packet/src/main/c/dpdk_layout.c}
 * prints them from the headers of an installation; a test compares them where there are headers. Other ABIs are
 * refused: one store at a wrong offset would corrupt packets silently.
 */
final class DpdkAbi23 {
    // The supported ABI.
    static final int RELEASE_YEAR = 22;
    static final int RELEASE_MONTH = 11;
    static final int PORTS_MAX = 32;

    // struct rte_mbuf.
    static final int MBUF_BYTES = 128;
    static final int MBUF_REARM = 16;
    static final int MBUF_DATA_OFF = 16;
    static final int MBUF_REFCNT = 18;
    static final int MBUF_NB_SEGS = 20;
    static final int MBUF_OL_FLAGS = 24;
    static final int MBUF_PKT_LEN = 36;
    static final int MBUF_DATA_LEN = 40;
    static final int MBUF_BUF_ADDR = 0;
    static final int MBUF_POOL = 56;
    static final int MBUF_NEXT = 64;
    static final long MBUF_NOT_DIRECT = 0x6000000000000000L;
    static final int HEADROOM_BYTES = 128;
    static final int MBUF_TX_OFFLOAD = 72;
    static final int MBUF_L2_BITS = 7;
    static final int MBUF_L3_BITS = 9;
    static final int MBUF_L4_BITS = 8;
    static final long MBUF_TX_UDP = 0x0030000000000000L;
    static final long MBUF_TX_TCP = 0x0010000000000000L;
    static final long MBUF_TX_IPV4 = 0x0080000000000000L;
    static final long MBUF_TX_IPV6 = 0x0100000000000000L;
    static final int MBUF_RX_L4_RIGHT = 0x100;
    static final int MBUF_RX_L4_WRONG = 0x8;
    static final int MBUF_RX_L4_PARTIAL = 0x108;

    // struct rte_mempool, rte_mempool_cache, rte_mempool_ops_table, rte_mempool_ops.
    static final int MEMPOOL_ELT_SIZE = 72;
    static final int MEMPOOL_HEADER_SIZE = 76;
    static final int MEMPOOL_TRAILER_SIZE = 80;
    static final int MEMPOOL_OPS_INDEX = 88;
    static final int MEMPOOL_LOCAL_CACHE = 96;
    static final int MEMPOOL_NO_IOVA_CONTIG = 0x20;
    static final int CACHE_BYTES = 8256;
    static final int CACHE_SIZE = 0;
    static final int CACHE_FLUSH_AT = 4;
    static final int CACHE_LENGTH = 8;
    static final int CACHE_OBJECTS = 64;
    static final int CACHE_SIZE_MAX = 512;
    static final int OPS_TABLE = 64;
    static final int OPS_BYTES = 128;
    static final int OPS_ENQUEUE = 48;
    static final int OPS_DEQUEUE = 56;
    static final int POOL_PRIVATE_BYTES = 8;
    static final int POOL_PRIVATE_ROOM = 0;

    // struct rte_eth_fp_ops.
    static final int FAST_BYTES = 128;
    static final int FAST_RX_BURST = 0;
    static final int FAST_RX_DATA = 24;
    static final int FAST_TX_BURST = 64;
    static final int FAST_TX_DATA = 88;

    // struct rte_eth_conf.
    static final int CONF_BYTES = 2272;
    static final int CONF_RX_MQ_MODE = 8;
    static final int CONF_RX_MTU = 12;
    static final int CONF_RX_OFFLOADS = 24;
    static final int CONF_TX_OFFLOADS = 72;
    static final int CONF_RSS_HASHES = 144;
    static final int RX_MQ_RSS = 1;
    static final int RX_OFFLOAD_SCATTER = 8192;
    static final int TX_OFFLOAD_FAST_FREE = 65536;
    static final int RX_OFFLOAD_UDP = 4;
    static final int RX_OFFLOAD_TCP = 8;
    static final int TX_OFFLOAD_UDP = 4;
    static final int TX_OFFLOAD_TCP = 8;
    static final int RSS_IP_UDP_TCP = 241596;

    // struct rte_eth_dev_info.
    static final int INFO_BYTES = 376;
    static final int INFO_DEVICE = 0;
    static final int INFO_DRIVER_NAME = 8;
    static final int INFO_MAX_MTU = 22;
    static final int INFO_MAX_RX_PKTLEN = 36;
    static final int INFO_MAX_RX_QUEUES = 44;
    static final int INFO_MAX_TX_QUEUES = 46;
    static final int INFO_RX_OFFLOADS = 72;
    static final int INFO_TX_OFFLOADS = 80;
    static final int INFO_RSS_HASHES = 112;
    static final int INFO_RX_RING_SIZE = 296;
    static final int INFO_TX_RING_SIZE = 302;

    // struct rte_eth_stats, rte_eth_xstat, rte_eth_xstat_name.
    static final int STATS_BYTES = 704;
    static final int STATS_IPACKETS = 0;
    static final int STATS_OPACKETS = 8;
    static final int STATS_IBYTES = 16;
    static final int STATS_OBYTES = 24;
    static final int STATS_IMISSED = 32;
    static final int STATS_IERRORS = 40;
    static final int STATS_OERRORS = 48;
    static final int STATS_RX_NOMBUF = 56;
    static final int XSTAT_BYTES = 16;
    static final int XSTAT_ID = 0;
    static final int XSTAT_VALUE = 8;
    static final int XSTAT_NAME_BYTES = 64;

    // struct rte_eth_link; the last is a bit of the word behind the speed.
    static final int LINK_BYTES = 8;
    static final int LINK_SPEED = 0;
    static final int LINK_BITS = 4;
    static final int LINK_UP = 4;

    private DpdkAbi23() {}
}
