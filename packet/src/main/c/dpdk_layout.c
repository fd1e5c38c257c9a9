/*
 * Prints where DPDK's structures have their fields, by the headers that are installed: one "NAME NUMBER" a line, named as
 * the constants of Abi23.java. A test compiles it, runs it and compares; for another ABI it gives the new table.
 *
 *   cc $(pkg-config --cflags libdpdk) -o dpdk_layout dpdk_layout.c && ./dpdk_layout
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_version.h>

#define OFFSET(name, type, field) printf("%s %zu\n", name, offsetof(struct type, field))
#define SIZE(name, type) printf("%s %zu\n", name, sizeof(struct type))
#define NUMBER(name, value) printf("%s %lld\n", name, (long long)(value))

/* Fields of a few bits have no offset: which bits of the second word do they set? */
static long long link_bits(struct rte_eth_link link)
{
    long long bits = 0;
    memcpy(&bits, (char *)&link + sizeof(link.link_speed), sizeof(link) - sizeof(link.link_speed));
    return bits;
}

static void mbuf(void)
{
    SIZE("MBUF_BYTES", rte_mbuf);
    OFFSET("MBUF_REARM", rte_mbuf, rearm_data);
    OFFSET("MBUF_DATA_OFF", rte_mbuf, data_off);
    OFFSET("MBUF_REFCNT", rte_mbuf, refcnt);
    OFFSET("MBUF_NB_SEGS", rte_mbuf, nb_segs);
    OFFSET("MBUF_OL_FLAGS", rte_mbuf, ol_flags);
    OFFSET("MBUF_PKT_LEN", rte_mbuf, pkt_len);
    OFFSET("MBUF_DATA_LEN", rte_mbuf, data_len);
    OFFSET("MBUF_BUF_ADDR", rte_mbuf, buf_addr);
    OFFSET("MBUF_POOL", rte_mbuf, pool);
    OFFSET("MBUF_NEXT", rte_mbuf, next);
    NUMBER("MBUF_NOT_DIRECT", RTE_MBUF_F_INDIRECT | RTE_MBUF_F_EXTERNAL);
    NUMBER("HEADROOM_BYTES", RTE_PKTMBUF_HEADROOM);
    OFFSET("MBUF_TX_OFFLOAD", rte_mbuf, tx_offload);
    NUMBER("MBUF_L2_BITS", RTE_MBUF_L2_LEN_BITS);
    NUMBER("MBUF_L3_BITS", RTE_MBUF_L3_LEN_BITS);
    NUMBER("MBUF_L4_BITS", RTE_MBUF_L4_LEN_BITS);
    NUMBER("MBUF_TX_UDP", RTE_MBUF_F_TX_UDP_CKSUM);
    NUMBER("MBUF_TX_TCP", RTE_MBUF_F_TX_TCP_CKSUM);
    NUMBER("MBUF_TX_IPV4", RTE_MBUF_F_TX_IPV4);
    NUMBER("MBUF_TX_IPV6", RTE_MBUF_F_TX_IPV6);
    NUMBER("MBUF_RX_L4_RIGHT", RTE_MBUF_F_RX_L4_CKSUM_GOOD);
    NUMBER("MBUF_RX_L4_WRONG", RTE_MBUF_F_RX_L4_CKSUM_BAD);
    NUMBER("MBUF_RX_L4_PARTIAL", RTE_MBUF_F_RX_L4_CKSUM_NONE);
}

static void mempool(void)
{
    OFFSET("MEMPOOL_ELT_SIZE", rte_mempool, elt_size);
    OFFSET("MEMPOOL_HEADER_SIZE", rte_mempool, header_size);
    OFFSET("MEMPOOL_TRAILER_SIZE", rte_mempool, trailer_size);
    OFFSET("MEMPOOL_OPS_INDEX", rte_mempool, ops_index);
    OFFSET("MEMPOOL_LOCAL_CACHE", rte_mempool, local_cache);
    NUMBER("MEMPOOL_NO_IOVA_CONTIG", RTE_MEMPOOL_F_NO_IOVA_CONTIG);
    SIZE("CACHE_BYTES", rte_mempool_cache);
    OFFSET("CACHE_SIZE", rte_mempool_cache, size);
    OFFSET("CACHE_FLUSH_AT", rte_mempool_cache, flushthresh);
    OFFSET("CACHE_LENGTH", rte_mempool_cache, len);
    OFFSET("CACHE_OBJECTS", rte_mempool_cache, objs);
    NUMBER("CACHE_SIZE_MAX", RTE_MEMPOOL_CACHE_MAX_SIZE);
    OFFSET("OPS_TABLE", rte_mempool_ops_table, ops);
    SIZE("OPS_BYTES", rte_mempool_ops);
    OFFSET("OPS_ENQUEUE", rte_mempool_ops, enqueue);
    OFFSET("OPS_DEQUEUE", rte_mempool_ops, dequeue);
    SIZE("POOL_PRIVATE_BYTES", rte_pktmbuf_pool_private);
    OFFSET("POOL_PRIVATE_ROOM", rte_pktmbuf_pool_private, mbuf_data_room_size);
}

static void fast_path(void)
{
    SIZE("FAST_BYTES", rte_eth_fp_ops);
    OFFSET("FAST_RX_BURST", rte_eth_fp_ops, rx_pkt_burst);
    OFFSET("FAST_RX_DATA", rte_eth_fp_ops, rxq.data);
    OFFSET("FAST_TX_BURST", rte_eth_fp_ops, tx_pkt_burst);
    OFFSET("FAST_TX_DATA", rte_eth_fp_ops, txq.data);
}

static void device(void)
{
    SIZE("CONF_BYTES", rte_eth_conf);
    OFFSET("CONF_RX_MQ_MODE", rte_eth_conf, rxmode.mq_mode);
    OFFSET("CONF_RX_MTU", rte_eth_conf, rxmode.mtu);
    OFFSET("CONF_RX_OFFLOADS", rte_eth_conf, rxmode.offloads);
    OFFSET("CONF_TX_OFFLOADS", rte_eth_conf, txmode.offloads);
    OFFSET("CONF_RSS_HASHES", rte_eth_conf, rx_adv_conf.rss_conf.rss_hf);
    NUMBER("RX_MQ_RSS", RTE_ETH_MQ_RX_RSS);
    NUMBER("RX_OFFLOAD_SCATTER", RTE_ETH_RX_OFFLOAD_SCATTER);
    NUMBER("TX_OFFLOAD_FAST_FREE", RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE);
    NUMBER("RX_OFFLOAD_UDP", RTE_ETH_RX_OFFLOAD_UDP_CKSUM);
    NUMBER("RX_OFFLOAD_TCP", RTE_ETH_RX_OFFLOAD_TCP_CKSUM);
    NUMBER("TX_OFFLOAD_UDP", RTE_ETH_TX_OFFLOAD_UDP_CKSUM);
    NUMBER("TX_OFFLOAD_TCP", RTE_ETH_TX_OFFLOAD_TCP_CKSUM);
    NUMBER("RSS_IP_UDP_TCP", RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP | RTE_ETH_RSS_TCP);
    SIZE("INFO_BYTES", rte_eth_dev_info);
    OFFSET("INFO_DEVICE", rte_eth_dev_info, device);
    OFFSET("INFO_DRIVER_NAME", rte_eth_dev_info, driver_name);
    OFFSET("INFO_MAX_MTU", rte_eth_dev_info, max_mtu);
    OFFSET("INFO_MAX_RX_PKTLEN", rte_eth_dev_info, max_rx_pktlen);
    OFFSET("INFO_MAX_RX_QUEUES", rte_eth_dev_info, max_rx_queues);
    OFFSET("INFO_MAX_TX_QUEUES", rte_eth_dev_info, max_tx_queues);
    OFFSET("INFO_RX_OFFLOADS", rte_eth_dev_info, rx_offload_capa);
    OFFSET("INFO_TX_OFFLOADS", rte_eth_dev_info, tx_offload_capa);
    OFFSET("INFO_RSS_HASHES", rte_eth_dev_info, flow_type_rss_offloads);
    OFFSET("INFO_RX_RING_SIZE", rte_eth_dev_info, default_rxportconf.ring_size);
    OFFSET("INFO_TX_RING_SIZE", rte_eth_dev_info, default_txportconf.ring_size);
}

static void counters(void)
{
    SIZE("STATS_BYTES", rte_eth_stats);
    OFFSET("STATS_IPACKETS", rte_eth_stats, ipackets);
    OFFSET("STATS_OPACKETS", rte_eth_stats, opackets);
    OFFSET("STATS_IBYTES", rte_eth_stats, ibytes);
    OFFSET("STATS_OBYTES", rte_eth_stats, obytes);
    OFFSET("STATS_IMISSED", rte_eth_stats, imissed);
    OFFSET("STATS_IERRORS", rte_eth_stats, ierrors);
    OFFSET("STATS_OERRORS", rte_eth_stats, oerrors);
    OFFSET("STATS_RX_NOMBUF", rte_eth_stats, rx_nombuf);
    SIZE("XSTAT_BYTES", rte_eth_xstat);
    OFFSET("XSTAT_ID", rte_eth_xstat, id);
    OFFSET("XSTAT_VALUE", rte_eth_xstat, value);
    SIZE("XSTAT_NAME_BYTES", rte_eth_xstat_name);
    SIZE("LINK_BYTES", rte_eth_link);
    OFFSET("LINK_SPEED", rte_eth_link, link_speed);
    NUMBER("LINK_BITS", sizeof(((struct rte_eth_link *)0)->link_speed));
    NUMBER("LINK_UP", link_bits((struct rte_eth_link){.link_status = 1}));
}

int main(void)
{
    NUMBER("RELEASE_YEAR", RTE_VER_YEAR);
    NUMBER("RELEASE_MONTH", RTE_VER_MONTH);
    NUMBER("PORTS_MAX", RTE_MAX_ETHPORTS);
    mbuf();
    mempool();
    fast_path();
    device();
    counters();
    return 0;
}
